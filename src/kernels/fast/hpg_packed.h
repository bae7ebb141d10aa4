// SPDX-License-Identifier: Apache-2.0
//
// Xe-HPG: a product of packed operands (kernels/gemm/arguments.h, units of 8 rows and of 8 columns) straight from
// memory into registers, without local memory and barriers. The two threads of a fused pair compute the same rows and
// neighbouring columns: dpasw takes half of each operand of A from either, so that each loads half of A.
//
// Per 16 steps of k a thread of R x C units sends R messages of 128 bytes and C of 256 bytes for R * C dpasw: 32x32 has
// 0.5 messages a dpasw and 96 bytes. A group of local memory would move the same bytes twice more, and the first cache
// keeps what the threads of a core share (docs/performance.md).
#pragma once

#include "kernels/fast/hpg.h"

namespace xeforge::kernels::fast {

template <class T, int R, int C>
struct PackedOperands {
  esimd::simd<T, 64> a[R];  ///< this thread's four rows of each unit
  esimd::simd<T, 128> b[C];
};

/// Where a thread's operands lie: a unit's place is an offset that does not change.
template <bool Wide, int R, int C>
struct PackedSource {
  Address<Wide> a, b;
  esimd::simd<uint32_t, 2 * R> units_a;
  esimd::simd<uint32_t, 2 * C> units_b;

  /// A unit beyond the matrix is the last one again: its sums are not stored.
  PackedSource(const FastArguments& g, uint32_t batch, uint32_t row, uint32_t column, uint32_t half)
      : a(g.a + batch * g.stride_a + int64_t(row) * R * g.lda + half * (kOperand / 2)),
        b(g.b + batch * g.stride_b + int64_t(column) * C * g.ldb) {
    const uint32_t last_a = (g.m - 1) / 8 - row * R, last_b = (g.n - 1) / 8 - column * C;
    units_a = 0u;
    units_b = 0u;
#pragma unroll
    for (uint32_t i = 0; i < R; ++i) units_a[2 * i] = static_cast<uint32_t>(g.lda) * (i < last_a ? i : last_a);
#pragma unroll
    for (uint32_t j = 0; j < C; ++j) units_b[2 * j] = static_cast<uint32_t>(g.ldb) * (j < last_b ? j : last_b);
  }

  template <class T>
  void load(PackedOperands<T, R, C>& to) {
#pragma unroll
    for (int i = 0; i < R; ++i) to.a[i] = a.template load<T, 64>(units_a.template select<2, 1>(2 * i), kBy16);
#pragma unroll
    for (int j = 0; j < C; ++j) to.b[j] = b.template load<T, 128>(units_b.template select<2, 1>(2 * j), kBy16);
    a.advance(kOperand);
    b.advance(kOperand);
  }
};

template <bool Wide, class T, int R, int C>
inline void multiply_steps(const FastArguments& g, uint32_t batch, uint32_t row, uint32_t column, uint32_t half,
                           esimd::simd<float, 64> (&sum)[R][C]) {
  PackedSource<Wide, R, C> source(g, batch, row, column, half);
  for (uint32_t step = 0; step < g.k; ++step) {
    PackedOperands<T, R, C> operands;
    source.load(operands);
#pragma unroll
    for (int j = 0; j < C; ++j) multiply(sum, j, operands.b[j], operands.a);
  }
}

template <class T, int R, int C, int WR, int WC, int Distance, bool ColumnsOuter, bool AlphaOne, bool BetaZero>
inline void hpg_packed(const FastArguments& g) {
  static_assert(Distance == 0);
  const Place<ColumnsOuter, WR, WC> at;
  // Threads of a pair stay together as long as they multiply: one outside of the matrix does what the last one inside
  // does, and stores nothing.
  const uint32_t last_row = (g.m - 1) / (8 * R), last_column = (g.n - 1) / (8 * C);
  const uint32_t row = at.row < last_row ? at.row : last_row,
                 column = at.column < last_column ? at.column : last_column;
  esimd::simd<float, 64> sum[R][C];
  clear(sum);
  // The same for all threads, so that pairs stay together.
  if (crosses(g.a, g.stride_a, g.batch, (g.m + 7) / 8 * g.lda) ||
      crosses(g.b, g.stride_b, g.batch, (g.n + 7) / 8 * g.ldb)) {
    multiply_steps<true, T, R, C>(g, at.batch, row, column, at.column & 1, sum);
  } else {
    multiply_steps<false, T, R, C>(g, at.batch, row, column, at.column & 1, sum);
  }
  if (at.row > last_row || at.column > last_column) return;
  const uint32_t row0 = row * (8 * R), column0 = column * (8 * C);
  store_tile<AlphaOne, BetaZero>(g, c_of(g, at.batch, row0, column0), {0, g.m - row0, 0, g.n - column0}, sum);
}

}  // namespace xeforge::kernels::fast

#define XEFORGE_HPG_PACKED(NAME, T, R, C, WR, WC, AHEAD, COLUMNS_OUTER, ALPHA_ONE, BETA_ZERO) \
  XEFORGE_KERNEL(3, XEFORGE_LARGE_GRF) SYCL_ESIMD_KERNEL NAME(FastArguments g) {              \
    fast::hpg_packed<T, R, C, WR, WC, AHEAD, COLUMNS_OUTER, ALPHA_ONE, BETA_ZERO>(g);         \
  }
