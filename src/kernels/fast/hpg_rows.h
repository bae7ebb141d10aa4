// SPDX-License-Identifier: Apache-2.0
//
// Xe-HPG: a product of matrices by rows, as they are: what a launch that packs would cost is more than what most
// products take. A goes straight into registers, a message for each row of 32 steps (a line of the cache, used whole).
// Of B the threads of a column of threads bring 32 steps into local memory together, as words of two rows.
//
// Nothing lies outside of a matrix: the last tile down or across is moved back until it is inside, and does not store
// what its neighbour stores; so are the last 32 steps, whose elements that were counted before are zeroed.
#pragma once

#include "kernels/fast/hpg.h"

namespace xeforge::kernels::fast {

inline constexpr uint32_t kSteps = 32;  ///< of a trip of the loop

/// This thread's half of the rows of A.
template <class T, bool Wide, int R>
class RowsOfA {
 public:
  RowsOfA(uint64_t matrix, int64_t lda, uint32_t row, uint32_t half) : at_(matrix + int64_t(row) * lda * 2) {
    offsets_ = 0u;
#pragma unroll
    for (uint32_t i = 0; i < 4 * R; ++i)
      offsets_[2 * i] = static_cast<uint32_t>(lda) * 2 * (8 * (i / 4) + i % 4 + 4 * half);
  }

  /// The first `counted` steps are zeros.
  void load(esimd::simd<T, 64> (&first)[R], esimd::simd<T, 64> (&second)[R], uint32_t counted) {
    if (counted != 0) at_.advance(-2 * static_cast<int32_t>(counted));
    // All are under way before the first is used.
    esimd::simd<T, 32> line[4 * R];
#pragma unroll
    for (int i = 0; i < 4 * R; ++i) line[i] = at_.template load<T, 32>(offsets_.template select<2, 1>(2 * i), kBy4);
#pragma unroll
    for (int i = 0; i < 4 * R; ++i) {
      first[i / 4].template select<16, 1>(16 * (i % 4)) = line[i].template select<16, 1>(0);
      second[i / 4].template select<16, 1>(16 * (i % 4)) = line[i].template select<16, 1>(16);
    }
    at_.advance(2 * kSteps);
    if (counted == 0) return;
    const esimd::simd<uint16_t, 16> step(0, 1);
#pragma unroll
    for (int i = 0; i < R; ++i) {
#pragma unroll
      for (int r = 0; r < 4; ++r) {
        first[i].template bit_cast_view<uint16_t>().template select<16, 1>(16 * r).merge(
            esimd::simd<uint16_t, 16>(0), step < static_cast<uint16_t>(counted));
        second[i].template bit_cast_view<uint16_t>().template select<16, 1>(16 * r).merge(
            esimd::simd<uint16_t, 16>(0), step + 16 < static_cast<uint16_t>(counted));
      }
    }
  }

 private:
  Address<Wide> at_;
  esimd::simd<uint32_t, 8 * R> offsets_;
};

/// A thread's share of 32 steps of a column of threads: 32 / WR rows.
template <bool Wide, int C, int WR>
class ShareOfB {
 public:
  static constexpr int kRows = kSteps / WR, kWords = kRows / 2;
  static constexpr int kBytes = 2 * C * kOperand;  ///< of the column's tile in local memory: [step][unit][word][column]
  static_assert(kRows >= 2 && kWords <= 8);

  ShareOfB(uint64_t matrix, int64_t ldb, uint32_t column, uint32_t row_of_group)
      : at_(matrix + (int64_t(row_of_group * kRows) * ldb + column) * 2),
        ldb_(static_cast<uint32_t>(ldb)),
        first_row_(row_of_group * kRows) {
    const uint32_t word = row_of_group * kWords;
    place_ = word / 8 * (C * kOperand) + word % 8 * 32;
    offsets_ = 0u;
#pragma unroll
    for (uint32_t i = 0; i < kRows; ++i) offsets_[2 * i] = ldb_ * 2 * i;
  }

  void load(uint32_t counted) {
    if (counted != 0) at_.advance(-2 * static_cast<int32_t>(counted * ldb_));
#pragma unroll
    for (int i = 0; i < kRows; ++i)
      row_[i] = at_.template load<uint16_t, 8 * C>(offsets_.template select<2, 1>(2 * i), kBy4);
    at_.advance(2 * kSteps * ldb_);
    if (counted == 0) return;
#pragma unroll
    for (uint32_t i = 0; i < kRows; ++i) {
      if (first_row_ + i < counted) row_[i] = 0;
    }
  }

