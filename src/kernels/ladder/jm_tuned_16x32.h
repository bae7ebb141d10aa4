// SPDX-License-Identifier: Apache-2.0
//
// Rung `jm_tuned_16x32`: 16x32 per sub-group, eight accumulators. The block is not published; 64x64 is assumed.
#pragma once

#include "kernels/joint_matrix/double_buffer.h"

namespace xeforge::kernels {

template <int Items>
inline void jm_tuned_16x32_body(const GemmArguments<bf16>& g) {
  double_buffer<Tiling<bf16, CopyA::Elements, Items, 64, 64, 16, 16, 32>>(g);
}

XEFORGE_JOINT_MATRIX_KERNELS(jm_tuned_16x32, bf16)

}  // namespace xeforge::kernels
