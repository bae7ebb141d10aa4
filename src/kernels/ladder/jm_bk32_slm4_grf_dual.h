// SPDX-License-Identifier: Apache-2.0
//
// Rung `jm_bk32_slm4_grf_dual`: jm_bk32_slm4 with the two register copies of jm_grf_dual_static. K is a multiple of 64.
// How the two were put together is not published: the schedule of jm_grf_dual_static over four buffers.
#pragma once

#include "kernels/joint_matrix/worker.h"

namespace xeforge::kernels {

template <int Items>
inline void jm_bk32_slm4_grf_dual_body(const GemmArguments<uint32_t>& g) {
  const auto item = this_item();
  using T = Tiling<uint32_t, CopyA::Vectors, Items, 128, 64, 32, 16, 16>;
  Worker<T> work(g, item, item.get_group(1), item.get_group(0));
  const int tiles = work.k_tiles();
  typename Worker<T>::Inputs even, odd;
  for (int tile = 0; tile < 3 && tile < tiles; ++tile) work.fill(tile, tile);
  work.barrier();
  work.load(even, 0);
  for (int tile = 0; tile < tiles; tile += 2) {
    const bool more = tile + 2 < tiles;
    work.fill((tile + 1) % 4, tile + 1);
    work.multiply(even);
    work.barrier();
    work.load(odd, (tile + 1) % 4);
    if (more) work.fill((tile + 2) % 4, tile + 2);
    work.multiply(odd);
    work.barrier();
    if (more) work.load(even, (tile + 2) % 4);
  }
  work.store();
}

XEFORGE_JOINT_MATRIX_KERNELS(jm_bk32_slm4_grf_dual, uint32_t)

}  // namespace xeforge::kernels
