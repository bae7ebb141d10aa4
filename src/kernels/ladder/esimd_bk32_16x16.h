// SPDX-License-Identifier: Apache-2.0
//
// Rung `esimd_bk32_16x16`: 32 threads compute 128x64, each 16x16; two buffers of K tiles of 32 in shared local
// memory, read in messages of 32 bytes.
#pragma once

#include "kernels/esimd/two_buffers.h"

namespace xeforge::kernels {

inline void esimd_bk32_16x16_body(const EsimdArguments& g) { double_buffer_rows<2, 32>(g); }

XEFORGE_ESIMD_KERNEL(esimd_bk32_16x16)

}  // namespace xeforge::kernels
