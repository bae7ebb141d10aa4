// SPDX-License-Identifier: Apache-2.0
//
// Rung `esimd_b_operand_layout`: esimd_c_merged with B laid into shared local memory as operands: four messages of 256
// bytes and no selects, for four small stores in the copy instead of one.
#pragma once

#include "kernels/esimd/operand_slm.h"
#include "kernels/esimd/two_buffers.h"
#include "kernels/esimd/wide_rows.h"

namespace xeforge::kernels {

inline void esimd_b_operand_layout_body(const EsimdArguments& g) {
  using SlmB = OperandSlmB<2>;
  constexpr int buffer_bytes = WideSlm::kOffsetB + SlmB::kBuffer;
  esimd::slm_init<2 * buffer_bytes>();
  const Place<2> at;
  Sums<2> sums;
  two_buffers(
      g.shape.k / 32,
      [&](uint32_t buffer, uint32_t tile) {
        WideSlm::fill_a(g, at, buffer, tile);
        SlmB::fill(at, buffer * buffer_bytes + WideSlm::kOffsetB, SlmB::source(g, at) + tile * 16 * g.shape.n);
      },
      [&](uint32_t buffer) {
        EsimdOperands<2> operands;
        load_wide_a(operands, at, buffer * buffer_bytes);
        SlmB::load(operands, at, buffer * buffer_bytes + WideSlm::kOffsetB);
        sums.multiply(operands);
      });
  sums.store_rows(g, at);
}

XEFORGE_ESIMD_KERNEL(esimd_b_operand_layout)

}  // namespace xeforge::kernels
