// SPDX-License-Identifier: Apache-2.0
//
// The general kernel as a module, for whoever compiles or looks at it without the library's front door
// (include/xeforge/gemm.h).
#pragma once

#include "gemm/kernel_library.h"

namespace xeforge::gemm {

inline constexpr unsigned kGeneralThreads = 32;      ///< per group
inline constexpr unsigned kGeneralSlmBytes = 24576;  ///< per group

/// The four forms of one prefetch distance; their names: Gemm::kernel_name().
Module general_module(unsigned prefetch_distance);

}  // namespace xeforge::gemm
