// SPDX-License-Identifier: Apache-2.0
//
// Packing on the device: matrices of any order, distance and alignment into operands of the matrix engine (arguments.h
// describes them). An item makes the 16 words that a row of A (a column of B) has in 64 bytes of k, and then the next
// 64: neither a division nor a multiplication of 64 bits for each word. Both operands of a product are packed by one
// launch, because what a launch costs is more than what most of them do.
#pragma once

#include "kernels/gemm/elements.h"

namespace xeforge::kernels {

inline constexpr int kPackWords = 16;  ///< of an item at a time: two steps

/// One of the two, without an index into the arguments, for which compilers copy them to memory.
inline PackOperand choose(bool first, const PackOperand& a, const PackOperand& b) {
  return {first ? a.from : b.from,
          first ? a.to : b.to,
          first ? a.rows : b.rows,
          first ? a.row_bytes : b.row_bytes,
          first ? a.depth_bytes : b.depth_bytes,
          first ? a.from_bytes : b.from_bytes,
          first ? a.to_bytes : b.to_bytes,
          first ? a.unit_bytes : b.unit_bytes,
          first ? a.chunk_bytes : b.chunk_bytes,
          first ? a.matrices : b.matrices,
          first ? a.unit_shift : b.unit_shift,
          first ? a.words_outer : b.words_outer,
          first ? a.fours : b.fours,
          first ? a.groups : b.groups,
          0};
}

/// What a row has in `left` elements of k from `from` on, at most 16 words; zeros behind them.
template <class T>
inline void read_words(const PackOperand& o, uint64_t from, int64_t left, uint32_t (&words)[kPackWords]) {
  constexpr int kElements = 4 / sizeof(T);
  // The same for all items of a group, but for the last of a matrix.
  if (left >= kElements * kPackWords) {
    if (o.depth_bytes == sizeof(T) && ((from | uint64_t(o.row_bytes)) & 3) == 0) {
#pragma unroll
      for (int w = 0; w < kPackWords; ++w) words[w] = read<uint32_t>(from, w);
      return;
    }
#pragma unroll
    for (int w = 0; w < kPackWords; ++w) {
      words[w] = 0;
#pragma unroll
      for (int i = 0; i < kElements; ++i) {
        words[w] |= uint32_t(read<T>(from, 0)) << (32 / kElements * i);
        from += o.depth_bytes;
      }
    }
    return;
  }
#pragma unroll
  for (int w = 0; w < kPackWords; ++w) {
    words[w] = 0;
#pragma unroll
    for (int i = 0; i < kElements; ++i) {
      if (w * kElements + i < left) words[w] |= uint32_t(read<T>(from, 0)) << (32 / kElements * i);
      from += o.depth_bytes;
    }
  }
}

inline void write_words(const PackOperand& o, uint64_t to, uint32_t row_in_unit, const uint32_t (&words)[kPackWords]) {
  if (o.words_outer != 0) {
    to += row_in_unit * 4;
#pragma unroll
    for (int w = 0; w < kPackWords; ++w) {
      write<uint32_t>(to, 0, words[w]);
      to += 4u << o.unit_shift;
    }
    return;
  }
  to += row_in_unit * 32;
#pragma unroll
  for (int w = 0; w < 8; ++w) write<uint32_t>(to, w, words[w]);
  to += 32u << o.unit_shift;
#pragma unroll
  for (int w = 0; w < 8; ++w) write<uint32_t>(to, w, words[w + 8]);
}

/// The same for four neighbouring rows at once, whose elements of 2 bytes lie together (rows of A that is stored by
/// columns, columns of B that is stored by rows): a message for each step of k brings all four.
template <bool Whole>
inline void pack_fours(const PackOperand& o, uint64_t from, uint64_t to, int64_t left) {
#pragma unroll
  for (int w = 0; w < kPackWords; ++w) {
    uint64_t even = 0, odd = 0;
    if (Whole || 2 * w < left) even = read<uint64_t>(from, 0);
    from += o.depth_bytes;
    if (Whole || 2 * w + 1 < left) odd = read<uint64_t>(from, 0);
    from += o.depth_bytes;
    const uint32_t words[4] = {uint32_t(even & 0xFFFF) | uint32_t(odd) << 16,
                               uint32_t(even) >> 16 | (uint32_t(odd) & 0xFFFF0000),
                               uint32_t(even >> 32 & 0xFFFF) | uint32_t(odd >> 32) << 16,
                               uint32_t(even >> 48) | (uint32_t(odd >> 32) & 0xFFFF0000)};
    if (o.words_outer != 0) {
#pragma unroll
      for (int i = 0; i < 4; ++i) write<uint32_t>(to, i, words[i]);
      to += 4u << o.unit_shift;
    } else {
#pragma unroll
      for (int i = 0; i < 4; ++i) write<uint32_t>(to, 8 * i, words[i]);
      to += w == 7 ? (32u << o.unit_shift) - 28 : 4;
    }
  }
}

/// Launched over the batch in dimension 0, stretches of `chunks` times 64 bytes of k in dimension 1, and rows in
/// dimension 2: groups of the first operand, then those of the second.
XEFORGE_STRUCTURE_KERNEL(3) gemm_pack(PackArguments g) {
  const auto item = sycl::ext::oneapi::this_work_item::get_nd_item<3>();
  const uint32_t group = item.get_group(2);
  const bool first = group < g.first.groups;
  const PackOperand o = choose(first, g.first, g.second);
  const uint32_t batch = item.get_group(0);
  if (batch >= o.matrices) return;
  if (g.alpha_at != 0 && read<float>(g.alpha_at, 0) == 0) return;  // the matrices must not be read
  const uint32_t index = (first ? group : group - g.first.groups) * uint32_t(item.get_local_range(2)) +
                         uint32_t(item.get_local_id(2)),
                 row = o.fours != 0 ? 4 * index : index;
  const uint32_t unit = row >> o.unit_shift, last_unit = uint32_t(o.rows - 1) >> o.unit_shift;
  if (unit > last_unit) return;
  const uint32_t row_in_unit = row & ((1u << o.unit_shift) - 1);
  uint32_t chunk = uint32_t(item.get_group(1)) * g.chunks;
  const uint32_t end = chunk + g.chunks < g.all_chunks ? chunk + g.chunks : g.all_chunks;
  const uint32_t elements = 64 / g.element;  // of a chunk
  const int64_t next = elements * o.depth_bytes;
  uint64_t from = matrix(o.from, (g.flags & kPointersA) != 0, batch, o.from_bytes) + chunk * next + row * o.row_bytes;
  uint64_t to = o.to + batch * o.to_bytes + chunk * o.chunk_bytes + unit * o.unit_bytes;
  int64_t left = row < o.rows ? g.depth - int64_t(chunk) * elements : 0;
  if (o.fours != 0) {
    to += row_in_unit * (o.words_outer != 0 ? 4 : 32);
    for (; chunk < end; ++chunk) {
      if (left >= 2 * kPackWords) {
        pack_fours<true>(o, from, to, left);
      } else {
        pack_fours<false>(o, from, to, left);
      }
      from += next;
      to += o.chunk_bytes;
      left = left > elements ? left - elements : 0;
    }
    return;
  }
  for (; chunk < end; ++chunk) {
    uint32_t words[kPackWords];
    switch (g.element) {
      case 1:
        read_words<uint8_t>(o, from, left, words);
        break;
      case 2:
        read_words<uint16_t>(o, from, left, words);
        break;
      default:
        read_words<uint32_t>(o, from, left, words);
        if ((g.flags & kTf32) != 0) {
#pragma unroll
          for (int w = 0; w < kPackWords; ++w) words[w] = tf32_bits(words[w]);
        }
    }
    write_words(o, to, row_in_unit, words);
    from += next;
    to += o.chunk_bytes;
    left = left > elements ? left - elements : 0;
  }
}

}  // namespace xeforge::kernels
