// SPDX-License-Identifier: Apache-2.0
//
// Micro-benchmarks of loads: streams of 256-byte blocks from the L1, from local memory, from both, from memory, and
// prefetches. Elements are small whole numbers: sums are exact, in whatever order.
#pragma once

#include "kernels/micro/micro.h"

namespace xeforge::kernels {

/// Floats of a block: 256 bytes.
inline constexpr int kMicroBlock = 64;
/// Blocks of the window that a stream from the L1, or from local memory, goes round in.
inline constexpr uint32_t kMicroL1Blocks = 64, kMicroSlmBlocks = 64;

using MicroSum = esimd::simd<float, kMicroBlock>;

inline void micro_store_sum(uint32_t* out, MicroSum sum) {
  esimd::simd<float, 32> both = sum.select<32, 1>(0) + sum.select<32, 1>(32);
  micro_store<float>(out, both.select<16, 1>(0) + both.select<16, 1>(16));
}

inline MicroSum micro_block(const float* from, uint32_t block) {
  return esimd::block_load<float, kMicroBlock>(from + block * kMicroBlock, kMicroAligned);
}

/// Group of 32 threads: each brings two blocks of the window into local memory.
inline void micro_fill_slm(const float* from) {
#pragma unroll
  for (uint32_t i = 0; i < 2; ++i) {
    const uint32_t block = 2 * micro_local() + i;
    esimd::slm_block_store<float, kMicroBlock>(block * kMicroBlock * 4, micro_block(from, block), kMicroAligned);
  }
  esimd::barrier();
}

/// Four blocks a trip, each thread from another place on.
XEFORGE_KERNEL(1) SYCL_ESIMD_KERNEL micro_l1_stream(const uint32_t* in, uint32_t* out, uint32_t trips) {
  const auto* from = reinterpret_cast<const float*>(in);
  MicroSum sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  uint32_t block = micro_local() * 4;
#pragma nounroll
  for (uint32_t trip = 0; trip < trips; ++trip, block += 4) {
#pragma unroll
    for (uint32_t i = 0; i < 4; ++i) sum[i] += micro_block(from, block % kMicroL1Blocks + i);
  }
  micro_store_sum(out, sum[0] + sum[1] + sum[2] + sum[3]);
}

XEFORGE_KERNEL(1) SYCL_ESIMD_KERNEL micro_slm_stream(const uint32_t* in, uint32_t* out, uint32_t trips) {
  esimd::slm_init<kMicroSlmBlocks * kMicroBlock * 4>();
  micro_fill_slm(reinterpret_cast<const float*>(in));
  MicroSum sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  uint32_t block = micro_local() * 4;
#pragma nounroll
  for (uint32_t trip = 0; trip < trips; ++trip, block += 4) {
#pragma unroll
    for (uint32_t i = 0; i < 4; ++i) {
      sum[i] +=
          esimd::slm_block_load<float, kMicroBlock>((block % kMicroSlmBlocks + i) * kMicroBlock * 4, kMicroAligned);
    }
  }
  micro_store_sum(out, sum[0] + sum[1] + sum[2] + sum[3]);
}

/// Two blocks from each a trip.
XEFORGE_KERNEL(1) SYCL_ESIMD_KERNEL micro_slm_and_l1(const uint32_t* in, uint32_t* out, uint32_t trips) {
  esimd::slm_init<kMicroSlmBlocks * kMicroBlock * 4>();
  const auto* from = reinterpret_cast<const float*>(in);
  micro_fill_slm(from);
  MicroSum sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  uint32_t block = micro_local() * 2;
#pragma nounroll
  for (uint32_t trip = 0; trip < trips; ++trip, block += 2) {
#pragma unroll
    for (uint32_t i = 0; i < 2; ++i) {
      sum[i] += micro_block(from, block % kMicroL1Blocks + i);
      sum[2 + i] +=
          esimd::slm_block_load<float, kMicroBlock>((block % kMicroSlmBlocks + i) * kMicroBlock * 4, kMicroAligned);
    }
  }
  micro_store_sum(out, sum[0] + sum[1] + sum[2] + sum[3]);
}

/// Each thread its own part, once: four blocks a trip.
XEFORGE_KERNEL(1) SYCL_ESIMD_KERNEL micro_dram_stream(const uint32_t* in, uint32_t* out, uint32_t trips) {
  const auto* from = reinterpret_cast<const float*>(in);
  MicroSum sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  // Neighbouring threads read neighbouring blocks at the same time.
  const uint32_t threads = sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_range(0);
  uint32_t block = micro_thread() * 4;
#pragma nounroll
  for (uint32_t trip = 0; trip < trips; ++trip, block += 4 * threads) {
#pragma unroll
    for (uint32_t i = 0; i < 4; ++i) sum[i] += micro_block(from, block + i);
  }
  micro_store_sum(out, sum[0] + sum[1] + sum[2] + sum[3]);
}

/// Four prefetches of 256 bytes a trip, all of lines that are in the L1.
XEFORGE_KERNEL(1) SYCL_ESIMD_KERNEL micro_prefetch(const uint32_t* in, uint32_t* out, uint32_t trips) {
  const auto* from = reinterpret_cast<const float*>(in);
  uint32_t block = micro_local() * 4;
#pragma nounroll
  for (uint32_t trip = 0; trip < trips; ++trip, block += 4) {
#pragma unroll
    for (uint32_t i = 0; i < 4; ++i) {
      esimd::prefetch<float, kMicroBlock>(from + (block % kMicroL1Blocks + i) * kMicroBlock,
                                          esimd::properties{esimd::cache_hint_L1<esimd::cache_hint::cached>,
                                                            esimd::cache_hint_L2<esimd::cache_hint::cached>});
    }
  }
  micro_store_sum(out, micro_block(from, block % kMicroL1Blocks));
}

}  // namespace xeforge::kernels
