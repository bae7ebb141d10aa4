// SPDX-License-Identifier: Apache-2.0
//
// Rung `register_tiled`: a 16x16 group computes 64x64 elements; each item keeps 4x4 of them in registers,
// so that eight reads of shared local memory feed sixteen multiply-adds.
#pragma once

#include "kernels/simt/copy.h"

namespace xeforge::kernels {

XEFORGE_KERNEL(2)
register_tiled(const bf16* a, const bf16* b, float* c, size_t m, size_t n, size_t k,
               sycl::local_accessor<bf16, 1> tile_a, sycl::local_accessor<bf16, 1> tile_b) {
  constexpr int kBlock = 64, kDepth = 16, kItems = 256, kOwn = 4;
  const auto item = sycl::ext::oneapi::this_work_item::get_nd_item<2>();
  const int local_row = item.get_local_id(0), local_column = item.get_local_id(1);
  const int tid = local_row * 16 + local_column;
  const int row0 = item.get_group(0) * kBlock, column0 = item.get_group(1) * kBlock;
  const int rows = m, columns = n, depth = k;
  const Matrix<bf16> from_a{a, rows, depth, k}, from_b{b, depth, columns, n};

  float sum[kOwn][kOwn] = {};
  for (int k0 = 0; k0 < depth; k0 += kDepth) {
    copy_elements<kBlock, kDepth, kItems>(tile_a, 0, from_a, row0, k0, tid);
    copy_elements<kDepth, kBlock, kItems>(tile_b, 0, from_b, k0, column0, tid);
    item.barrier(sycl::access::fence_space::local_space);
    for (int kk = 0; kk < kDepth; ++kk) {
      float left[kOwn], right[kOwn];
      for (int i = 0; i < kOwn; ++i) left[i] = to_float(tile_a[(local_row * kOwn + i) * kDepth + kk]);
      for (int j = 0; j < kOwn; ++j) right[j] = to_float(tile_b[kk * kBlock + local_column * kOwn + j]);
      for (int i = 0; i < kOwn; ++i) {
        for (int j = 0; j < kOwn; ++j) sum[i][j] += left[i] * right[j];
      }
    }
    item.barrier(sycl::access::fence_space::local_space);
  }
  for (int i = 0; i < kOwn; ++i) {
    for (int j = 0; j < kOwn; ++j) {
      const int row = row0 + local_row * kOwn + i, column = column0 + local_column * kOwn + j;
      if (row < rows && column < columns) c[row * n + column] = sum[i][j];
    }
  }
}

}  // namespace xeforge::kernels
