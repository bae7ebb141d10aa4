// SPDX-License-Identifier: Apache-2.0
//
// Micro-benchmark of the matrix engine of Xe-HPG: eight columns.
#pragma once

#include "kernels/micro/alu.h"

namespace xeforge::kernels {

XEFORGE_KERNEL(1) SYCL_ESIMD_KERNEL micro_dpas8(const uint32_t* in, uint32_t* out, uint32_t trips) {
  micro_dpas<8>(in, out, trips);
}

}  // namespace xeforge::kernels
