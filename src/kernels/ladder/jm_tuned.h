// SPDX-License-Identifier: Apache-2.0
//
// Rung `jm_tuned`: jm_big_tile with blocks of 128x64, so that B is read half as often.
#pragma once

#include "kernels/joint_matrix/double_buffer.h"

namespace xeforge::kernels {

template <int Items>
inline void jm_tuned_body(const GemmArguments<bf16>& g) {
  double_buffer<Tiling<bf16, CopyA::Elements, Items, 128, 64, 16, 16, 16>>(g);
}

XEFORGE_JOINT_MATRIX_KERNELS(jm_tuned, bf16)

}  // namespace xeforge::kernels
