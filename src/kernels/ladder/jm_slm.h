// SPDX-License-Identifier: Apache-2.0
//
// Rung `jm_slm`: a group of 4x4 sub-groups computes 32x32; tiles of A and B go through shared local memory.
#pragma once

#include "kernels/joint_matrix/worker.h"

namespace xeforge::kernels {

template <int Items>
inline void jm_slm_body(const GemmArguments<bf16>& g) {
  const auto item = this_item();
  Worker<Tiling<bf16, CopyA::Elements, Items, 32, 32, 16, 8, 8>> work(g, item, item.get_group(0), item.get_group(1));
  for (int tile = 0; tile < work.k_tiles(); ++tile) {
    work.fill(0, tile);
    work.barrier();
    work.load_and_multiply(0);
    work.barrier();
  }
  work.store();
}

XEFORGE_JOINT_MATRIX_KERNELS(jm_slm, bf16)

}  // namespace xeforge::kernels
