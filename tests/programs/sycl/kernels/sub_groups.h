// SPDX-License-Identifier: Apache-2.0
//
// Compiled once per sub-group size SG.
#include "common.h"

using namespace sycl;
namespace work = syclext::this_work_item;

// Positions of every work-item, as the device sees them.
KERNEL_SG(1, SG)
positions(unsigned* local_id, unsigned* group_id, unsigned* local_range, unsigned* group_range, unsigned* max_range) {
  const auto sg = work::get_sub_group();
  const unsigned i = me();
  local_id[i] = sg.get_local_id()[0];
  group_id[i] = sg.get_group_id()[0];
  local_range[i] = sg.get_local_range()[0];
  group_range[i] = sg.get_group_range()[0];
  max_range[i] = sg.get_max_local_range()[0];
}

// Shuffles of one type: by variable index, by xor, up, down, broadcast of a run-time lane.
#define SHUFFLES(NAME, T)                                                                                  \
  KERNEL_SG(1, SG)                                                                                         \
  shuffle_##NAME(const T* in, const unsigned* lane, T* select, T* by_xor, T* left, T* right, T* broadcast, \
                 unsigned mask, unsigned delta, unsigned from) {                                           \
    const auto sg = work::get_sub_group();                                                                 \
    const unsigned i = me();                                                                               \
    const T x = in[i];                                                                                     \
    select[i] = select_from_group(sg, x, lane[i]);                                                         \
    by_xor[i] = permute_group_by_xor(sg, x, mask);                                                         \
    left[i] = shift_group_left(sg, x, delta);                                                              \
    right[i] = shift_group_right(sg, x, delta);                                                            \
    broadcast[i] = group_broadcast(sg, x, from);                                                           \
  }
SHUFFLES(char, signed char)
SHUFFLES(short, short)
SHUFFLES(int, int)
SHUFFLES(long, long)
SHUFFLES(half, half)
SHUFFLES(float, float)

// Shuffles by constants, which compile to regions instead of indirect addressing.
KERNEL_SG(1, SG) shuffle_constants(const int* in, int* out) {
  const auto sg = work::get_sub_group();
  const unsigned i = me(), n = work::get_nd_item<1>().get_global_range(0);
  const int x = in[i];
  out[i] = permute_group_by_xor(sg, x, 1);
  out[n + i] = permute_group_by_xor(sg, x, 2);
  out[2 * n + i] = permute_group_by_xor(sg, x, SG / 2);
  out[3 * n + i] = shift_group_left(sg, x, 1);
  out[4 * n + i] = shift_group_right(sg, x, 1);
  out[5 * n + i] = group_broadcast(sg, x, 0);
  out[6 * n + i] = group_broadcast(sg, x, SG - 1);
  out[7 * n + i] = select_from_group(sg, x, SG - 1 - sg.get_local_id()[0]);
}

struct Pair {
  int a;
  long b;
  short c;
};
KERNEL_SG(1, SG) shuffle_struct(const Pair* in, Pair* out, const unsigned* lane) {
  out[me()] = select_from_group(work::get_sub_group(), in[me()], lane[me()]);
}
KERNEL_SG(1, SG) shuffle_vector(const vec<float, 4>* in, vec<float, 4>* out, const unsigned* lane) {
  out[me()] = select_from_group(work::get_sub_group(), in[me()], lane[me()]);
}

#define COLLECTIVES(NAME, T, OPNAME, OP)                                                           \
  KERNEL_SG(1, SG) collect_##NAME##_##OPNAME(const T* in, T* reduce, T* inclusive, T* exclusive) { \
    const auto sg = work::get_sub_group();                                                         \
    const unsigned i = me();                                                                       \
    reduce[i] = reduce_over_group(sg, in[i], OP<T>());                                             \
    inclusive[i] = inclusive_scan_over_group(sg, in[i], OP<T>());                                  \
    exclusive[i] = exclusive_scan_over_group(sg, in[i], OP<T>());                                  \
  }
#define COLLECTIVES_OF(NAME, T)      \
  COLLECTIVES(NAME, T, plus, plus)   \
  COLLECTIVES(NAME, T, min, minimum) \
  COLLECTIVES(NAME, T, max, maximum)
