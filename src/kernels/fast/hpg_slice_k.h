// SPDX-License-Identifier: Apache-2.0
//
// Xe-HPG: products with few rows, whose time is that of reading B once. The threads of a group compute the same tile of
// C, each for every WR-th trip of 32 steps of k (sliced k), so that many threads have loads under way; then they add up
// in local memory. A comes by rows, B by rows, by columns, or packed (kernels/gemm/arguments.h, units of 8 columns).
//
// Nothing lies outside of a matrix: rows of A and steps of B beyond are the last ones again, with zeros or not stored;
// of B by rows the last tile across is moved back until it is inside, and does not store what its neighbour stores.
#pragma once

#include "kernels/fast/hpg.h"

namespace xeforge::kernels::fast {

inline constexpr uint32_t kSliceSteps = 32;  ///< of a trip of the loop: two operands of 16

/// Addresses that move together: an addition of 64 bits for each load would be four instructions on Xe-HPG.
template <int N>
class Addresses {
 public:
  /// Those behind the `last` are the last one again.
  Addresses(uint64_t first, uint32_t pitch, uint32_t last) { begin(first, pitch, last); }

  void begin(uint64_t first, uint32_t pitch, uint32_t last) {
    esimd::simd<uint32_t, N> index(0, 1);
    index.merge(esimd::simd<uint32_t, N>(last), index > last);
    at_ = first + esimd::simd<uint64_t, N>(index * pitch);
  }

  uint64_t operator[](int i) { return at_[i]; }

  /// `piece`: so many times these elements behind the address.
  template <class T, int Elements, class Properties>
  esimd::simd<T, Elements> load(int i, Properties properties, int piece = 0) {
    const T* at = reinterpret_cast<const T*>(static_cast<uint64_t>(at_[i]));
    return esimd::block_load<T, Elements>(at + piece * Elements, properties);
  }

  void advance(uint32_t bytes) { at_ += bytes; }

 private:
  esimd::simd<uint64_t, N> at_;
};

/// `Each` words at each of the offsets, the first of all first; zeros where there is no lane.
template <int N, int Each>
inline esimd::simd<uint32_t, N> gather_words(uint64_t at, esimd::simd<uint32_t, N / Each> offsets,
                                             esimd::simd_mask<N / Each> lanes) {
  return esimd::gather<uint32_t, N, Each>(reinterpret_cast<const uint32_t*>(at), offsets, lanes,
                                          esimd::simd<uint32_t, N>(0u), kBy4);
}

/// Units of 8 rows of A.
template <class T, int R, int Slices>
class SliceOfA {
 public:
  SliceOfA(const FastArguments& g, uint32_t batch, uint32_t row, uint32_t slice)
      : rows_(g.a + batch * g.stride_a + int64_t(row) * g.lda * 2 + slice * (2 * kSliceSteps),
              static_cast<uint32_t>(g.lda) * 2, g.m - 1 - row) {}

  /// operands[h][i]: the h-th 16 steps of unit i.
  void load(esimd::simd<T, 128> (&operands)[2][R]) {
    // All are under way before the first is used.
    esimd::simd<T, 32> line[8 * R];
#pragma unroll
    for (int i = 0; i < 8 * R; ++i) line[i] = rows_.template load<T, 32>(i, kBy4);
    spread(operands, line);
    rows_.advance(2 * kSliceSteps * Slices);
  }

  /// Steps from `left` on are zeros.
  void load_last(esimd::simd<T, 128> (&operands)[2][R], uint32_t left) {
    esimd::simd<T, 32> line[8 * R];
    const esimd::simd<uint32_t, 16> word(0, 1);
#pragma unroll
    for (int i = 0; i < 8 * R; ++i) {
      esimd::simd<uint32_t, 16> words = gather_words<16, 1>(rows_[i], word * 4, word * 2 < left);
      line[i] = words.template bit_cast_view<T>();
    }
    spread(operands, line);
  }

 private:
  static void spread(esimd::simd<T, 128> (&operands)[2][R], esimd::simd<T, 32> (&line)[8 * R]) {
#pragma unroll
    for (int i = 0; i < 8 * R; ++i) {
      operands[0][i / 8].template select<16, 1>(16 * (i % 8)) = line[i].template select<16, 1>(0);
      operands[1][i / 8].template select<16, 1>(16 * (i % 8)) = line[i].template select<16, 1>(16);
    }
  }

  Addresses<8 * R> rows_;
};

/// Units of 8 columns of B, by rows.
template <class T, int C, int Slices>
class SliceOfRows {
 public:
  /// A tile that reaches beyond the matrix is moved back.
  static uint32_t first_column(const FastArguments& g, uint32_t column) {
    return column < g.n - 8 * C ? column : g.n - 8 * C;
  }

  SliceOfRows(const FastArguments& g, uint32_t batch, uint32_t column, uint32_t slice)
      : pitch_(static_cast<uint32_t>(g.ldb) * 2),
        rows_(g.b + batch * g.stride_b + (int64_t(slice * kSliceSteps) * g.ldb + column) * 2, pitch_, kSliceSteps) {}

