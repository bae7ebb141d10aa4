// SPDX-License-Identifier: Apache-2.0
//
// The planners, and what they share.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gemm/plan.h"

namespace xeforge::gemm {

/// How many of size `of` cover `size`.
constexpr std::int64_t blocks(std::int64_t size, std::int64_t of) { return (size + of - 1) / of; }

/// What lies in the workspace begins at pages.
constexpr std::size_t page_multiple(std::int64_t bytes) {
  constexpr std::size_t kPage = 4096;
  return (static_cast<std::size_t>(bytes) + kPage - 1) / kPage * kPage;
}

/// The portable kernel for everything whose operands are not packed for a matrix engine.
std::optional<Plan> plan_portable(const Call& call, const Features& features);
/// The same for problems so small that packing would take longer than multiplying.
std::optional<Plan> plan_small(const Call& call, const Features& features);
/// The fast kernel that the selector thinks is the fastest (strategy.h).
std::optional<Plan> plan_fast(const Call& call, const Features& features);
/// The strategy of this text. Throws Error BadStrategy: the text is wrong, or the strategy does not take the call.
Plan plan_named(const Call& call, const Features& features, std::string_view strategy);
/// Packs on the device what is not packed yet, and multiplies on the matrix engine: bf16, f16, s8, u8.
std::optional<Plan> plan_packed(const Call& call, const Features& features);

}  // namespace xeforge::gemm
