// SPDX-License-Identifier: Apache-2.0
//
// Rung `jm_grf_dual_static`: jm_walk_n with two register copies of the operands; the loop is unrolled by two K tiles so
// that each half names its copy. K is a multiple of 32.
#pragma once

#include "kernels/joint_matrix/worker.h"

namespace xeforge::kernels {

template <int Items>
inline void jm_grf_dual_static_body(const GemmArguments<uint32_t>& g) {
  const auto item = this_item();
  using T = Tiling<uint32_t, CopyA::Vectors, Items, 128, 64, 16, 16, 16>;
  Worker<T> work(g, item, item.get_group(1), item.get_group(0));
  const int tiles = work.k_tiles();
  typename Worker<T>::Inputs even, odd;
  work.fill(0, 0);
  work.barrier();
  work.load(even, 0);
  for (int tile = 0; tile < tiles; tile += 2) {
    const bool more = tile + 2 < tiles;
    work.fill(1, tile + 1);
    work.multiply(even);
    work.barrier();
    work.load(odd, 1);
    if (more) work.fill(0, tile + 2);
    work.multiply(odd);
    work.barrier();
    if (more) work.load(even, 0);
  }
  work.store();
}

XEFORGE_JOINT_MATRIX_KERNELS(jm_grf_dual_static, uint32_t)

}  // namespace xeforge::kernels
