// SPDX-License-Identifier: Apache-2.0
//
// Rung `esimd_a_prefetch_l1`: esimd_4buf that asks for the next pair of K tiles of A to be brought into L1: eight
// messages of 256 bytes per trip.
#pragma once

#include "kernels/esimd/many_buffers.h"

namespace xeforge::kernels {

struct PrefetchedReadOfA : PlainReadOfA<2> {
  static constexpr bool kPrefetches = true;
  template <int Batch>
  static void prefetch(const bf16* next) {
    constexpr esimd::properties hints{esimd::cache_hint_L1<esimd::cache_hint::cached>,
                                      esimd::cache_hint_L2<esimd::cache_hint::cached>};
#pragma unroll
    for (int tile = 0; tile < Batch; ++tile) {
#pragma unroll
      for (int o = 0; o < 4; ++o) {
        const bf16* line = next + tile * kPackedTileA + o * kOperandElements;
        esimd::prefetch<uint32_t, 64>(reinterpret_cast<const uint32_t*>(line), hints);
      }
    }
  }
};

inline void esimd_a_prefetch_l1_body(const EsimdArguments& g) { many_buffers<2, 2, PrefetchedReadOfA>(g); }

XEFORGE_ESIMD_KERNEL(esimd_a_prefetch_l1)

}  // namespace xeforge::kernels
