// SPDX-License-Identifier: Apache-2.0
//
// Rung `jm_grf_dual_dynamic`: jm_walk_n with two register copies of the operands, the one to use chosen by a branch at
// run time.
#pragma once

#include "kernels/joint_matrix/worker.h"

namespace xeforge::kernels {

template <int Items>
inline void jm_grf_dual_dynamic_body(const GemmArguments<uint32_t>& g) {
  const auto item = this_item();
  using T = Tiling<uint32_t, CopyA::Vectors, Items, 128, 64, 16, 16, 16>;
  Worker<T> work(g, item, item.get_group(1), item.get_group(0));
  const int tiles = work.k_tiles();
  typename Worker<T>::Inputs even, odd;
  work.fill(0, 0);
  work.barrier();
  work.load(even, 0);
  for (int tile = 0; tile < tiles; ++tile) {
    const bool more = tile + 1 < tiles;
    if (more) work.fill((tile + 1) % 2, tile + 1);
    if (tile % 2 == 0) {
      work.multiply(even);
    } else {
      work.multiply(odd);
    }
    work.barrier();
    if (more) {
      if (tile % 2 == 0) {
        work.load(odd, 1);
      } else {
        work.load(even, 0);
      }
    }
  }
  work.store();
}

XEFORGE_JOINT_MATRIX_KERNELS(jm_grf_dual_dynamic, uint32_t)

}  // namespace xeforge::kernels
