// SPDX-License-Identifier: Apache-2.0
//
// Rung `jm_big_tile`: the group's block grows to 64x64 and each sub-group owns 16x16: four multiplications for four
// fragments loaded.
#pragma once

#include "kernels/joint_matrix/double_buffer.h"

namespace xeforge::kernels {

template <int Items>
inline void jm_big_tile_body(const GemmArguments<bf16>& g) {
  double_buffer<Tiling<bf16, CopyA::Elements, Items, 64, 64, 16, 16, 16>>(g);
}

XEFORGE_JOINT_MATRIX_KERNELS(jm_big_tile, bf16)

}  // namespace xeforge::kernels
