// SPDX-License-Identifier: Apache-2.0
//
// The schedule of rung `esimd_4buf` and of the rungs on it: 2 * Batch buffers of B, `Batch` K tiles per barrier.
#pragma once

#include "kernels/esimd/operand_slm.h"

namespace xeforge::kernels {

/// How a trip reads its operands of A. The default is the plain read of four operands; others add hints or prefetches.
template <int Columns>
struct PlainReadOfA {
  static constexpr bool kPrefetches = false;
  static void load(EsimdOperands<Columns>& operands, const bf16* from) { DirectA<Columns>::load(operands, from); }
};

/// K is a multiple of 32 * Batch. Each trip copies the next `Batch` tiles of B where there are any, multiplies `Batch`
/// tiles, and waits once.
template <int Columns, int Batch, class ReadA = PlainReadOfA<Columns>>
inline void many_buffers(const EsimdArguments& g) {
  using SlmB = OperandSlmB<Columns>;
  esimd::slm_init<2 * Batch * SlmB::kBuffer>();
  const Place<Columns> at;
  Sums<Columns> sums;
  const uint32_t tiles = g.shape.k / kTileK;
  const bf16* next_a = DirectA<Columns>::source(g, at);
  const uint32_t* next_b = SlmB::source(g, at);
  const size_t step_b = 16 * g.shape.n;
#pragma unroll
  for (int i = 0; i < Batch; ++i) SlmB::fill(at, i * SlmB::kBuffer, next_b + i * step_b);
  next_b += Batch * step_b;
  esimd::barrier();
  for (uint32_t tile = 0; tile < tiles; tile += Batch) {
    const uint32_t first = tile % (2 * Batch), second = Batch - first;  // the two halves of the buffers, in turns
    if constexpr (ReadA::kPrefetches) {
      if (tile + Batch < tiles) ReadA::template prefetch<Batch>(next_a + Batch * kPackedTileA);
    }
#pragma unroll
    for (uint32_t i = 0; i < Batch; ++i) {
      if (tile + Batch + i < tiles) SlmB::fill(at, (second + i) * SlmB::kBuffer, next_b + i * step_b);
    }
#pragma unroll
    for (uint32_t i = 0; i < Batch; ++i) {
      EsimdOperands<Columns> operands;
      ReadA::load(operands, next_a + i * kPackedTileA);
      SlmB::load(operands, at, (first + i) * SlmB::kBuffer);
      sums.multiply(operands);
    }
    next_a += Batch * kPackedTileA;
    next_b += Batch * step_b;
    esimd::barrier();
  }
  sums.store_rows(g, at);
}

}  // namespace xeforge::kernels
