// SPDX-License-Identifier: Apache-2.0
//
// The smoke kernels: one product of 8x16 and 16x8 on the matrix engine, with and without an accumulator input; and one
// dpasw, which two fused threads execute together.
#pragma once

#include "kernels/esimd/tile.h"

namespace xeforge::kernels {

/// C = A * B: no accumulator input. A is 8x16, B is VNNI words [8][8].
XEFORGE_KERNEL(1) SYCL_ESIMD_KERNEL dpas_smoke(const bf16* a, const uint32_t* b, float* c) {
  const auto left = esimd::block_load<bf16, 128>(a, kAligned);
  const auto right = esimd::block_load<bf16, 128>(reinterpret_cast<const bf16*>(b), kAligned);
  esimd::block_store<float, 64>(c, xmx::dpas<8, 8, float>(right, left), kAligned);
}

/// C += A * B.
XEFORGE_KERNEL(1) SYCL_ESIMD_KERNEL dpas_smoke_accumulate(const bf16* a, const uint32_t* b, float* c) {
  const auto left = esimd::block_load<bf16, 128>(a, kAligned);
  const auto right = esimd::block_load<bf16, 128>(reinterpret_cast<const bf16*>(b), kAligned);
  const auto old = esimd::block_load<float, 64>(c, kAligned);
  esimd::block_store<float, 64>(c, xmx::dpas<8, 8, float>(old, right, left), kAligned);
}

/// C = A * B with B 16x16 (VNNI words [8][16]): a group of two threads, each with its own eight columns. Thread 0 holds
/// rows 0 to 3 of A and thread 1 rows 4 to 7; dpasw reads them from both.
XEFORGE_KERNEL(1) SYCL_ESIMD_KERNEL dpasw_smoke(const bf16* a, const uint32_t* b, float* c) {
  const uint32_t thread = sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_local_id(0);
  const auto half = esimd::block_load<bf16, 64>(a + thread * 64, kAligned);
  esimd::simd<bf16, 128> right;
#pragma unroll
  for (int row = 0; row < 8; ++row) {
    right.select<16, 1>(16 * row) =
        esimd::block_load<bf16, 16>(reinterpret_cast<const bf16*>(b + row * 16 + thread * 8), kAligned);
  }
  const esimd::simd<float, 64> zero = 0.0f;
  esimd::simd<float, 64> sum = xmx::dpasw<8, 8, float>(zero, right, half);
#pragma unroll
  for (int row = 0; row < 8; ++row)
    esimd::block_store<float, 8>(c + row * 16 + thread * 8, sum.select<8, 1>(8 * row), kAligned);
}

}  // namespace xeforge::kernels
