// SPDX-License-Identifier: Apache-2.0
//
// Rung `jm_slm_3stage`: jm_walk_n with three buffers (18 KB): tiles are copied two trips before they are used. K is at
// least 32.
#pragma once

#include "kernels/joint_matrix/worker.h"

namespace xeforge::kernels {

template <int Items>
inline void jm_slm_3stage_body(const GemmArguments<uint32_t>& g) {
  const auto item = this_item();
  using T = Tiling<uint32_t, CopyA::Vectors, Items, 128, 64, 16, 16, 16>;
  Worker<T> work(g, item, item.get_group(1), item.get_group(0));
  const int tiles = work.k_tiles();
  work.fill(0, 0);
  work.fill(1, 1);
  work.barrier();
  int current = 0, ahead = 2;
  for (int tile = 0; tile < tiles - 2; ++tile) {
    work.fill(ahead, tile + 2);
    work.load_and_multiply(current);
    work.barrier();
    current = current == 2 ? 0 : current + 1;
    ahead = ahead == 2 ? 0 : ahead + 1;
  }
  work.load_and_multiply(current);
  work.load_and_multiply(current == 2 ? 0 : current + 1);
  work.store();
}

XEFORGE_JOINT_MATRIX_KERNELS(jm_slm_3stage, uint32_t)

}  // namespace xeforge::kernels
