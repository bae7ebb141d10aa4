// SPDX-License-Identifier: Apache-2.0
//
// Rung `esimd_8buf`: eight buffers (32 KB) and four K tiles per barrier. K is a multiple of 128.
#pragma once

#include "kernels/esimd/many_buffers.h"

namespace xeforge::kernels {

inline void esimd_8buf_body(const EsimdArguments& g) { many_buffers<2, 4>(g); }

XEFORGE_ESIMD_KERNEL(esimd_8buf)

}  // namespace xeforge::kernels
