// SPDX-License-Identifier: Apache-2.0
//
// The schedule of the first ESIMD rungs: two buffers; each trip copies the next K tile if there is one and multiplies
// the present one; one barrier per trip, the last one too.
#pragma once

#include "kernels/esimd/row_major_slm.h"

namespace xeforge::kernels {

/// `begin(tile)` is called at the top of each trip, `fill(buffer, tile)` copies, `multiply(buffer)` loads operands and
/// multiplies.
template <class Begin, class Fill, class Multiply>
inline void two_buffers(uint32_t tiles, Begin begin, Fill fill, Multiply multiply) {
  fill(0, 0);
  esimd::barrier();
  for (uint32_t tile = 0; tile < tiles; ++tile) {
    begin(tile);
    if (tile + 1 < tiles) fill((tile + 1) % 2, tile + 1);
    multiply(tile % 2);
    esimd::barrier();
  }
}

template <class Fill, class Multiply>
inline void two_buffers(uint32_t tiles, Fill fill, Multiply multiply) {
  two_buffers(
      tiles, [](uint32_t) {}, fill, multiply);
}

/// Row-major tiles read row by row, C stored tile by tile.
template <int Columns, int TileK>
inline void double_buffer_rows(const EsimdArguments& g) {
  using Slm = RowMajorSlm<Columns, TileK>;
  esimd::slm_init<2 * Slm::kBuffer>();
  const Place<Columns> at;
  Sums<Columns> sums;
  two_buffers(
      g.shape.k / TileK, [&](uint32_t buffer, uint32_t tile) { Slm::fill(g, at, buffer, tile); },
      [&](uint32_t buffer) {
        typename Slm::Operands operands;
        Slm::load_rows(operands, at, buffer);
        sums.multiply(operands);
      });
  sums.store_tiles(g, at);
}

}  // namespace xeforge::kernels
