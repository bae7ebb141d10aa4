// SPDX-License-Identifier: Apache-2.0
//
// Rung `jm_vnni_vec`: jm_vnni with A copied in pieces of 8 bytes, exactly one per item. No zero fill: M, N and K
// are multiples of the block.
#pragma once

#include "kernels/joint_matrix/double_buffer.h"

namespace xeforge::kernels {

template <int Items>
inline void jm_vnni_vec_body(const GemmArguments<uint32_t>& g) {
  double_buffer<Tiling<uint32_t, CopyA::Vectors, Items, 128, 64, 16, 16, 16>>(g);
}

XEFORGE_JOINT_MATRIX_KERNELS(jm_vnni_vec, uint32_t)

}  // namespace xeforge::kernels
