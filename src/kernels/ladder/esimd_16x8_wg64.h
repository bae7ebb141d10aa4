// SPDX-License-Identifier: Apache-2.0
//
// Rung `esimd_16x8_wg64`: esimd_4buf with 64 threads of 16x8: more threads to hide latency with, and each operand of A
// is read by eight threads instead of four.
#pragma once

#include "kernels/esimd/many_buffers.h"

namespace xeforge::kernels {

inline void esimd_16x8_wg64_body(const EsimdArguments& g) { many_buffers<1, 2>(g); }

XEFORGE_ESIMD_KERNEL(esimd_16x8_wg64)

}  // namespace xeforge::kernels
