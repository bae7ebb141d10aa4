// SPDX-License-Identifier: Apache-2.0
//
// Tiles kept in shared local memory as they lie in global memory: A [128][K tile] bf16, B [K tile / 2][64] words.
// One buffer is A followed by B; with K tiles of 32 that is 8192 + 4096 bytes.
#pragma once

#include "kernels/esimd/tile.h"

namespace xeforge::kernels {

template <int Columns, int TileK = 32>
struct RowMajorSlm {
  using At = Place<Columns>;
  using Operands = EsimdOperands<Columns, TileK / 16>;
  static constexpr int kRowA = TileK * 2, kRowB = kBlockN * 4;  ///< bytes
  static constexpr int kOffsetB = kBlockM * kRowA;
  static constexpr int kBuffer = kOffsetB + TileK / 2 * kRowB;

  /// A thread copies kBlockM / threads whole rows of A, one message each.
  static void fill_a(const EsimdArguments& g, const At& at, uint32_t buffer, uint32_t tile) {
    constexpr int rows = kBlockM / At::kThreads;
    const bf16* from = g.a + (at.group_row * kBlockM + at.lid * rows) * g.shape.k + tile * TileK;
#pragma unroll
    for (int i = 0; i < rows; ++i) {
      const auto line = esimd::block_load<bf16, TileK>(from + i * g.shape.k, kAligned);
      esimd::slm_block_store<bf16, TileK>(buffer * kBuffer + (at.lid * rows + i) * kRowA, line, kAligned);
    }
  }

  /// A thread copies one piece of a row of words of B.
  static void fill_b(const EsimdArguments& g, const At& at, uint32_t buffer, uint32_t tile) {
    constexpr int words = TileK / 2 * kBlockN / At::kThreads, pieces = kBlockN / words;
    const uint32_t row = at.lid / pieces, piece = at.lid % pieces;
    const uint32_t* from = g.b + (tile * (TileK / 2) + row) * g.shape.n + at.group_column * kBlockN + piece * words;
    const auto line = esimd::block_load<uint32_t, words>(from, kAligned);
    esimd::slm_block_store<uint32_t, words>(buffer * kBuffer + kOffsetB + row * kRowB + piece * words * 4, line,
                                            kAligned);
  }

  static void fill(const EsimdArguments& g, const At& at, uint32_t buffer, uint32_t tile) {
    fill_a(g, at, buffer, tile);
    fill_b(g, at, buffer, tile);
  }

  /// Operands in messages of 32 bytes: one row of one operand each.
  static void load_rows(Operands& operands, const At& at, uint32_t buffer) {
    constexpr int steps = TileK / 16;
    const uint32_t a = buffer * kBuffer + at.row * 16 * kRowA;
    const uint32_t b = buffer * kBuffer + kOffsetB + at.column * (32 * Columns);
#pragma unroll
    for (int o = 0; o < 2 * steps; ++o) {
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        operands.a[o].template select<16, 1>(16 * i) =
            esimd::slm_block_load<bf16, 16>(a + (8 * (o / steps) + i) * kRowA + o % steps * 32, kAligned);
      }
    }
#pragma unroll
    for (int o = 0; o < Columns * steps; ++o) {
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        operands.b[o].template select<16, 1>(16 * i) =
            esimd::slm_block_load<bf16, 16>(b + (8 * (o % steps) + i) * kRowB + o / steps * 32, kAligned);
      }
    }
  }
};

}  // namespace xeforge::kernels
