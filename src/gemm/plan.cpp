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

void require_strategy(std::string_view name) {
  std::string names;
  for (const PlannerRow& row : planners()) {
    if (row.name == name) return;
    names += (names.empty() ? "" : ", ") + std::string(row.name);
  }
  throw Error(Status::BadStrategy, "no strategy is called '" + std::string(name) + "'; there are " + names);
}

Plan plan(const Call& call, const Features& features, std::string_view only) {
  if (!only.empty()) require_strategy(only);
  for (const PlannerRow& row : planners()) {
    if (!only.empty() && row.name != only) continue;
    if (auto found = row.plan(call, features)) return std::move(*found);
  }
  if (!only.empty()) {
    throw Error(Status::BadStrategy, "strategy '" + std::string(only) + "' does not take " + to_string(call.problem) +
                                         " on " + features.device);
  }
  throw Error(Status::UnsupportedDevice, "an operand was packed for a matrix engine that " + features.device +
                                             " does not have: pack it with this device's queue");
}

}  // namespace xeforge::gemm
