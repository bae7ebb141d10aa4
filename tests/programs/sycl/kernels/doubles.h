// SPDX-License-Identifier: Apache-2.0
#include "common.h"

using namespace sycl;
namespace work = syclext::this_work_item;

#define FROM_DOUBLE(NAME, TO) CONVERT(double_to_##NAME, double, TO, static_cast<TO>(x))
#define TO_DOUBLE(NAME, FROM) CONVERT(NAME##_to_double, FROM, double, static_cast<double>(x))
FROM_DOUBLE(float, float)
FROM_DOUBLE(half, half)
FROM_DOUBLE(int, int)
FROM_DOUBLE(uint, unsigned)
FROM_DOUBLE(long, long)
FROM_DOUBLE(ulong, unsigned long)
FROM_DOUBLE(short, short)
TO_DOUBLE(float, float)
TO_DOUBLE(half, half)
TO_DOUBLE(int, int)
TO_DOUBLE(uint, unsigned)
TO_DOUBLE(long, long)
TO_DOUBLE(ulong, unsigned long)
TO_DOUBLE(char, signed char)

KERNEL(1) collectives(const double* in, double* group, double* sub, double* scan, double* shuffled) {
  const auto it = work::get_nd_item<1>();
  const auto sg = work::get_sub_group();
  const unsigned i = me();
  group[i] = reduce_over_group(it.get_group(), in[i], plus<double>());
  sub[i] = reduce_over_group(sg, in[i], maximum<double>());
  scan[i] = inclusive_scan_over_group(it.get_group(), in[i], plus<double>());
  shuffled[i] = permute_group_by_xor(sg, in[i], 5);
}

KERNEL(1) atomics(const double* in, double* out) {
  const double x = in[me()];
  atomic_ref<double, memory_order::relaxed, memory_scope::device>(out[0]).fetch_add(x);
  atomic_ref<double, memory_order::relaxed, memory_scope::device>(out[1]).fetch_sub(x);
  atomic_ref<double, memory_order::relaxed, memory_scope::device>(out[2]).fetch_min(x);
  atomic_ref<double, memory_order::relaxed, memory_scope::device>(out[3]).fetch_max(x);
}

// A matrix product in local memory.
KERNEL(2) matmul(const double* a, const double* b, double* c, int n) {
  syclexp::work_group_static<double[8][8]> left;
  syclexp::work_group_static<double[8][8]> right;
  const auto it = work::get_nd_item<2>();
  const int y = it.get_global_id(0), x = it.get_global_id(1), ly = it.get_local_id(0), lx = it.get_local_id(1);
  double sum = 0;
  for (int t = 0; t < n; t += 8) {
    left[ly][lx] = a[y * n + t + lx];
    right[ly][lx] = b[(t + ly) * n + x];
    group_barrier(it.get_group());
    for (int k = 0; k < 8; ++k) sum += left[ly][k] * right[k][lx];
    group_barrier(it.get_group());
  }
  c[y * n + x] = sum;
}

KERNEL(1) newton(const double* in, double* out) {
  const double a = in[me()];
  double x = a > 1 ? a : 1;
  for (int i = 0; i < 60; ++i) {
    const double next = 0.5 * (x + a / x);
    if (next >= x) break;
    x = next;
  }
  out[me()] = x;
}
