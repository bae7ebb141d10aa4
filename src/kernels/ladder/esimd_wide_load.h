// SPDX-License-Identifier: Apache-2.0
//
// Rung `esimd_wide_load`: esimd_bk32_16x16 with fewer and wider reads of shared local memory: 20 messages instead of
// 64, and selects that take them apart.
#pragma once

#include "kernels/esimd/two_buffers.h"
#include "kernels/esimd/wide_rows.h"

namespace xeforge::kernels {

inline void esimd_wide_load_body(const EsimdArguments& g) {
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
  sums.store_tiles(g, at);
}

XEFORGE_ESIMD_KERNEL(esimd_wide_load)

}  // namespace xeforge::kernels
