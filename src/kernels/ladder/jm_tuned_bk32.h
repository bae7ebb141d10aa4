// SPDX-License-Identifier: Apache-2.0
//
// Rung `jm_tuned_bk32`: jm_big_tile with 32 steps of K per tile, so half the barriers and twice the operands.
#pragma once

#include "kernels/joint_matrix/double_buffer.h"

namespace xeforge::kernels {

template <int Items>
inline void jm_tuned_bk32_body(const GemmArguments<bf16>& g) {
  double_buffer<Tiling<bf16, CopyA::Elements, Items, 64, 64, 32, 16, 16>>(g);
}

XEFORGE_JOINT_MATRIX_KERNELS(jm_tuned_bk32, bf16)

}  // namespace xeforge::kernels
