// SPDX-License-Identifier: Apache-2.0
//
// Xe2: joint_matrix fragments are 8x16x16 there, in sub-groups of 16. A sub-group owns 16x32 of C and reads row-major
// operands straight from global memory, which Xe2 does with 2D block messages.
#pragma once

#include "kernels/joint_matrix/fragments.h"

namespace xeforge::kernels {

/// Launched as {M/16, N/32 * 16} in groups of {4, 64}: 64x128 per group.
XEFORGE_KERNEL(2) xe2_joint_matrix(const bf16* a, const bf16* b, float* c, size_t, size_t n, size_t k) {
  const auto item = sycl::ext::oneapi::this_work_item::get_nd_item<2>();
  const auto group = item.get_sub_group();
  const int row = item.get_global_id(0) * 16, column = item.get_global_id(1) / 16 * 32;
  Operands<2, 2, 1, kRowMajor, 16> inputs;
  Accumulators<2, 2, 16> sums;
  sums.clear(group);
  for (int k0 = 0; k0 < static_cast<int>(k); k0 += kFragmentDepth) {
    inputs.load_a(group, global_pointer(const_cast<bf16*>(a) + row * k + k0), k);
    inputs.load_b(group, global_pointer(const_cast<bf16*>(b) + k0 * n + column), n);
    sums.multiply(group, inputs);
  }
  sums.store(group, c + row * n + column, n);
}

}  // namespace xeforge::kernels
