// SPDX-License-Identifier: Apache-2.0
//
// Micro-benchmarks of groups: barriers, where groups run, and in which order they walk over panels.
#pragma once

#include "kernels/micro/memory.h"

namespace xeforge::kernels {

/// Eight barriers a trip; at the end each thread reads what its neighbour left.
XEFORGE_KERNEL(1) SYCL_ESIMD_KERNEL micro_barrier(const uint32_t* in, uint32_t* out, uint32_t trips) {
  esimd::slm_init<32 * 64>();
  esimd::simd<uint32_t, 16> x = micro_load<uint32_t>(in, micro_local());
#pragma nounroll
  for (uint32_t trip = 0; trip < trips; ++trip) {
#pragma unroll
    for (int i = 0; i < 8; ++i) esimd::barrier();
  }
  esimd::slm_block_store<uint32_t, 16>(micro_local() * 64, x, kMicroAligned);
  esimd::barrier();
  micro_store<uint32_t>(out, esimd::slm_block_load<uint32_t, 16>((micro_local() + 1) % 32 * 64, kMicroAligned));
}

/// The same work in every group. Launched as one and as one and a half sets of groups that a device holds at once.
XEFORGE_KERNEL(1) SYCL_ESIMD_KERNEL micro_place(const uint32_t* in, uint32_t* out, uint32_t trips) {
  const esimd::simd<float, 16> s = micro_load<float>(in, 0), c = micro_load<float>(in, 1);
  micro_store<float>(out, micro_chain(c, s, c, trips));
}

/// The same with local memory, a quarter of what a core of Xe-HPG has for each group.
XEFORGE_KERNEL(1) SYCL_ESIMD_KERNEL micro_place_slm(const uint32_t* in, uint32_t* out, uint32_t trips) {
  esimd::slm_init<32768>();
  const esimd::simd<float, 16> s = micro_load<float>(in, 0), c = micro_load<float>(in, 1);
  esimd::slm_block_store<float, 16>(micro_local() * 64, c, kMicroAligned);
  esimd::barrier();
  esimd::simd<float, 16> x = esimd::slm_block_load<float, 16>((micro_local() + 1) % 32 * 64, kMicroAligned);
  micro_store<float>(out, micro_chain(x, s, c, trips));
}

/// A group of 4x4 threads reads a panel of the left and one of the right matrix, as in a product: thread (r, c) the
/// quarters r and c of 8 and of 64 blocks. 16 groups by 16; the walk decides which of the two neighbours share.
template <bool LeftFastest>
inline void micro_walk(const uint32_t* in, uint32_t* out) {
  constexpr uint32_t side = 16, left_blocks = 8, right_blocks = 64;
  const auto* left = reinterpret_cast<const float*>(in);
  const auto* right = left + side * left_blocks * kMicroBlock;
  const uint32_t group = micro_thread() / 16, row = micro_local() / 4, column = micro_local() % 4;
  const uint32_t i = LeftFastest ? group % side : group / side, j = LeftFastest ? group / side : group % side;
  MicroSum sum[2] = {0.0f, 0.0f};
#pragma nounroll
  for (uint32_t k = 0; k < right_blocks / 4; ++k) {
    sum[0] += micro_block(left, i * left_blocks + row * (left_blocks / 4) + k % (left_blocks / 4));
    sum[1] += micro_block(right, j * right_blocks + column * (right_blocks / 4) + k);
  }
  micro_store_sum(out, sum[0] + sum[1]);
}

XEFORGE_KERNEL(1) SYCL_ESIMD_KERNEL micro_walk_left(const uint32_t* in, uint32_t* out, uint32_t) {
  micro_walk<true>(in, out);
}

XEFORGE_KERNEL(1) SYCL_ESIMD_KERNEL micro_walk_right(const uint32_t* in, uint32_t* out, uint32_t) {
  micro_walk<false>(in, out);
}

}  // namespace xeforge::kernels
