// SPDX-License-Identifier: Apache-2.0
//
// Rung `jm_vnni`: jm_tuned with B packed on the host as VNNI words, the layout that the matrix engine reads:
// no interleaving of rows in the kernel.
#pragma once

#include "kernels/joint_matrix/double_buffer.h"

namespace xeforge::kernels {

template <int Items>
inline void jm_vnni_body(const GemmArguments<uint32_t>& g) {
  double_buffer<Tiling<uint32_t, CopyA::Elements, Items, 128, 64, 16, 16, 16>>(g);
}

XEFORGE_JOINT_MATRIX_KERNELS(jm_vnni, uint32_t)

}  // namespace xeforge::kernels