#define COLLECTIVES_OF_BITS(NAME, T) \
  COLLECTIVES(NAME, T, and, bit_and) \
  COLLECTIVES(NAME, T, or, bit_or)   \
  COLLECTIVES(NAME, T, xor, bit_xor) \
  COLLECTIVES(NAME, T, times, multiplies)
COLLECTIVES_OF(char, signed char)
COLLECTIVES_OF(short, short)
COLLECTIVES_OF(int, int)
COLLECTIVES_OF(uint, unsigned)
COLLECTIVES_OF(long, long)
COLLECTIVES_OF(ulong, unsigned long)
COLLECTIVES_OF(half, half)
COLLECTIVES_OF(float, float)
COLLECTIVES(float, float, times, multiplies)
COLLECTIVES_OF_BITS(uint, unsigned)
COLLECTIVES_OF_BITS(ulong, unsigned long)
COLLECTIVES_OF_BITS(ushort, unsigned short)

KERNEL_SG(1, SG)
votes(const int* in, unsigned char* any, unsigned char* all, unsigned char* none, unsigned* ballot, int threshold) {
  const auto sg = work::get_sub_group();
  const unsigned i = me();
  const bool p = in[i] > threshold;
  any[i] = any_of_group(sg, p);
  all[i] = all_of_group(sg, p);
  none[i] = none_of_group(sg, p);
  unsigned bits = 0;
  syclext::group_ballot(sg, p).extract_bits(bits);
  ballot[i] = bits;
}

// Collectives inside a loop whose trip count differs from sub-group to sub-group.
KERNEL_SG(1, SG) loop_of_scans(const int* in, int* out) {
  const auto sg = work::get_sub_group();
  const unsigned i = me();
  int x = in[i];
  for (unsigned round = 0; round <= sg.get_group_id()[0] % 5; ++round) {
    x = inclusive_scan_over_group(sg, x, plus<int>()) % 1000 + reduce_over_group(sg, x, maximum<int>());
  }
  out[i] = x;
}

// Only the work-items of the taken branch are in the group.
KERNEL_SG(1, SG) opportunistic(const int* in, int* sum, unsigned* count) {
  const unsigned i = me();
  if (in[i] % 3 == 0) {
    const auto some = syclexp::this_work_item::get_opportunistic_group();
    sum[i] = reduce_over_group(some, in[i], plus<int>());
    count[i] = some.get_local_linear_range();
  } else {
    sum[i] = -1;
    count[i] = 0;
  }
}
KERNEL_SG(1, SG) chunks(const int* in, int* sum, int* scan, unsigned* rank) {
  const unsigned i = me();
  const auto part = syclexp::chunked_partition<4>(work::get_sub_group());
  sum[i] = reduce_over_group(part, in[i], plus<int>());
  scan[i] = exclusive_scan_over_group(part, in[i], plus<int>());
  rank[i] = part.get_local_linear_id();
}

template <class T>
auto global_pointer(T* p) {
  return address_space_cast<access::address_space::global_space, access::decorated::yes>(p);
}
// Blocks of a whole sub-group in one message. Xe-HPG has none for 32 work-items.
#ifndef NO_BLOCKS
KERNEL_SG(1, SG)
block_copy(const unsigned* in, unsigned* out, const unsigned short* in16, unsigned short* out16,
           const unsigned long* in64, unsigned long* out64) {
  const auto sg = work::get_sub_group();
  const unsigned start = (work::get_nd_item<1>().get_global_linear_id() / SG) * SG;
  const auto copy = [&](auto* from, auto* to, auto add) {
    using T = std::remove_pointer_t<decltype(to)>;
    const auto whole =
        syclexp::properties{syclexp::data_placement_striped, syclexp::contiguous_memory, syclexp::full_group};
    T own[4];
    syclexp::group_load(sg, global_pointer(from + start * 4), span<T, 4>(own), whole);
    for (T& x : own) x += add;
    syclexp::group_store(sg, span<T, 4>(own), global_pointer(to + start * 4), whole);
  };
  copy(in, out, 1u);
  copy(in16, out16, static_cast<unsigned short>(2));
  copy(in64, out64, 3ul);
}
#endif
