// SPDX-License-Identifier: Apache-2.0
//
// Rung `esimd_bk16_16x8`: the first ESIMD kernel: K tiles of 16, 16x8 per thread, two buffers. The group is not
// published; 64 threads and 128x64 are assumed.
#pragma once

#include "kernels/esimd/two_buffers.h"

namespace xeforge::kernels {

inline void esimd_bk16_16x8_body(const EsimdArguments& g) { double_buffer_rows<1, 16>(g); }

XEFORGE_ESIMD_KERNEL(esimd_bk16_16x8)

}  // namespace xeforge::kernels
