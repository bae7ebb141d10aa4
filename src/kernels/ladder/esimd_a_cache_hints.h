// SPDX-License-Identifier: Apache-2.0
//
// Rung `esimd_a_cache_hints`: esimd_4buf with cache hints on the reads of A. Which ones is not published: cached in L1
// and L2.
#pragma once

#include "kernels/esimd/many_buffers.h"

namespace xeforge::kernels {

struct HintedReadOfA : PlainReadOfA<2> {
  static void load(EsimdOperands<2>& operands, const bf16* from) {
    constexpr esimd::properties hints{esimd::cache_hint_L1<esimd::cache_hint::cached>,
                                      esimd::cache_hint_L2<esimd::cache_hint::cached>, esimd::alignment<16>};
    DirectA<2>::load(operands, from, hints);
  }
};

inline void esimd_a_cache_hints_body(const EsimdArguments& g) { many_buffers<2, 2, HintedReadOfA>(g); }

XEFORGE_ESIMD_KERNEL(esimd_a_cache_hints)

}  // namespace xeforge::kernels
