// SPDX-License-Identifier: Apache-2.0
//
// Common ground of the fast kernels: a thread's place, addresses, and the store of C.
#pragma once

#include <sycl/ext/intel/esimd.hpp>

#include "kernels/fast/arguments.h"
#include "kernels/kernel.h"

namespace xeforge::kernels::fast {

namespace esimd = sycl::ext::intel::esimd;

inline constexpr esimd::properties kBy4{esimd::alignment<4>};
inline constexpr esimd::properties kBy16{esimd::alignment<16>};

/// Which tile of C, of which matrix of the batch. Launched as {batch, threads down, threads across} in groups of
/// {1, WR, WC}; with `ColumnsOuter` the two ranges of groups are exchanged.
template <bool ColumnsOuter, int WR, int WC>
struct Place {
  uint32_t batch, row, column;  ///< row and column of threads

  Place() {
    const auto item = sycl::ext::oneapi::this_work_item::get_nd_item<3>();
    const uint32_t outer = item.get_group(1), inner = item.get_group(2);
    batch = item.get_group(0);
    row = (ColumnsOuter ? inner : outer) * WR + static_cast<uint32_t>(item.get_local_id(1));
    column = (ColumnsOuter ? outer : inner) * WC + static_cast<uint32_t>(item.get_local_id(2));
  }
};

/// An address as two words. Xe-HPG has no 64-bit additions: a sum costs four instructions. A matrix that crosses no
/// multiple of 4 GiB (the host looks) needs none in the upper word, and the sum is one instruction.
template <bool Wide>
class Address {
 public:
  using Words = esimd::simd<uint32_t, 2>;

  explicit Address(uint64_t value) {
    words_[0] = static_cast<uint32_t>(value);
    words_[1] = static_cast<uint32_t>(value >> 32);
  }

  /// `offset` is {bytes, 0}, in registers so that the addition is of both words at once.
  template <class T, int N, class Properties>
  esimd::simd<T, N> load(Words offset, Properties properties) const {
    if constexpr (Wide) {
      return esimd::block_load<T, N>(reinterpret_cast<const T*>(value() + static_cast<uint32_t>(offset[0])),
                                     properties);
    } else {
      Words sum = words_ + offset;
      return esimd::block_load<T, N>(pointer<T>(sum), properties);
    }
  }

  /// Forwards, or backwards.
  void advance(int32_t bytes) {
    if constexpr (Wide) {
      const uint64_t next = value() + static_cast<int64_t>(bytes);
      words_[0] = static_cast<uint32_t>(next);
      words_[1] = static_cast<uint32_t>(next >> 32);
    } else {
      words_[0] += static_cast<uint32_t>(bytes);
    }
  }

 private:
  uint64_t value() const {
    Words words = words_;
    const esimd::simd<uint64_t, 1> whole = words.template bit_cast_view<uint64_t>();
    return whole[0];
  }
  template <class T>
  static const T* pointer(Words words) {
    const esimd::simd<uint64_t, 1> whole = words.template bit_cast_view<uint64_t>();
    return reinterpret_cast<const T*>(static_cast<uint64_t>(whole[0]));
  }

  Words words_;
};

template <int Elements, int R, int C>
inline void clear(esimd::simd<float, Elements> (&sum)[R][C]) {
#pragma unroll
  for (int i = 0; i < R; ++i) {
#pragma unroll
    for (int j = 0; j < C; ++j) sum[i][j] = 0.0f;
  }
}

/// A row of C: alpha * sum + beta * C, whole, or only the columns that are `inside`.
template <bool AlphaOne, bool BetaZero, int Columns>
inline void store_line(const FastArguments& g, float* to, esimd::simd<float, Columns> line) {
  if constexpr (!AlphaOne) line *= g.alpha;
  if constexpr (!BetaZero) line += g.beta * esimd::block_load<float, Columns>(to, kBy4);
  esimd::block_store<float, Columns>(to, line, kBy4);
}

template <bool AlphaOne, bool BetaZero, int Columns>
inline void store_part_of_line(const FastArguments& g, float* to, esimd::simd<float, Columns> line,
                               esimd::simd_mask<Columns> inside) {
  const esimd::simd<uint32_t, Columns> offsets(0, 4);
  if constexpr (!AlphaOne) line *= g.alpha;
  if constexpr (!BetaZero) {
    const esimd::simd<float, Columns> none(0.0f);
    line += g.beta * esimd::gather<float, Columns>(to, offsets, inside, none);
  }
  esimd::scatter<float, Columns>(to, offsets, line, inside);
}

}  // namespace xeforge::kernels::fast
