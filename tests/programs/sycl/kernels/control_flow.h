// SPDX-License-Identifier: Apache-2.0
#include "common.h"

using namespace sycl;
namespace work = syclext::this_work_item;

KERNEL(1) nested(const int* in, int* out) {
  const int x = in[me()];
  int r = 0;
  if (x > 0) {
    if (x % 2 == 0) {
      r = x % 3 == 0 ? 1 : 2;
      if (x % 5 == 0) r += 10;
    } else {
      if (x % 7 == 0) {
        r = 3;
      } else if (x % 11 == 0) {
        r = 4;
      } else {
        r = x % 13 == 0 ? 5 : 6;
      }
      r += 100;
    }
  } else if (x < -50) {
    r = -x;
  } else {
    for (int i = x; i < 0; ++i) r -= i % 3 == 0 ? i : 1;
  }
  out[me()] = r;
}

// Every work-item leaves the loop at another time, by another door.
KERNEL(1) loops(const int* in, int* out) {
  int x = in[me()], steps = 0, odd = 0;
  while (x != 1) {
    ++steps;
    if (x % 2 == 0) {
      x /= 2;
      continue;
    }
    x = 3 * x + 1;
    if (++odd > 30) break;
    for (int i = 0; i < x % 5; ++i) {
      if (i == 3) break;
      steps += i & 1;
    }
  }
  do {
    steps += 1000;
  } while (--odd > 20);
  out[me()] = steps;
}

KERNEL(1) switches(const int* in, int* out) {
  int total = 0;
  for (int i = 0; i < 20; ++i) {
    switch ((in[me()] + i * i) & 15) {
      case 0:
        total += 1;
        break;
      case 1:
        total ^= 0x55;
        break;
      case 2:
        total -= 7;
      case 3:
        total *= 3;
        break;
      case 4:
        continue;
      case 5:
      case 6:
      case 7:
        total += total >> 3;
        break;
      case 8:
        if (total > 1000) break;
        total += 500;
        break;
      case 9:
        total = -total;
        break;
      case 10:
        total |= i;
        break;
      case 11:
        goto done;
      default:
        total += i;
        break;
    }
  }
done:
  out[me()] = total;
}

KERNEL(1) early_return(const int* in, int* out, int n) {
  const int i = static_cast<int>(me());
  if (i >= n) return;
  out[i] = 1;
  if (in[i] < 0) return;
  out[i] = 2;
  for (int k = 0; k < in[i]; ++k) {
    if (k * k == in[i]) {
      out[i] = 1000 + k;
      return;
    }
  }
  out[i] = 3;
}

// Branches that whole sub-groups and whole groups take, with barriers inside.
KERNEL(1) uniform_branches(int* out, local_accessor<int, 1> tmp) {
  const auto it = work::get_nd_item<1>();
  const int l = it.get_local_id(0), n = it.get_local_range(0), g = it.get_group(0);
  tmp[l] = l;
  for (int round = 0; round < g % 3 + 1; ++round) {
    group_barrier(it.get_group());
    const int from = tmp[(l + 1) % n];
    group_barrier(it.get_group());
    if (g % 2 == 0) {
      tmp[l] = from + 1;
    } else {
      tmp[l] = from * 2;
      if (round == 1) tmp[l] -= 1;
    }
  }
  group_barrier(it.get_group());
  if (l / 32 % 2 == 0) tmp[l] += 5;
  out[me()] = tmp[l];
}

// Functions that stay functions: calls with arguments on the stack.
[[gnu::noinline]] int step(int x, int depth) { return depth % 3 == 0 ? x * 7 + depth : x ^ (depth << 3); }
[[gnu::noinline]] int chain(int x, int n) {
  int values[8];
  for (int i = 0; i < 8; ++i) values[i] = step(x + i, i);
  int r = 0;
  for (int i = 0; i < n; ++i) r = step(r + values[(r ^ i) & 7], i);
  return r;
}
KERNEL(1) calls(const int* in, int* out) {
  const int x = in[me()];
  out[me()] = x % 2 == 0 ? chain(x, (x & 15) + 1) : step(chain(x / 3, 4), x);
}

// Predicates that are combined, and selections of every kind.
KERNEL(1) conditions(const int* in, int* out) {
  const int x = in[me()], y = in[(me() + 1) % work::get_nd_item<1>().get_global_range(0)];
  const bool a = x > y, b = (x & 4) != 0, c = x * y < 0, d = x == y;
  int r = (a && b) || (c && !d) ? 1 : 0;
  r |= (a ^ b ^ c ? 1 : 0) << 1;
  r |= (!(a || c) && (b || d) ? 1 : 0) << 2;
  r |= sycl::select(x, y, x < 10 ? 1 : 0) << 3;
  r += a ? b ? c ? 17 : 18 : 19 : 20;
  out[me()] = r;
}

// A search by halving in a table: loops whose trip counts differ by one.
KERNEL(1) binary_search(const int* table, int n, const int* in, int* out) {
  int low = 0, high = n;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (table[middle] < in[me()])
      low = middle + 1;
    else
      high = middle;
  }
  out[me()] = low;
}
