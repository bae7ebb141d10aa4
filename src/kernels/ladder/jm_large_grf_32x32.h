// SPDX-License-Identifier: Apache-2.0
//
// Rung `jm_large_grf_32x32`: 32x32 per sub-group: 192 registers of operands and sums, which only 256 can hold.
#pragma once

#include "kernels/joint_matrix/double_buffer.h"

namespace xeforge::kernels {

template <int Items>
inline void jm_large_grf_32x32_body(const GemmArguments<uint32_t>& g) {
  double_buffer<Tiling<uint32_t, CopyA::Vectors, Items, 128, 64, 16, 32, 32>>(g);
}

XEFORGE_JOINT_MATRIX_KERNELS(jm_large_grf_32x32, uint32_t, XEFORGE_LARGE_GRF)

}  // namespace xeforge::kernels
