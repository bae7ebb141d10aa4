// SPDX-License-Identifier: Apache-2.0
//
// Xe2: matrices by rows, straight from memory by 2D block messages: one brings R * 8 rows of 32 steps of A as operands,
// one 32 rows of 32 columns of B and makes words of two rows on the way. Nothing is packed, nothing is special at the
// edges: what lies outside of a matrix is read as zero and is not stored.
//
// Per 32 steps of k a thread of R x C units (8 rows, 16 columns) sends 1 + C / 2 loads for 2 * R * C dpas, and the
// group asks for what it needs `Ahead` trips later in messages of 8 rows that are dealt out evenly.
#pragma once

#include <sycl/ext/intel/experimental/esimd/memory.hpp>

#include "kernels/fast/place.h"

namespace xeforge::kernels::fast {

namespace exp = sycl::ext::intel::experimental::esimd;

/// Widths and pitches of the messages are in bytes less one, heights in rows less one.
template <class T>
struct Surface {
  uint64_t base;
  uint32_t width, height, pitch;

  Surface(uint64_t address, uint32_t columns, uint32_t rows, int64_t row_pitch)
      : base(address),
        width(columns * sizeof(T) - 1),
        height(rows - 1),
        pitch(static_cast<uint32_t>(row_pitch) * sizeof(T) - 1) {}

  template <int Width, int Height, int Blocks>
  exp::config_2d_mem_access<T, Width, Height, Blocks> block(uint32_t x, uint32_t y) const {
    return {reinterpret_cast<const T*>(base), width, height, pitch, static_cast<int32_t>(x), static_cast<int32_t>(y)};
  }
};

/// A thread's share of asking for the group's tiles of 32 steps.
template <int R, int C, int WR, int WC>
struct Prefetch {
  static constexpr int kThreads = WR * WC;
  static constexpr int kRowsA = 8 * R * WR, kPiecesA = kRowsA / kThreads;           ///< rows of 32 steps for each
  static constexpr int kStrips = 16 * C * WC / 32, kPerStrip = kThreads / kStrips;  ///< of 32 columns; threads for each
  static constexpr int kRowsB = 32 / (kPerStrip == 0 ? 1 : kPerStrip);
  static_assert(kRowsA % kThreads == 0 && kThreads % kStrips == 0 && kPerStrip <= 32 && kPiecesA <= 32);

  exp::config_2d_mem_access<uint16_t, 32, kPiecesA, 1> a;
  exp::config_2d_mem_access<uint16_t, 32, kRowsB, 1> b;

  Prefetch(const Surface<uint16_t>& from_a, const Surface<uint16_t>& from_b, uint32_t group_row, uint32_t group_column,
           uint32_t thread, uint32_t k)
      : a(from_a.block<32, kPiecesA, 1>(k, group_row + thread * kPiecesA)),
        b(from_b.block<32, kRowsB, 1>(group_column + thread / kPerStrip * 32, k + thread % kPerStrip * kRowsB)) {}

  void next() {
    constexpr auto kKept = esimd::cache_hint::cached;
    exp::lsc_prefetch_2d<uint16_t, 32, kPiecesA, 1, false, false, kKept, kKept>(a);
    exp::lsc_prefetch_2d<uint16_t, 32, kRowsB, 1, false, false, kKept, kKept>(b);
    a.set_x(a.get_x() + 32);
    b.set_y(b.get_y() + 32);
  }
};

template <class T, int R, int C, int WR, int WC, int Ahead, bool ColumnsOuter, bool AlphaOne, bool BetaZero>
inline void xe2_rows(const FastArguments& g) {
  static_assert(C % 2 == 0 && R <= 4);
  const Place<ColumnsOuter, WR, WC> at;
  const uint32_t row = at.row * (8 * R), column = at.column * (16 * C);
  const Surface<uint16_t> from_a(g.a + at.batch * g.stride_a, g.k, g.m, g.lda),
      from_b(g.b + at.batch * g.stride_b, g.n, g.k, g.ldb);
  auto left = from_a.template block<16, 8 * R, 2>(0, row);
  auto right = from_b.template block<16, 32, 2>(column, 0);

  esimd::simd<float, 128> sum[R][C];
  clear(sum);
  const uint32_t thread = at.row % WR * WC + at.column % WC;
  Prefetch<R, C, WR, WC> prefetch(from_a, from_b, (at.row - at.row % WR) * (8 * R),
                                  (at.column - at.column % WC) * (16 * C), thread, 0);
  if constexpr (Ahead > 0) {
#pragma unroll
    for (int i = 0; i < Ahead; ++i) prefetch.next();
  }
  for (uint32_t k = 0; k < g.k; k += 32) {
    if constexpr (Ahead > 0) prefetch.next();
    esimd::simd<uint16_t, 256 * R> a = exp::lsc_load_2d<uint16_t, 16, 8 * R, 2>(left);
    esimd::simd<uint16_t, 1024> b[C / 2];
#pragma unroll
    for (int j = 0; j < C / 2; ++j) {
      right.set_x(column + 32 * j);
      b[j] = exp::lsc_load_2d<uint16_t, 16, 32, 2, false, true>(right);
    }
    left.set_x(k + 32);
    right.set_y(k + 32);
#pragma unroll
    for (int step = 0; step < 2; ++step) {
#pragma unroll
      for (int j = 0; j < C; ++j) {
        esimd::simd<uint16_t, 256> columns = b[j / 2].template select<256, 1>(512 * (j % 2) + 256 * step);
        esimd::simd<T, 256> operand = columns.template bit_cast_view<T>();
#pragma unroll
        for (int i = 0; i < R; ++i) {
          esimd::simd<uint16_t, 128> rows = a.template select<128, 1>(128 * R * step + 128 * i);
          esimd::simd<T, 128> other = rows.template bit_cast_view<T>();
          sum[i][j] = esimd::xmx::dpas<8, 8, float>(sum[i][j], operand, other);
        }
      }
    }
  }

  const Surface<float> to(g.c + at.batch * g.stride_c, g.n, g.m, g.ldc);
  auto place = to.template block<16, 8, 1>(column, row);
#pragma unroll
  for (int i = 0; i < R; ++i) {
    place.set_y(row + 8 * i);
#pragma unroll
    for (int j = 0; j < C; ++j) {
      place.set_x(column + 16 * j);
      if constexpr (!AlphaOne) sum[i][j] *= g.alpha;
      if constexpr (!BetaZero) sum[i][j] += g.beta * exp::lsc_load_2d<float, 16, 8>(place);
      exp::lsc_store_2d<float, 16, 8>(place, sum[i][j]);
    }
  }
}

}  // namespace xeforge::kernels::fast

#define XEFORGE_XE2_ROWS(NAME, T, R, C, WR, WC, AHEAD, COLUMNS_OUTER, ALPHA_ONE, BETA_ZERO) \
  XEFORGE_KERNEL(3, XEFORGE_LARGE_GRF) SYCL_ESIMD_KERNEL NAME(FastArguments g) {            \
    fast::xe2_rows<T, R, C, WR, WC, AHEAD, COLUMNS_OUTER, ALPHA_ONE, BETA_ZERO>(g);         \
  }
