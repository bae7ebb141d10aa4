// SPDX-License-Identifier: Apache-2.0
//
// Rung `tiled_slm`: a 16x16 group shares 16x16 tiles of A and B in shared local memory.
#pragma once

#include "kernels/kernel.h"

namespace xeforge::kernels {

XEFORGE_KERNEL(2)
tiled_slm(const bf16* a, const bf16* b, float* c, size_t m, size_t n, size_t k, sycl::local_accessor<bf16, 1> tile_a,
          sycl::local_accessor<bf16, 1> tile_b) {
  constexpr int kTile = 16;
  const auto item = sycl::ext::oneapi::this_work_item::get_nd_item<2>();
  const int local_row = item.get_local_id(0), local_column = item.get_local_id(1);
  const int row = item.get_group(0) * kTile + local_row;
  const int column = item.get_group(1) * kTile + local_column;
  const int rows = m, columns = n, depth = k;

  float sum = 0;
  for (int k0 = 0; k0 < depth; k0 += kTile) {
    const int a_column = k0 + local_column, b_row = k0 + local_row;
    tile_a[local_row * kTile + local_column] = row < rows && a_column < depth ? a[row * k + a_column] : zero();
    tile_b[local_row * kTile + local_column] = b_row < depth && column < columns ? b[b_row * n + column] : zero();
    item.barrier(sycl::access::fence_space::local_space);
    for (int kk = 0; kk < kTile; ++kk)
      sum += to_float(tile_a[local_row * kTile + kk]) * to_float(tile_b[kk * kTile + local_column]);
    item.barrier(sycl::access::fence_space::local_space);
  }
  if (row < rows && column < columns) c[row * n + column] = sum;
}

}  // namespace xeforge::kernels