  void load() {
#pragma unroll
    for (int i = 0; i < kSliceSteps; ++i) row_[i] = rows_.template load<uint16_t, 8 * C>(i, kBy4);
    rows_.advance(kSliceSteps * Slices * pitch_);
  }
  void load_last(uint32_t left) {
    rows_.begin(rows_[0], pitch_, left - 1);
    load();
#pragma unroll
    for (uint32_t i = 0; i < kSliceSteps; ++i) {
      if (i >= left) row_[i] = 0;
    }
  }

  esimd::simd<T, 128> operand(int half, int unit) {
    esimd::simd<uint16_t, 128> words;
#pragma unroll
    for (int w = 0; w < 8; ++w) {
      words.template select<8, 2>(16 * w) = row_[16 * half + 2 * w].template select<8, 1>(8 * unit);
      words.template select<8, 2>(16 * w + 1) = row_[16 * half + 2 * w + 1].template select<8, 1>(8 * unit);
    }
    return words.template bit_cast_view<T>();
  }

 private:
  uint32_t pitch_;
  Addresses<kSliceSteps> rows_;
  esimd::simd<uint16_t, 8 * C> row_[kSliceSteps];
};

/// Units of 8 columns of B, packed. Behind the last step there are zeros.
template <class T, int C, int Slices>
class SliceOfPacked {
 public:
  /// Units beyond the matrix are the last one again.
  static uint32_t first_column(const FastArguments&, uint32_t column) { return column; }

  SliceOfPacked(const FastArguments& g, uint32_t batch, uint32_t column, uint32_t slice)
      : units_(g.b + batch * g.stride_b + int64_t(column / 8) * g.ldb + slice * (2 * kOperand),
               static_cast<uint32_t>(g.ldb), (g.n - 1) / 8 - column / 8) {}

  void load() {
#pragma unroll
    for (int i = 0; i < 2 * C; ++i) operands_[i / C][i % C] = units_.template load<T, 128>(i % C, kBy16, i / C);
    units_.advance(2 * kOperand * Slices);
  }
  void load_last(uint32_t) { load(); }

  esimd::simd<T, 128> operand(int half, int unit) { return operands_[half][unit]; }

 private:
  Addresses<C> units_;
  esimd::simd<T, 128> operands_[2][C];
};

/// Units of 8 columns of B, by columns (as the weights of a layer often are): eight words of each column are an
/// operand.
template <class T, int C, int Slices>
class SliceOfColumns {
 public:
  /// Columns beyond the matrix are the last one again.
  static uint32_t first_column(const FastArguments&, uint32_t column) { return column; }

  SliceOfColumns(const FastArguments& g, uint32_t batch, uint32_t column, uint32_t slice)
      : at_(g.b + batch * g.stride_b + (int64_t(column) * g.ldb + slice * kSliceSteps) * 2) {
    esimd::simd<uint32_t, 8 * C> columns(0, 1);
    const uint32_t last = g.n - 1 - column;
    columns.merge(esimd::simd<uint32_t, 8 * C>(last), columns > last);
    offsets_ = columns * (static_cast<uint32_t>(g.ldb) * 2);
  }

  void load() {
#pragma unroll
    for (int i = 0; i < 2 * C; ++i)
      operands_[i / C][i % C] = gather_words<64, 8>(at_ + i / C * 32, offsets_of(i % C), 1);
    at_ += 2 * kSliceSteps * Slices;
  }
  void load_last(uint32_t left) {
#pragma unroll
    for (uint32_t i = 0; i < 16 * C; ++i) {
      const uint32_t word = i / C;
      operands_[word / 8][i % C].template select<8, 1>(word % 8 * 8) =
          gather_words<8, 1>(at_ + word * 4, offsets_of(i % C), esimd::simd_mask<8>(2 * word < left));
    }
  }

  esimd::simd<T, 128> operand(int half, int unit) { return operands_[half][unit].template bit_cast_view<T>(); }

 private:
  esimd::simd<uint32_t, 8> offsets_of(int unit) { return offsets_.template select<8, 1>(8 * unit); }

