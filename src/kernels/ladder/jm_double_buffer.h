// SPDX-License-Identifier: Apache-2.0
//
// Rung `jm_double_buffer`: jm_slm with two buffers in shared local memory and one barrier per K tile.
#pragma once

#include "kernels/joint_matrix/double_buffer.h"

namespace xeforge::kernels {

template <int Items>
inline void jm_double_buffer_body(const GemmArguments<bf16>& g) {
  double_buffer<Tiling<bf16, CopyA::Elements, Items, 32, 32, 16, 8, 8>>(g);
}

XEFORGE_JOINT_MATRIX_KERNELS(jm_double_buffer, bf16)

}  // namespace xeforge::kernels
