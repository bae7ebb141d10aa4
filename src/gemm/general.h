// SPDX-License-Identifier: Apache-2.0
//
// The general kernel as a module, for whoever compiles or looks at it without the library's front door
// (include/xeforge/gemm.h).
#pragma once

#include "gemm/kernel_library.h"
#include "xeforge/gemm/gemm.h"

namespace xeforge::gemm {

inline constexpr unsigned kGeneralThreads = 32;      ///< per group
inline constexpr unsigned kGeneralSlmBytes = 24576;  ///< per group

/// The four forms of one prefetch distance; their names: Gemm::kernel_name().
Module general_module(unsigned prefetch_distance);
/// "general", or "prefetch2" for distance 2.
std::string general_family(unsigned prefetch_distance);

/// Everything that can be wrong with a call of the general kernel (Gemm::multiply() of host-packed operands).
void check_general(const Problem& problem, const PackedA& a, const PackedB& b, const float* c, const Features& features,
                   const sycl::context& context, const sycl::device& device);

}  // namespace xeforge::gemm
