// SPDX-License-Identifier: Apache-2.0
//
// Xe2 in ESIMD: 16-wide dpas fed by 2D block loads. A thread owns 32x32 of C; one message brings 32x16 of A, one 16x32
// of B and turns its rows into VNNI pairs on the way, so that neither operand is packed and there is no shared local
// memory.
#pragma once

#include <sycl/ext/intel/esimd.hpp>

#include "kernels/kernel.h"

namespace xeforge::kernels {

/// Launched as {M/32, N/32} in groups of {4, 4}.
XEFORGE_KERNEL(2)
SYCL_ESIMD_KERNEL xe2_esimd_block2d(const bf16* a, const bf16* b, float* c, uint32_t m, uint32_t n, uint32_t k) {
  namespace esimd = sycl::ext::intel::esimd;
  const auto item = sycl::ext::oneapi::this_work_item::get_nd_item<2>();
  const int row = item.get_global_id(0) * 32, column = item.get_global_id(1) * 32;

  esimd::simd<float, 128> sum[4][2];
#pragma unroll
  for (int i = 0; i < 8; ++i) sum[i / 2][i % 2] = 0.0f;

  // Widths and pitches are given in bytes less one, heights in rows less one.
  const uint32_t pitch_a = k * 2 - 1, pitch_b = n * 2 - 1, pitch_c = n * 4 - 1;
  for (uint32_t k0 = 0; k0 < k; k0 += 16) {
    esimd::simd<bf16, 512> left = esimd::load_2d<bf16, 16, 32>(a, pitch_a, m - 1, pitch_a, k0, row);
    esimd::simd<bf16, 512> right = esimd::load_2d<bf16, 16, 16, 2, false, true>(b, pitch_b, k - 1, pitch_b, column, k0);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const esimd::simd<bf16, 128> rows = left.select<128, 1>(128 * i);
#pragma unroll
      for (int j = 0; j < 2; ++j) {
        const esimd::simd<bf16, 256> columns = right.select<256, 1>(256 * j);
        sum[i][j] = esimd::xmx::dpas<8, 8, float>(sum[i][j], columns, rows);
      }
    }
  }
#pragma unroll
  for (int i = 0; i < 4; ++i) {
#pragma unroll
    for (int j = 0; j < 2; ++j)
      esimd::store_2d<float, 16, 8>(c, pitch_c, m - 1, pitch_c, column + 16 * j, row + 8 * i, sum[i][j]);
  }
}

}  // namespace xeforge::kernels
