// SPDX-License-Identifier: Apache-2.0
//
// Rung `esimd_a_direct`: A is packed on the host in operand order and read from global memory at the moment of use, 4 x
// 256 bytes; shared local memory holds only B.
#pragma once

#include "kernels/esimd/operand_slm.h"
#include "kernels/esimd/two_buffers.h"

namespace xeforge::kernels {

inline void esimd_a_direct_body(const EsimdArguments& g) {
  using SlmB = OperandSlmB<2>;
  esimd::slm_init<2 * SlmB::kBuffer>();
  const Place<2> at;
  Sums<2> sums;
  uint32_t present = 0;
  two_buffers(
      g.shape.k / kTileK,
      [&](uint32_t buffer, uint32_t tile) {
        SlmB::fill(at, buffer * SlmB::kBuffer, SlmB::source(g, at) + tile * 16 * g.shape.n);
      },
      [&](uint32_t buffer) {
        EsimdOperands<2> operands;
        DirectA<2>::load(operands, DirectA<2>::source(g, at) + present++ * kPackedTileA);
        SlmB::load(operands, at, buffer * SlmB::kBuffer);
        sums.multiply(operands);
      });
  sums.store_rows(g, at);
}

XEFORGE_ESIMD_KERNEL(esimd_a_direct)

}  // namespace xeforge::kernels
