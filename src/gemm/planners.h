// SPDX-License-Identifier: Apache-2.0
//
// The planners that take what no fast kernel does.
#pragma once

#include "gemm/plan.h"

namespace xeforge::gemm {

/// The portable kernel for everything whose operands are not packed for a matrix engine.
std::optional<Plan> plan_portable(const Call& call, const Features& features);
/// The same for problems so small that packing would take longer than multiplying.
std::optional<Plan> plan_small(const Call& call, const Features& features);
/// Packs on the device what is not packed yet, and multiplies on the matrix engine: bf16, f16, s8, u8.
std::optional<Plan> plan_packed(const Call& call, const Features& features);

}  // namespace xeforge::gemm
