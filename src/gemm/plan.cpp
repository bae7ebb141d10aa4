// SPDX-License-Identifier: Apache-2.0
#include "gemm/plan.h"

#include <array>
#include <cstdlib>

#include "gemm/planners.h"
#include "gemm/strategy.h"
#include "xeforge/gemm/status.h"

namespace xeforge::gemm {

std::span<const PlannerRow> planners() {
  static constexpr std::array kPlanners{PlannerRow{"small", plan_small}, PlannerRow{"fast", plan_fast},
                                        PlannerRow{"packed", plan_packed}, PlannerRow{"portable", plan_portable}};
  return kPlanners;
}

namespace {

/// Names of planners have no spaces, texts of strategies do.
bool is_text(std::string_view strategy) { return strategy.find(' ') != std::string_view::npos; }

}  // namespace

void require_strategy(std::string_view name) {
  if (is_text(name)) {
    parse_strategy(name);
    return;
  }
  std::string names;
  for (const PlannerRow& row : planners()) {
    if (row.name == name) return;
    names += (names.empty() ? "" : ", ") + std::string(row.name);
  }
  throw Error(Status::BadStrategy, "no strategy is called '" + std::string(name) + "'; there are " + names +
                                       ", and texts such as 'hpg_packed 32x32 group 4x4'");
}

std::string_view strategy_of_environment() {
  const char* const text = std::getenv("XEFORGE_GEMM_STRATEGY");
  if (text == nullptr || *text == '\0') return {};
  require_strategy(text);
  return text;
}

Plan plan(const Call& call, const Features& features, std::string_view only) {
  if (only.empty()) {
    only = strategy_of_environment();
  } else {
    require_strategy(only);
  }
  if (is_text(only)) return plan_named(call, features, only);
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
