// SPDX-License-Identifier: Apache-2.0
//
// Branches and loops in which work-items of one sub-group go different ways, and functions that are called.
#include <algorithm>
#include <random>

#include "program.h"

namespace programs {

namespace {

constexpr std::size_t kCount = 1024, kLocal = 64;

int nested(int x) {
  int r = 0;
  if (x > 0) {
    if (x % 2 == 0) {
      r = x % 3 == 0 ? 1 : 2;
      if (x % 5 == 0) r += 10;
    } else {
      r = 100 + (x % 7 == 0 ? 3 : x % 11 == 0 ? 4 : x % 13 == 0 ? 5 : 6);
    }
  } else if (x < -50) {
    r = -x;
  } else {
    for (int i = x; i < 0; ++i) r -= i % 3 == 0 ? i : 1;
  }
  return r;
}

int loops(int x) {
  int steps = 0, odd = 0;
  while (x != 1) {
    ++steps;
    if (x % 2 == 0) {
      x /= 2;
      continue;
    }
    x = 3 * x + 1;
    if (++odd > 30) break;
    for (int i = 0; i < x % 5 && i != 3; ++i) steps += i & 1;
  }
  do {
    steps += 1000;
  } while (--odd > 20);
  return steps;
}

int switches(int in) {
  int total = 0;
  for (int i = 0; i < 20; ++i) {
    const int which = (in + i * i) & 15;
    if (which == 0)
      total += 1;
    else if (which == 1)
      total ^= 0x55;
    else if (which == 2)
      total = (total - 7) * 3;
    else if (which == 3)
      total *= 3;
    else if (which == 4)
      continue;
    else if (which <= 7)
      total += total >> 3;
    else if (which == 8)
      total += total > 1000 ? 0 : 500;
    else if (which == 9)
      total = -total;
    else if (which == 10)
      total |= i;
    else if (which == 11)
      return total;
    else
      total += i;
  }
  return total;
}

int early_return(int x) {
  if (x < 0) return 1;
  for (int k = 0; k < x; ++k) {
    if (k * k == x) return 1000 + k;
  }
  return 3;
}

int step(int x, int depth) {
  return depth % 3 == 0 ? static_cast<int>(static_cast<unsigned>(x) * 7 + static_cast<unsigned>(depth))
                        : x ^ static_cast<int>(static_cast<unsigned>(depth) << 3);
}
int chain(int x, int n) {
  int values[8];
  for (int i = 0; i < 8; ++i) values[i] = step(x + i, i);
  int r = 0;
  for (int i = 0; i < n; ++i)
    r = step(static_cast<int>(static_cast<unsigned>(r) + static_cast<unsigned>(values[(r ^ i) & 7])), i);
  return r;
}

int conditions(int x, int y) {
  const bool a = x > y, b = (x & 4) != 0, c = x * y < 0, d = x == y;
  int r = (a && b) || (c && !d) ? 1 : 0;
  r |= ((a != b) != c ? 1 : 0) << 1;
  r |= (!(a || c) && (b || d) ? 1 : 0) << 2;
  r |= static_cast<int>(static_cast<unsigned>(x < 10 ? y : x) << 3);
  return r + (a ? b ? c ? 17 : 18 : 19 : 20);
}

}  // namespace

void control_flow(Program& p) {
  Kernels k = p.kernels("control_flow.h");
  std::mt19937 random(41);
  auto in = p.zeros<int>(kCount), positive = p.zeros<int>(kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    in[i] = static_cast<int>(random() % 400) - 150;
    positive[i] = static_cast<int>(random() % 5000) + 1;
  }
  auto out = p.zeros<int>(kCount);
  const sycl::nd_range<1> range(kCount, kLocal);
  k.run("nested", range, in, out);
  p.expect_all("nested branches", out, [&](std::size_t i) { return nested(in[i]); });
  k.run("loops", range, positive, out);
  p.expect_all("loops with many exits", out, [&](std::size_t i) { return loops(positive[i]); });
  k.run("switches", range, in, out);
  p.expect_all("switches", out, [&](std::size_t i) { return switches(in[i]); });
  std::fill(out.begin(), out.end(), -5);
  k.run("early_return", range, in, out, 1000);
  p.expect_all("early returns", out, [&](std::size_t i) { return i < 1000 ? early_return(in[i]) : -5; });
  k.run("calls", range, positive, out);
  p.expect_all("calls", out, [&](std::size_t i) {
    const int x = positive[i];
    return x % 2 == 0 ? chain(x, (x & 15) + 1) : step(chain(x / 3, 4), x);
  });
  k.run("conditions", range, in, out);
  p.expect_all("conditions", out, [&](std::size_t i) { return conditions(in[i], in[(i + 1) % kCount]); });

  std::vector<int> sorted(positive.begin(), positive.end());
  std::sort(sorted.begin(), sorted.end());
  sorted.resize(777);
  auto table = p.shared(sorted);
  k.run("binary_search", range, table, 777, positive, out);
  p.expect_all("binary search", out, [&](std::size_t i) {
    return std::lower_bound(sorted.begin(), sorted.end(), positive[i]) - sorted.begin();
  });

  for (const std::size_t local : {32UL, 100UL, 256UL}) {
    auto results = p.zeros<int>(6 * local);
    k.run("uniform_branches", sycl::nd_range<1>(6 * local, local), results, Local<int>{local});
    std::vector<int> want(6 * local);
    for (std::size_t g = 0; g < 6; ++g) {
      std::vector<int> tmp(local), next(local);
      for (std::size_t l = 0; l < local; ++l) tmp[l] = static_cast<int>(l);
      for (std::size_t round = 0; round < g % 3 + 1; ++round) {
        for (std::size_t l = 0; l < local; ++l)
          next[l] = g % 2 == 0 ? tmp[(l + 1) % local] + 1 : tmp[(l + 1) % local] * 2 - (round == 1 ? 1 : 0);
        tmp = next;
      }
      for (std::size_t l = 0; l < local; ++l) want[g * local + l] = tmp[l] + (l / 32 % 2 == 0 ? 5 : 0);
    }
    p.expect_all("uniform branches in groups of " + std::to_string(local), results,
                 [&](std::size_t i) { return want[i]; });
  }
}

}  // namespace programs
