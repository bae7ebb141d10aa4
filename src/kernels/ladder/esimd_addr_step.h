// SPDX-License-Identifier: Apache-2.0
//
// Rung `esimd_addr_step`: esimd_a_direct with addresses made before the loop and advanced by constants inside it: A by
// 4096 elements, B by 16 N words per K tile.
#pragma once

#include "kernels/esimd/operand_slm.h"
#include "kernels/esimd/two_buffers.h"

namespace xeforge::kernels {

inline void esimd_addr_step_body(const EsimdArguments& g) {
  using SlmB = OperandSlmB<2>;
  esimd::slm_init<2 * SlmB::kBuffer>();
  const Place<2> at;
  Sums<2> sums;
  const bf16* next_a = DirectA<2>::source(g, at);
  const uint32_t* next_b = SlmB::source(g, at);
  const size_t step_b = 16 * g.shape.n;
  two_buffers(
      g.shape.k / kTileK,
      [&](uint32_t buffer, uint32_t) {
        SlmB::fill(at, buffer * SlmB::kBuffer, next_b);
        next_b += step_b;
      },
      [&](uint32_t buffer) {
        EsimdOperands<2> operands;
        DirectA<2>::load(operands, next_a);
        next_a += kPackedTileA;
        SlmB::load(operands, at, buffer * SlmB::kBuffer);
        sums.multiply(operands);
      });
  sums.store_rows(g, at);
}

XEFORGE_ESIMD_KERNEL(esimd_addr_step)

}  // namespace xeforge::kernels
