// SPDX-License-Identifier: Apache-2.0
//
// Packing on the device: a matrix of any order, distance and alignment into operands of the matrix engine (arguments.h
// describes them). An item makes one word, from one, two or four elements that follow one another along k.
#pragma once

#include "kernels/gemm/elements.h"

namespace xeforge::kernels {

template <class T>
inline uint32_t packed_word(const PackArguments& g, uint64_t from, int64_t row, int64_t k) {
  constexpr int kElements = 4 / sizeof(T);
  uint32_t word = 0;
#pragma unroll
  for (int i = 0; i < kElements; ++i) {
    if (row < g.rows && k * kElements + i < g.depth)
      word |= uint32_t(read<T>(from, row * g.row_stride + (k * kElements + i) * g.depth_stride))
              << (32 / kElements * i);
  }
  return word;
}

/// Launched over the words of one matrix in dimension 2, the batch in dimension 0.
XEFORGE_STRUCTURE_KERNEL(3) gemm_pack(PackArguments g) {
  const auto item = sycl::ext::oneapi::this_work_item::get_nd_item<3>();
  const int64_t batch = item.get_group(0),
                index = int64_t(item.get_group(2)) * int64_t(item.get_local_range(2)) + item.get_local_id(2);
  const uint32_t words = g.unit * 8;
  if (index >= g.units * g.steps * words) return;
  if (g.alpha_at != 0 && read<float>(g.alpha_at, 0) == 0) return;  // the matrix must not be read
  const uint32_t in_step = index % words;
  const int64_t step = index / words % g.steps, unit = index / words / g.steps;
  const int64_t row = unit * g.unit + (g.words_outer != 0 ? in_step % g.unit : in_step / 8);
  const int64_t k = step * 8 + (g.words_outer != 0 ? in_step / g.unit : in_step % 8);
  const uint64_t from = matrix(g.from, (g.flags & kPointersA) != 0, batch, g.stride_from * bytes_of(g.type));
  uint32_t word = 0;
  switch (bytes_of(g.type)) {
    case 1:
      word = packed_word<uint8_t>(g, from, row, k);
      break;
    case 2:
      word = packed_word<uint16_t>(g, from, row, k);
      break;
    default:
      word = packed_word<uint32_t>(g, from, row, k);
      if ((g.flags & kTf32) != 0) word = tf32_bits(word);
  }
  write<uint32_t>(g.to + batch * g.stride_to, index, word);
}

}  // namespace xeforge::kernels
