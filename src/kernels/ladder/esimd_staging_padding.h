// SPDX-License-Identifier: Apache-2.0
//
// Rung `esimd_staging_padding`: esimd_a_slm_staging with padded slots: 8 of 1056 bytes for A, 16 of 288 for B, twice:
// 26112 bytes.
#pragma once

#include "kernels/esimd/staging.h"

namespace xeforge::kernels {

inline void esimd_staging_padding_body(const EsimdArguments& g) { stage_both<2, 32, 32>(g); }

XEFORGE_ESIMD_KERNEL(esimd_staging_padding)

}  // namespace xeforge::kernels
