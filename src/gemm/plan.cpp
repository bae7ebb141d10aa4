// SPDX-License-Identifier: Apache-2.0
#include "gemm/plan.h"

#include <array>

#include "gemm/planners.h"
#include "xeforge/gemm/status.h"

namespace xeforge::gemm {

std::span<const PlannerRow> planners() {
  static constexpr std::array kPlanners{PlannerRow{"small", plan_small}, PlannerRow{"packed", plan_packed},
                                        PlannerRow{"portable", plan_portable}};
  return kPlanners;
}

Plan plan(const Call& call, const Features& features, std::string_view only) {
  bool known = only.empty();
  for (const PlannerRow& row : planners()) {
    if (!only.empty() && row.name != only) continue;
    known = true;
    if (auto found = row.plan(call, features)) return std::move(*found);
  }
  if (!known) {
    std::string names;
    for (const PlannerRow& row : planners()) names += (names.empty() ? "" : ", ") + std::string(row.name);
    throw Error(Status::BadStrategy, "no strategy is called '" + std::string(only) + "'; there are " + names);
  }
  if (!only.empty()) {
    throw Error(Status::BadStrategy, "strategy '" + std::string(only) + "' does not take " + to_string(call.problem) +
                                         " on " + features.device);
  }
  throw Error(Status::UnsupportedDevice, "an operand was packed for a matrix engine that " + features.device +
                                             " does not have: pack it with this device's queue");
}

}  // namespace xeforge::gemm
