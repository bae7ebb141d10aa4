// SPDX-License-Identifier: Apache-2.0
//
// The schedule of rung `esimd_a_slm_staging` and of the rungs on it: the group copies its packed A tile into shared
// local memory once, instead of every thread reading its operands from global memory.
#pragma once

#include "kernels/esimd/operand_slm.h"
#include "kernels/esimd/two_buffers.h"

namespace xeforge::kernels {

/// Both buffers of A come first, then both of B. Pads are bytes per slot (OperandSlmA, OperandSlmB).
template <int Columns, int PadA = 0, int PadB = 0>
inline void stage_both(const EsimdArguments& g) {
  using SlmA = OperandSlmA<Columns, PadA>;
  using SlmB = OperandSlmB<Columns, PadB>;
  constexpr int offset_b = 2 * SlmA::kBuffer;
  esimd::slm_init<offset_b + 2 * SlmB::kBuffer>();
  const Place<Columns> at;
  Sums<Columns> sums;
  const bf16* next_a = SlmA::source(g, at);
  const uint32_t* next_b = SlmB::source(g, at);
  const size_t step_b = 16 * g.shape.n;
  two_buffers(
      g.shape.k / kTileK,
      [&](uint32_t buffer, uint32_t) {
        SlmA::fill(at, buffer * SlmA::kBuffer, next_a);
        SlmB::fill(at, offset_b + buffer * SlmB::kBuffer, next_b);
        next_a += kPackedTileA;
        next_b += step_b;
      },
      [&](uint32_t buffer) {
        EsimdOperands<Columns> operands;
        SlmA::load(operands, at, buffer * SlmA::kBuffer);
        SlmB::load(operands, at, offset_b + buffer * SlmB::kBuffer);
        sums.multiply(operands);
      });
  sums.store_rows(g, at);
}

}  // namespace xeforge::kernels
