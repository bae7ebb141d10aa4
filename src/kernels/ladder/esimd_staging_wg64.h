// SPDX-License-Identifier: Apache-2.0
//
// Rung `esimd_staging_wg64`: esimd_a_slm_staging with 64 threads of 16x8: each row of A is read by eight threads.
#pragma once

#include "kernels/esimd/staging.h"

namespace xeforge::kernels {

inline void esimd_staging_wg64_body(const EsimdArguments& g) { stage_both<1>(g); }

XEFORGE_ESIMD_KERNEL(esimd_staging_wg64)

}  // namespace xeforge::kernels
