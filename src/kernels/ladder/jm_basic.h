// SPDX-License-Identifier: Apache-2.0
//
// Rung `jm_basic`: one 8x8 tile of C per sub-group on the matrix engine, operands straight from global memory.
#pragma once

#include "kernels/joint_matrix/worker.h"

namespace xeforge::kernels {

template <int Items>
inline void jm_basic_body(const bf16* a, const bf16* b, float* c, size_t n, size_t k) {
  const auto item = this_item();
  const auto group = item.get_sub_group();
  const int row = item.get_group(0) * 8, column = item.get_group(1) * 8;
  Operands<1, 1, 1, kRowMajor> inputs;
  Accumulators<1, 1> sum;
  sum.clear(group);
  for (int k0 = 0; k0 < static_cast<int>(k); k0 += 16) {
    inputs.load_a(group, global_pointer(const_cast<bf16*>(a) + row * k + k0), k);
    inputs.load_b(group, global_pointer(const_cast<bf16*>(b) + k0 * n + column), n);
    sum.multiply(group, inputs);
  }
  sum.store(group, c + row * n + column, n);
}

/// Items (16 as published, 8 corrected) only appears in the local range {1, Items}.
XEFORGE_KERNEL(2) jm_basic(const bf16* a, const bf16* b, float* c, size_t, size_t n, size_t k) {
  jm_basic_body<16>(a, b, c, n, k);
}
XEFORGE_KERNEL(2) jm_basic_sg8(const bf16* a, const bf16* b, float* c, size_t, size_t n, size_t k) {
  jm_basic_body<8>(a, b, c, n, k);
}

}  // namespace xeforge::kernels
