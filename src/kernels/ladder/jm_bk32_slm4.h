// SPDX-License-Identifier: Apache-2.0
//
// Rung `jm_bk32_slm4`: jm_walk_n with 32 steps of K and four buffers. The prologue fills tiles 0, 1 and 2. Each trip
// refills tile i+1, so tiles 1 and 2 are filled twice and the look-ahead is one, as published.
#pragma once

#include "kernels/joint_matrix/worker.h"

namespace xeforge::kernels {

template <int Items>
inline void jm_bk32_slm4_body(const GemmArguments<uint32_t>& g) {
  const auto item = this_item();
  using T = Tiling<uint32_t, CopyA::Vectors, Items, 128, 64, 32, 16, 16>;
  Worker<T> work(g, item, item.get_group(1), item.get_group(0));
  const int last = work.k_tiles() - 1;
  for (int tile = 0; tile < 3 && tile <= last; ++tile) work.fill(tile, tile);
  work.barrier();
  for (int tile = 0; tile < last; ++tile) {
    work.fill((tile + 1) % 4, tile + 1);
    work.load_and_multiply(tile % 4);
    work.barrier();
  }
  work.load_and_multiply(last % 4);
  work.store();
}

XEFORGE_JOINT_MATRIX_KERNELS(jm_bk32_slm4, uint32_t)

}  // namespace xeforge::kernels
