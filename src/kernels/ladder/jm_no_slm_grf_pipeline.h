// SPDX-License-Identifier: Apache-2.0
//
// Rung `jm_no_slm_grf_pipeline`: no shared local memory; operands come straight from global memory into one of two
// register sets while the other is multiplied. The geometry is not published: that of jm_vnni_vec is kept.
// K is a multiple of 32.
#pragma once

#include "kernels/joint_matrix/worker.h"

namespace xeforge::kernels {

template <int Items>
inline void jm_no_slm_grf_pipeline_body(const GemmArguments<uint32_t>& g) {
  const auto item = this_item();
  using T = Tiling<uint32_t, CopyA::Vectors, Items, 128, 64, 16, 16, 16>;
  Worker<T> work(g, item, item.get_group(0), item.get_group(1));
  typename Worker<T>::Inputs even, odd;
  work.load_global(even, 0);
  for (int tile = 0; tile < work.k_tiles(); tile += 2) {
    work.load_global(odd, tile + 1);
    work.multiply(even);
    if (tile + 2 < work.k_tiles()) work.load_global(even, tile + 2);
    work.multiply(odd);
  }
  work.store();
}

XEFORGE_JOINT_MATRIX_KERNELS(jm_no_slm_grf_pipeline, uint32_t)

}  // namespace xeforge::kernels
