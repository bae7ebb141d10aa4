// SPDX-License-Identifier: Apache-2.0
//
// Rung `jm_large_grf_16x32`: 16x32 per sub-group with 256 registers per thread.
#pragma once

#include "kernels/joint_matrix/double_buffer.h"

namespace xeforge::kernels {

template <int Items>
inline void jm_large_grf_16x32_body(const GemmArguments<uint32_t>& g) {
  double_buffer<Tiling<uint32_t, CopyA::Vectors, Items, 128, 64, 16, 16, 32>>(g);
}

XEFORGE_JOINT_MATRIX_KERNELS(jm_large_grf_16x32, uint32_t, XEFORGE_LARGE_GRF)

}  // namespace xeforge::kernels