  void store(uint32_t tile) {
#pragma unroll
    for (int j = 0; j < C; ++j) {
      esimd::simd<uint16_t, 16 * kWords> words;
#pragma unroll
      for (int w = 0; w < kWords; ++w) {
        words.template select<8, 2>(16 * w) = row_[2 * w].template select<8, 1>(8 * j);
        words.template select<8, 2>(16 * w + 1) = row_[2 * w + 1].template select<8, 1>(8 * j);
      }
      esimd::simd<uint32_t, 8 * kWords> whole = words.template bit_cast_view<uint32_t>();
      esimd::slm_block_store<uint32_t, 8 * kWords>(tile + place_ + j * kOperand, whole, kBy16);
    }
  }

 private:
  Address<Wide> at_;
  uint32_t ldb_, first_row_, place_;
  esimd::simd<uint32_t, 2 * kRows> offsets_;
  esimd::simd<uint16_t, 8 * C> row_[kRows];
};

template <bool Wide, class T, int R, int C, int WR, int WC>
inline void multiply_rows(const FastArguments& g, uint32_t batch, uint32_t row, uint32_t column, uint32_t row_of_group,
                          uint32_t column_of_group, esimd::simd<float, 64> (&sum)[R][C]) {
  using Share = ShareOfB<Wide, C, WR>;
  RowsOfA<T, Wide, R> rows(g.a + batch * g.stride_a, g.lda, row, column_of_group & 1);
  Share share(g.b + batch * g.stride_b, g.ldb, column, row_of_group);
  const uint32_t counted = (kSteps - g.k % kSteps) % kSteps;
  uint32_t tile = column_of_group * Share::kBytes, other = tile + WC * Share::kBytes;
  uint32_t trips = (g.k + kSteps - 1) / kSteps;
  share.load(trips == 1 ? counted : 0);
  share.store(tile);
  esimd::barrier();
  for (; trips != 0; --trips) {
    esimd::simd<T, 64> first[R], second[R];
    if (trips > 1) share.load(trips == 2 ? counted : 0);
    rows.load(first, second, trips == 1 ? counted : 0);
#pragma unroll
    for (int j = 0; j < C; ++j) multiply(sum, j, esimd::slm_block_load<T, 128>(tile + j * kOperand, kBy16), first);
#pragma unroll
    for (int j = 0; j < C; ++j)
      multiply(sum, j, esimd::slm_block_load<T, 128>(tile + (C + j) * kOperand, kBy16), second);
    if (trips > 1) share.store(other);
    const uint32_t next = other;
    other = tile;
    tile = next;
    esimd::barrier();
  }
}

template <class T, int R, int C, int WR, int WC, int Distance, bool ColumnsOuter, bool AlphaOne, bool BetaZero>
inline void hpg_rows(const FastArguments& g) {
  static_assert(Distance == 0);
  esimd::slm_init<2 * WC * ShareOfB<false, C, WR>::kBytes>();
  const Place<ColumnsOuter, WR, WC> at;
  // Threads outside of the matrix share the work, compute what the last one inside does, and store nothing.
  const uint32_t last_row = (g.m - 1) / (8 * R), last_column = (g.n - 1) / (8 * C);
  const uint32_t row = (at.row < last_row ? at.row : last_row) * (8 * R),
                 column = (at.column < last_column ? at.column : last_column) * (8 * C);
  const uint32_t row0 = row < g.m - 8 * R ? row : g.m - 8 * R, column0 = column < g.n - 8 * C ? column : g.n - 8 * C;
  esimd::simd<float, 64> sum[R][C];
  clear(sum);
  const uint32_t row_of_group = at.row % WR, column_of_group = at.column % WC;
  // The same for all threads of a group.
  if (crosses(g.a, g.stride_a, g.batch, 2 * g.lda * g.m) || crosses(g.b, g.stride_b, g.batch, 2 * g.ldb * g.k)) {
    multiply_rows<true, T, R, C, WR, WC>(g, at.batch, row0, column0, row_of_group, column_of_group, sum);
  } else {
    multiply_rows<false, T, R, C, WR, WC>(g, at.batch, row0, column0, row_of_group, column_of_group, sum);
  }
  if (at.row > last_row || at.column > last_column) return;
  store_tile<AlphaOne, BetaZero>(g, c_of(g, at.batch, row0, column0), {row - row0, 8 * R, column - column0, 8 * C},
                                 sum);
}

}  // namespace xeforge::kernels::fast

#define XEFORGE_HPG_ROWS(NAME, T, R, C, WR, WC, AHEAD, COLUMNS_OUTER, ALPHA_ONE, BETA_ZERO) \
  XEFORGE_KERNEL(3, XEFORGE_LARGE_GRF) SYCL_ESIMD_KERNEL NAME(FastArguments g) {            \
    fast::hpg_rows<T, R, C, WR, WC, AHEAD, COLUMNS_OUTER, ALPHA_ONE, BETA_ZERO>(g);         \
  }
