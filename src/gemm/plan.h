// SPDX-License-Identifier: Apache-2.0
//
// What a planner makes of a call: the launches that compute it. A planner is one function; those of the fast kernels
// are asked first (planners() in plan.cpp), the portable one takes everything.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sycl/sycl.hpp>

#include "gemm/kernel_library.h"
#include "xeforge/gemm/epilogue.h"
#include "xeforge/gemm/features.h"
#include "xeforge/gemm/problem.h"

namespace xeforge::gemm {

/// A whole call as planners see it: every number is resolved, everything was checked, and C is stored by rows (a call
/// by columns arrives as its transpose: A and B exchanged, rows of the epilogue become columns). m, n and batch are
/// positive.
struct Call {
  Problem problem;  ///< order is Rows; no kDense
  /// The matrices, or for a batch of pointers the addresses of them in device memory.
  const void* a = nullptr;
  const void* b = nullptr;
  void* c = nullptr;
  bool pointer_arrays = false;
  /// Factors in device memory; null: those of the problem. A kernel that reads them keeps the rules for 0 itself.
  const float* alpha = nullptr;
  const float* beta = nullptr;
  Epilogue epilogue;
  /// Operands that were packed before (prepacked.h): `a`, `b` are theirs. The unit of their layout (operand_layout.h),
  /// 0 for others; and how many matrices they are: 1 for all, or the batch.
  std::uint32_t packed_unit_a = 0, packed_unit_b = 0;
  std::int64_t packed_batch_a = 0, packed_batch_b = 0;
};

/// One launch. `arguments` sets them; it is given the workspace of the call.
struct Launch {
  Module module;
  std::string kernel;
  sycl::nd_range<3> range{{1, 1, 1}, {1, 1, 1}};
  std::function<void(sycl::handler&, std::byte* workspace)> arguments;
};

struct Plan {
  std::string strategy;  ///< one line that names it and its numbers
  std::size_t workspace = 0;
  std::vector<Launch> launches;  ///< each begins when the one before it has ended
};

/// The plan, or nothing: "not mine". A null pointer in the call is a question about the workspace: nothing is read.
using Planner = std::optional<Plan> (*)(const Call&, const Features&);

struct PlannerRow {
  std::string_view name;
  Planner plan;
};

/// In the order in which they are asked.
std::span<const PlannerRow> planners();

/// Throws Error BadStrategy, with the names that there are, if no planner has this one and it is no text of a strategy
/// (strategy.h).
void require_strategy(std::string_view name);

/// The value of XEFORGE_GEMM_STRATEGY; empty: any strategy. Throws Error BadStrategy as require_strategy().
std::string_view strategy_of_environment();

/// The first planner's plan. `only`: the name of the planner to take, or the text of a strategy; empty: that of the
/// environment, or any. Throws Error UnsupportedDevice if none can, or BadStrategy.
Plan plan(const Call& call, const Features& features, std::string_view only = {});

}  // namespace xeforge::gemm
