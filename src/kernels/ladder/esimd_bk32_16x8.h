// SPDX-License-Identifier: Apache-2.0
//
// Rung `esimd_bk32_16x8`: esimd_bk16_16x8 with K tiles of 32: half the barriers.
#pragma once

#include "kernels/esimd/two_buffers.h"

namespace xeforge::kernels {

inline void esimd_bk32_16x8_body(const EsimdArguments& g) { double_buffer_rows<1, 32>(g); }

XEFORGE_ESIMD_KERNEL(esimd_bk32_16x8)

}  // namespace xeforge::kernels
