// SPDX-License-Identifier: Apache-2.0
//
// Rung `naive`: one work-item per element of C, everything straight from global memory.
#pragma once

#include "kernels/kernel.h"

namespace xeforge::kernels {

/// Launched with range{M, N} and no local size: the driver chooses the group.
XEFORGE_KERNEL(2) naive(const bf16* a, const bf16* b, float* c, size_t m, size_t n, size_t k) {
  const auto item = sycl::ext::oneapi::this_work_item::get_nd_item<2>();
  const int row = item.get_global_id(0);
  const int column = item.get_global_id(1);
  float sum = 0;
  for (int kk = 0; kk < static_cast<int>(k); ++kk) sum += to_float(a[row * k + kk]) * to_float(b[kk * n + column]);
  c[row * n + column] = sum;
  (void)m;
}

}  // namespace xeforge::kernels
