// SPDX-License-Identifier: Apache-2.0
//
// Rung `esimd_bk32_slm4_grf2`: esimd_bk32_16x8 with four buffers and two register copies of the operands: those of the
// next K tile are loaded before the present ones are multiplied. The schedule is not published. A tile is copied three
// trips before it is multiplied and loaded one trip before, so that a barrier lies between any two uses of a buffer.
// K is a multiple of 64.
#pragma once

#include "kernels/esimd/row_major_slm.h"

namespace xeforge::kernels {

inline void esimd_bk32_slm4_grf2_body(const EsimdArguments& g) {
  using Slm = RowMajorSlm<1, 32>;
  esimd::slm_init<4 * Slm::kBuffer>();
  const Place<1> at;
  const uint32_t tiles = g.shape.k / 32;
  Sums<1> sums;
  Slm::Operands even, odd;
  for (uint32_t tile = 0; tile < 3 && tile < tiles; ++tile) Slm::fill(g, at, tile, tile);
  esimd::barrier();
  Slm::load_rows(even, at, 0);
  for (uint32_t tile = 0; tile < tiles; tile += 2) {
    if (tile + 3 < tiles) Slm::fill(g, at, (tile + 3) % 4, tile + 3);
    Slm::load_rows(odd, at, (tile + 1) % 4);
    sums.multiply(even);
    esimd::barrier();
    if (tile + 4 < tiles) Slm::fill(g, at, tile % 4, tile + 4);
    if (tile + 2 < tiles) Slm::load_rows(even, at, (tile + 2) % 4);
    sums.multiply(odd);
    esimd::barrier();
  }
  sums.store_tiles(g, at);
}

XEFORGE_ESIMD_KERNEL(esimd_bk32_slm4_grf2)

}  // namespace xeforge::kernels
