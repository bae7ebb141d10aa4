// SPDX-License-Identifier: Apache-2.0
//
// Rung `jm_a_prepacked`: jm_vnni_vec with A packed on the host into contiguous 8x16 micro-tiles [M/8][K/16][8][16].
#pragma once

#include "kernels/joint_matrix/double_buffer.h"

namespace xeforge::kernels {

template <int Items>
inline void jm_a_prepacked_body(const GemmArguments<uint32_t>& g) {
  double_buffer<Tiling<uint32_t, CopyA::MicroTiles, Items, 128, 64, 16, 16, 16>>(g);
}

XEFORGE_JOINT_MATRIX_KERNELS(jm_a_prepacked, uint32_t)

}  // namespace xeforge::kernels