  uint64_t at_;
  esimd::simd<uint32_t, 8 * C> offsets_;
  esimd::simd<uint32_t, 64> operands_[2][C];
};

template <class T, int R, int C, class SliceOfB>
inline void multiply_trip(esimd::simd<float, 64> (&sum)[R][C], const esimd::simd<T, 128> (&a)[2][R], SliceOfB& b) {
#pragma unroll
  for (int half = 0; half < 2; ++half) {
#pragma unroll
    for (int j = 0; j < C; ++j) {
      const esimd::simd<T, 128> operand = b.operand(half, j);
#pragma unroll
      for (int i = 0; i < R; ++i) sum[i][j] = esimd::xmx::dpas<8, 8, float>(sum[i][j], operand, a[half][i]);
    }
  }
}

template <class T, template <class, int, int> class SliceOfB, int R, int C, int Slices>
inline void multiply_slice(const FastArguments& g, uint32_t batch, uint32_t row, uint32_t column, uint32_t slice,
                           esimd::simd<float, 64> (&sum)[R][C]) {
  SliceOfA<T, R, Slices> a(g, batch, row, slice);
  SliceOfB<T, C, Slices> b(g, batch, column, slice);
  esimd::simd<T, 128> operands[2][R];
  const uint32_t trips = g.k / kSliceSteps, left = g.k % kSliceSteps;
  for (uint32_t trip = slice; trip < trips; trip += Slices) {
    b.load();
    a.load(operands);
    multiply_trip<T>(sum, operands, b);
  }
  if (left != 0 && trips % Slices == slice) {
    b.load_last(left);
    a.load_last(operands, left);
    multiply_trip<T>(sum, operands, b);
  }
}

template <class T, template <class, int, int> class SliceOfB, int R, int C, int Slices, int WC, int Distance,
          bool ColumnsOuter, bool AlphaOne, bool BetaZero>
inline void hpg_slice_k(const FastArguments& g) {
  static_assert(Distance == 0);
  // A thread adds up this many rows of one unit.
  constexpr int kRows = 8 * R * C / Slices;
  static_assert(kRows * Slices == 8 * R * C && kRows >= 1 && kRows <= 8);
  constexpr uint32_t kTile = 256 * R * C;  // bytes of a thread's sums
  esimd::slm_init<kTile * Slices * WC>();
  const Place<ColumnsOuter, Slices, WC> at;
  const uint32_t slice = at.row % Slices, row = at.row / Slices * (8 * R);
  const uint32_t last_column = (g.n - 1) / (8 * C);
  const uint32_t column = (at.column < last_column ? at.column : last_column) * (8 * C);
  const uint32_t column0 = SliceOfB<T, C, Slices>::first_column(g, column);
  esimd::simd<float, 64> sum[R][C];
  clear(sum);
  multiply_slice<T, SliceOfB, R, C, Slices>(g, at.batch, row, column0, slice, sum);
  const uint32_t tiles = at.column % WC * (kTile * Slices);
#pragma unroll
  for (int i = 0; i < R; ++i) {
#pragma unroll
    for (int j = 0; j < C; ++j)
      esimd::slm_block_store<float, 64>(tiles + slice * kTile + 256 * (i * C + j), sum[i][j], kBy16);
  }
  esimd::barrier();
  if (at.column > last_column) return;
  esimd::simd<float, 8 * kRows> total(0.0f);
#pragma unroll
  for (uint32_t s = 0; s < Slices; ++s)
    total += esimd::slm_block_load<float, 8 * kRows>(tiles + s * kTile + slice * (32 * kRows), kBy16);
  const uint32_t unit = slice * kRows / 8, columns = unit % C * 8;
  uint32_t stored_row = row + unit / C * 8 + slice * kRows % 8;
  float* to = c_of(g, at.batch, stored_row, column0 + columns);
#pragma unroll
  for (int r = 0; r < kRows; ++r, ++stored_row, to += g.ldc) {
    if (stored_row >= g.m) continue;
    const esimd::simd<float, 8> line = total.template select<8, 1>(8 * r);
    const uint32_t begin = column - column0, end = g.n - column0;
    if (begin <= columns && columns + 8 <= end) {
      store_line<AlphaOne, BetaZero, 8>(g, to, line);
    } else {
      const esimd::simd<uint32_t, 8> at_column(columns, 1);
      store_part_of_line<AlphaOne, BetaZero, 8>(g, to, line, (at_column >= begin) & (at_column < end));
    }
  }
}

}  // namespace xeforge::kernels::fast

#define XEFORGE_HPG_SLICE_K(NAME, T, R, C, SLICES, WC, AHEAD, COLUMNS_OUTER, ALPHA_ONE, BETA_ZERO)            \
  XEFORGE_KERNEL(3, XEFORGE_LARGE_GRF) SYCL_ESIMD_KERNEL NAME(FastArguments g) {                              \
    fast::hpg_slice_k<T, fast::SliceOfRows, R, C, SLICES, WC, AHEAD, COLUMNS_OUTER, ALPHA_ONE, BETA_ZERO>(g); \
  }
#define XEFORGE_HPG_SLICE_K_COLUMNS(NAME, T, R, C, SLICES, WC, AHEAD, COLUMNS_OUTER, ALPHA_ONE, BETA_ZERO)       \
  XEFORGE_KERNEL(3, XEFORGE_LARGE_GRF) SYCL_ESIMD_KERNEL NAME(FastArguments g) {                                 \
    fast::hpg_slice_k<T, fast::SliceOfColumns, R, C, SLICES, WC, AHEAD, COLUMNS_OUTER, ALPHA_ONE, BETA_ZERO>(g); \
  }
#define XEFORGE_HPG_SLICE_K_PACKED(NAME, T, R, C, SLICES, WC, AHEAD, COLUMNS_OUTER, ALPHA_ONE, BETA_ZERO)       \
  XEFORGE_KERNEL(3, XEFORGE_LARGE_GRF) SYCL_ESIMD_KERNEL NAME(FastArguments g) {                                \
    fast::hpg_slice_k<T, fast::SliceOfPacked, R, C, SLICES, WC, AHEAD, COLUMNS_OUTER, ALPHA_ONE, BETA_ZERO>(g); \
  }
