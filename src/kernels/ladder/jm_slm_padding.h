// SPDX-License-Identifier: Apache-2.0
//
// Rung `jm_slm_padding`: jm_walk_n with padded rows in shared local memory, against bank conflicts. The amount is not
// published: 16 bytes a row, the least that keeps block reads aligned.
#pragma once

#include "kernels/joint_matrix/peeled.h"

namespace xeforge::kernels {

template <int Items>
inline void jm_slm_padding_body(const GemmArguments<uint32_t>& g) {
  const auto item = this_item();
  using T = Tiling<uint32_t, CopyA::Vectors, Items, 128, 64, 16, 16, 16, 8, 4>;
  Worker<T> work(g, item, item.get_group(1), item.get_group(0));
  multiply_peeled(work);
  work.store();
}

XEFORGE_JOINT_MATRIX_KERNELS(jm_slm_padding, uint32_t)

}  // namespace xeforge::kernels
