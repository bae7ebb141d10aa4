// SPDX-License-Identifier: Apache-2.0
//
// Tiles kept in shared local memory as operands of the matrix engine, so that an operand is one message of 256 bytes
// and needs no selects. K tiles of 32 steps.
//
// A: host-packed [M/128][K/32][8 thread rows][4 operands][8][16] (gemm/packing.h), copied as it is: operand o of a
// thread row is 256 bytes at thread row * 1024 + o * 256.
// B: segments of one operand per thread column; segment = Columns * k half + column half (for 16x16: b0, b2, b1, b3);
// an operand is 256 bytes at segment * (thread columns * 256) + thread column * 256, packed row r at (r % 8) * 32.
#pragma once

#include "kernels/esimd/tile.h"

namespace xeforge::kernels {

inline constexpr int kTileK = 32, kOperandBytes = 256, kOperandElements = 128;
inline constexpr int kPackedTileA = kBlockM * kTileK;  ///< elements of a group's packed A per K tile

/// Elements from the start of packed A to a group's first K tile.
inline size_t packed_a_offset(const EsimdArguments& g, uint32_t group_row) {
  return static_cast<size_t>(group_row) * (g.shape.k / kTileK) * kPackedTileA;
}

/// `Pad`: bytes added to each slot (A: a thread row's 1024 bytes; B: an operand's 256).
template <int Columns, int Pad = 0>
struct OperandSlmB {
  using At = Place<Columns>;
  static constexpr int kSlot = kOperandBytes + Pad;
  static constexpr int kSegment = At::kThreadColumns * kSlot;
  static constexpr int kBuffer = 2 * Columns * kSegment;
  static constexpr int kWords = 16 * kBlockN / At::kThreads;  ///< that a thread copies per K tile
  static constexpr int kPieces = kBlockN / kWords;

  /// This thread's words in K tile 0.
  static const uint32_t* source(const EsimdArguments& g, const At& at) {
    return g.b + (at.lid / kPieces) * g.shape.n + at.group_column * kBlockN + at.lid % kPieces * kWords;
  }

  /// Words of one packed row go to `kWords / 8` operands, 32 bytes each. `base`: byte offset of the buffer.
  static void fill(const At& at, uint32_t base, const uint32_t* from) {
    esimd::simd<uint32_t, kWords> line = esimd::block_load<uint32_t, kWords>(from, kAligned);
    const uint32_t row = at.lid / kPieces, piece = at.lid % kPieces;
    const uint32_t to = base + row / 8 * (Columns * kSegment) + piece * (kWords / 8 / Columns) * kSlot + row % 8 * 32;
#pragma unroll
    for (int i = 0; i < kWords / 8; ++i) {
      esimd::slm_block_store<uint32_t, 8>(to + i % Columns * kSegment + i / Columns * kSlot,
                                          line.template select<8, 1>(8 * i), kAligned);
    }
  }

  static void load(EsimdOperands<Columns>& operands, const At& at, uint32_t base) {
    const uint32_t from = base + at.column * kSlot;
#pragma unroll
    for (int o = 0; o < 2 * Columns; ++o) {
      operands.b[o] =
          esimd::slm_block_load<bf16, kOperandElements>(from + (o % 2 * Columns + o / 2) * kSegment, kAligned);
    }
  }
};

template <int Columns, int Pad = 0>
struct OperandSlmA {
  using At = Place<Columns>;
  static constexpr int kSlot = 4 * kOperandBytes + Pad;
  static constexpr int kBuffer = 8 * kSlot;
  static constexpr int kElements = kPackedTileA / At::kThreads;  ///< that a thread copies per K tile
  static constexpr int kPieces = 512 / kElements;                ///< threads per slot

  /// This thread's share of K tile 0.
  static const bf16* source(const EsimdArguments& g, const At& at) {
    return g.a + packed_a_offset(g, at.group_row) + at.lid * kElements;
  }

  static void fill(const At& at, uint32_t base, const bf16* from) {
    const uint32_t to = base + at.lid / kPieces * kSlot + at.lid % kPieces * (kElements * 2);
    esimd::slm_block_store<bf16, kElements>(to, esimd::block_load<bf16, kElements>(from, kAligned), kAligned);
  }

  static void load(EsimdOperands<Columns>& operands, const At& at, uint32_t base) {
#pragma unroll
    for (int o = 0; o < 4; ++o) {
      operands.a[o] =
          esimd::slm_block_load<bf16, kOperandElements>(base + at.row * kSlot + o * kOperandBytes, kAligned);
    }
  }
};

/// Operands of A straight from packed A in global memory, 4 x 256 bytes at the moment of use.
template <int Columns>
struct DirectA {
  using At = Place<Columns>;

  /// This thread row's operands in K tile 0.
  static const bf16* source(const EsimdArguments& g, const At& at) {
    return g.a + packed_a_offset(g, at.group_row) + at.row * (4 * kOperandElements);
  }

  template <class Properties = decltype(kAligned)>
  static void load(EsimdOperands<Columns>& operands, const bf16* from, Properties properties = kAligned) {
#pragma unroll
    for (int o = 0; o < 4; ++o)
      operands.a[o] = esimd::block_load<bf16, kOperandElements>(from + o * kOperandElements, properties);
  }
};

}  // namespace xeforge::kernels
