// SPDX-License-Identifier: Apache-2.0
//
// Rung `jm_walk_n`: jm_k_split launched with N/64 groups in dimension 0 and M/128 in dimension 1. Dimension 1 varies
// fastest, so neighbouring groups now share B. The local range stays as it was: exchanging it too would put a sub-group
// across tiles.
#pragma once

#include "kernels/joint_matrix/peeled.h"

namespace xeforge::kernels {

template <int Items>
inline void jm_walk_n_body(const GemmArguments<uint32_t>& g) {
  const auto item = this_item();
  using T = Tiling<uint32_t, CopyA::Vectors, Items, 128, 64, 16, 16, 16>;
  Worker<T> work(g, item, item.get_group(1), item.get_group(0));
  multiply_peeled(work);
  work.store();
}

XEFORGE_JOINT_MATRIX_KERNELS(jm_walk_n, uint32_t)

}  // namespace xeforge::kernels
