// SPDX-License-Identifier: Apache-2.0
//
// Rung `esimd_a_slm_staging`: the 32 threads copy the group's 8 KB of packed A into shared local memory, 256 bytes
// each, and read operands of both A and B from there: 8 messages of 256 bytes. One barrier per K tile again.
#pragma once

#include "kernels/esimd/staging.h"

namespace xeforge::kernels {

inline void esimd_a_slm_staging_body(const EsimdArguments& g) { stage_both<2>(g); }

XEFORGE_ESIMD_KERNEL(esimd_a_slm_staging)

}  // namespace xeforge::kernels
