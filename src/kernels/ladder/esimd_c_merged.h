// SPDX-License-Identifier: Apache-2.0
//
// Rung `esimd_c_merged`: esimd_wide_load with each row of C written as 16 consecutive floats.
#pragma once

#include "kernels/esimd/two_buffers.h"
#include "kernels/esimd/wide_rows.h"

namespace xeforge::kernels {

inline void esimd_c_merged_body(const EsimdArguments& g) {
  esimd::slm_init<2 * WideSlm::kBuffer>();
  const Place<2> at;
  Sums<2> sums;
  two_buffers(
      g.shape.k / 32, [&](uint32_t buffer, uint32_t tile) { WideSlm::fill(g, at, buffer, tile); },
      [&](uint32_t buffer) {
        EsimdOperands<2> operands;
        load_wide_a(operands, at, buffer * WideSlm::kBuffer);
        load_wide_b(operands, at, buffer * WideSlm::kBuffer);
        sums.multiply(operands);
      });
  sums.store_rows(g, at);
}

XEFORGE_ESIMD_KERNEL(esimd_c_merged)

}  // namespace xeforge::kernels
