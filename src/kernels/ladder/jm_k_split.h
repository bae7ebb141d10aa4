// SPDX-License-Identifier: Apache-2.0
//
// Rung `jm_k_split`: jm_vnni_vec with the last K tile peeled off the loop.
#pragma once

#include "kernels/joint_matrix/peeled.h"

namespace xeforge::kernels {

template <int Items>
inline void jm_k_split_body(const GemmArguments<uint32_t>& g) {
  const auto item = this_item();
  using T = Tiling<uint32_t, CopyA::Vectors, Items, 128, 64, 16, 16, 16>;
  Worker<T> work(g, item, item.get_group(0), item.get_group(1));
  multiply_peeled(work);
  work.store();
}

XEFORGE_JOINT_MATRIX_KERNELS(jm_k_split, uint32_t)

}  // namespace xeforge::kernels
