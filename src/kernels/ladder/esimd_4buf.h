// SPDX-License-Identifier: Apache-2.0
//
// Rung `esimd_4buf`: esimd_addr_step with four buffers of B and two K tiles per barrier. K is a multiple of 64.
#pragma once

#include "kernels/esimd/many_buffers.h"

namespace xeforge::kernels {

inline void esimd_4buf_body(const EsimdArguments& g) { many_buffers<2, 2>(g); }

XEFORGE_ESIMD_KERNEL(esimd_4buf)

}  // namespace xeforge::kernels
