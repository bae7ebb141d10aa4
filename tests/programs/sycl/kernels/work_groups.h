// SPDX-License-Identifier: Apache-2.0
#include "common.h"

using namespace sycl;
namespace work = syclext::this_work_item;

#define COLLECTIVES(NAME, T, OPNAME, OP)                                                  \
  KERNEL(1) group_##NAME##_##OPNAME(const T* in, T* reduce, T* inclusive, T* exclusive) { \
    const auto g = work::get_work_group<1>();                                             \
    const unsigned i = me();                                                              \
    reduce[i] = reduce_over_group(g, in[i], OP<T>());                                     \
    inclusive[i] = inclusive_scan_over_group(g, in[i], OP<T>());                          \
    exclusive[i] = exclusive_scan_over_group(g, in[i], OP<T>());                          \
  }
COLLECTIVES(int, int, plus, plus)
COLLECTIVES(long, long, max, maximum)
COLLECTIVES(float, float, plus, plus)
COLLECTIVES(half, half, min, minimum)
COLLECTIVES(uint, unsigned, xor, bit_xor)

KERNEL(1) group_votes(const int* in, unsigned char* any, unsigned char* all, unsigned char* none, int threshold) {
  const auto g = work::get_work_group<1>();
  const unsigned i = me();
  any[i] = any_of_group(g, in[i] > threshold);
  all[i] = all_of_group(g, in[i] > threshold);
  none[i] = none_of_group(g, in[i] > threshold);
}

KERNEL(1) group_broadcasts(const int* in, int* first, int* chosen, unsigned from) {
  const auto g = work::get_work_group<1>();
  const unsigned i = me();
  first[i] = group_broadcast(g, in[i]);
  chosen[i] = group_broadcast(g, in[i], from);
}

// Ranges longer than the group.
KERNEL(1) joint(const int* in, int* sum, int* inclusive, int* exclusive, unsigned char* any, unsigned n) {
  const auto g = work::get_work_group<1>();
  const unsigned group = g.get_group_id(0);
  const int* begin = in + group * n;
  const int total = joint_reduce(g, begin, begin + n, 5, plus<int>());
  joint_inclusive_scan(g, begin, begin + n, inclusive + group * n, plus<int>());
  joint_exclusive_scan(g, begin, begin + n, exclusive + group * n, 100, plus<int>());
  const bool found = joint_any_of(g, begin, begin + n, [](int x) { return x == 777; });
  if (g.leader()) {
    sum[group] = total;
    any[group] = found;
  }
}

// Groups of more dimensions.
KERNEL(3) group_3d(const int* in, int* reduce, int* exclusive, int* broadcast) {
  const auto it = work::get_nd_item<3>();
  const auto g = it.get_group();
  const size_t i = g.get_group_linear_id() * g.get_local_linear_range() + it.get_local_linear_id();
  reduce[i] = reduce_over_group(g, in[i], plus<int>());
  exclusive[i] = exclusive_scan_over_group(g, in[i], plus<int>());
  broadcast[i] = group_broadcast(g, in[i], id<3>(1, 0, 2));
}

// Every position that a work-item can ask for.
template <int D>
void positions(unsigned* out) {
  const auto it = work::get_nd_item<D>();
  const auto g = it.get_group();
  unsigned* o = out + it.get_global_linear_id() * 24;
  for (int d = 0; d < D; ++d) {
    o[d] = it.get_global_id(d);
    o[3 + d] = it.get_local_id(d);
    o[6 + d] = it.get_group(d);
    o[9 + d] = it.get_global_range(d);
    o[12 + d] = it.get_local_range(d);
    o[15 + d] = it.get_group_range(d);
  }
  o[18] = it.get_global_linear_id();
  o[19] = it.get_local_linear_id();
  o[20] = it.get_group_linear_id();
  o[21] = g.get_group_linear_range();
  o[22] = g.get_local_linear_range();
  o[23] = g.leader();
}
KERNEL(1) positions_1d(unsigned* out) { positions<1>(out); }
KERNEL(2) positions_2d(unsigned* out) { positions<2>(out); }
KERNEL(3) positions_3d(unsigned* out) { positions<3>(out); }
