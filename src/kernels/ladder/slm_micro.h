// SPDX-License-Identifier: Apache-2.0
//
// The micro-kernel of shared local memory: one group of 16 threads computes 32x32x32 as 4x4 tiles of 8x8, in two K
// tiles of 16 that go through two buffers of 2 KB. A is row major, B is VNNI words [16][32].
#pragma once

#include "kernels/esimd/tile.h"

namespace xeforge::kernels {

XEFORGE_KERNEL(1) SYCL_ESIMD_KERNEL slm_micro(const bf16* a, const uint32_t* b, float* c) {
  constexpr int size = 32, buffer_bytes = 2048, offset_b = 1024;
  esimd::slm_init<2 * buffer_bytes>();
  const uint32_t lid = sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_local_id(0);
  const uint32_t row = lid / 4, column = lid % 4;

  // A thread copies two rows of A (16 elements each) and half a row of words of B.
  const auto fill = [&](uint32_t buffer, uint32_t tile) {
#pragma unroll
    for (uint32_t i = 0; i < 2; ++i) {
      const auto line = esimd::block_load<bf16, 16>(a + (2 * lid + i) * size + tile * 16, kAligned);
      esimd::slm_block_store<bf16, 16>(buffer * buffer_bytes + (2 * lid + i) * 32, line, kAligned);
    }
    const auto words = esimd::block_load<uint32_t, 16>(b + (tile * 8 + lid / 2) * size + lid % 2 * 16, kAligned);
    esimd::slm_block_store<uint32_t, 16>(buffer * buffer_bytes + offset_b + lid * 64, words, kAligned);
  };

  esimd::simd<float, 64> sum = 0.0f;
  fill(0, 0);
  esimd::barrier();
  for (uint32_t tile = 0; tile < 2; ++tile) {
    if (tile == 0) fill(1, 1);
    const auto left = esimd::slm_block_load<bf16, 128>(tile * buffer_bytes + row * 256, kAligned);
    esimd::simd<bf16, 128> right;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      right.select<16, 1>(16 * i) =
          esimd::slm_block_load<bf16, 16>(tile * buffer_bytes + offset_b + i * 128 + column * 32, kAligned);
    }
    sum = xmx::dpas<8, 8, float>(sum, right, left);
    esimd::barrier();
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    esimd::block_store<float, 8>(c + (row * 8 + i) * size + column * 8, sum.select<8, 1>(8 * i), kAligned);
  }
}

}  // namespace xeforge::kernels
