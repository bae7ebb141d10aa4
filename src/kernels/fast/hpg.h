// SPDX-License-Identifier: Apache-2.0
//
// What the kernels for Xe-HPG share: dpasw of a fused pair, the store of C.
#pragma once

#include "kernels/fast/place.h"

namespace xeforge::kernels::fast {

inline constexpr int kOperand = 256;  ///< bytes: 8 rows (columns) of 16 steps

/// All units of rows times the unit `j` of columns. Neighbouring threads of a group along the columns are a fused pair:
/// they have the same rows, and of each unit of A the one holds the first four rows, the other the last.
template <class T, int R, int C>
inline void multiply(esimd::simd<float, 64> (&sum)[R][C], int j, const esimd::simd<T, 128>& b,
                     const esimd::simd<T, 64> (&a)[R]) {
#pragma unroll
  for (int i = 0; i < R; ++i) sum[i][j] = esimd::xmx::dpasw<8, 8, float>(sum[i][j], b, a[i]);
}

/// Of a tile, what is stored; ends may lie behind the tile.
struct Window {
  uint32_t row_begin, row_end, column_begin, column_end;
};

inline float* c_of(const FastArguments& g, uint32_t batch, uint32_t row, uint32_t column) {
  const uint64_t matrix = g.c + batch * g.stride_c;
  return reinterpret_cast<float*>(matrix) + int64_t(row) * g.ldc + column;
}

template <bool AlphaOne, bool BetaZero, int R, int C>
inline void store_tile(const FastArguments& g, float* to, Window window, esimd::simd<float, 64> (&sum)[R][C]) {
  if (window.column_begin == 0 && window.column_end >= 8 * C) {
#pragma unroll
    for (uint32_t i = 0; i < 8 * R; ++i) {
      if (i >= window.row_begin && i < window.row_end) {
        esimd::simd<float, 8 * C> line;
#pragma unroll
        for (int j = 0; j < C; ++j)
          line.template select<8, 1>(8 * j) = sum[i / 8][j].template select<8, 1>(8 * (i % 8));
        store_line<AlphaOne, BetaZero, 8 * C>(g, to, line);
      }
      to += g.ldc;
    }
    return;
  }
#pragma unroll
  for (uint32_t i = 0; i < 8 * R; ++i) {
    if (i >= window.row_begin && i < window.row_end) {
#pragma unroll
      for (uint32_t j = 0; j < C; ++j) {
        if (8 * j < window.column_end && 8 * j + 8 > window.column_begin) {
          const esimd::simd<float, 8> line = sum[i / 8][j].template select<8, 1>(8 * (i % 8));
          const esimd::simd<uint32_t, 8> column(8 * j, 1);
          store_part_of_line<AlphaOne, BetaZero, 8>(g, to + 8 * j, line,
                                                    (column >= window.column_begin) & (column < window.column_end));
        }
      }
    }
    to += g.ldc;
  }
}

/// Whether an operand of a batch crosses a multiple of 4 GiB; `bytes`: of one matrix.
inline bool crosses(uint64_t from, int64_t stride, uint32_t matrices, int64_t bytes) {
  const uint64_t last = from + stride * (matrices - 1) + bytes - 1;
  return (from ^ last) >> 32 != 0;
}

}  // namespace xeforge::kernels::fast
