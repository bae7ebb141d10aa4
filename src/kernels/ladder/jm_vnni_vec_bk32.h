// SPDX-License-Identifier: Apache-2.0
//
// Rung `jm_vnni_vec_bk32`: jm_vnni_vec with 32 steps of K per tile.
#pragma once

#include "kernels/joint_matrix/double_buffer.h"

namespace xeforge::kernels {

template <int Items>
inline void jm_vnni_vec_bk32_body(const GemmArguments<uint32_t>& g) {
  double_buffer<Tiling<uint32_t, CopyA::Vectors, Items, 128, 64, 32, 16, 16>>(g);
}

XEFORGE_JOINT_MATRIX_KERNELS(jm_vnni_vec_bk32, uint32_t)

}  // namespace xeforge::kernels
