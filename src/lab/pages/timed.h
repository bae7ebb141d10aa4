// SPDX-License-Identifier: Apache-2.0
//
// The clock model's view of a launch, for the pages and for Perfetto.
#pragma once

#include <nlohmann/json.hpp>

#include "machine/launch.h"

namespace xeforge::lab::pages {

/// {"model", "cycles", "us", "warm", "causes", "slices", "groups", "barriers", "instruction_cycles"}: times in clocks;
/// slices of Xe-core 0: [begin, end, engine, slot, cause, instruction].
/// Throws std::runtime_error for a launch that faults.
nlohmann::ordered_json timing_json(const machine::Launch& launch);

/// Where a launch's groups went: {"cycles", "cores": [core of each group], "spans": [[begin, end] of each group]}.
nlohmann::ordered_json dispatch_json(const machine::Launch& launch);

/// A trace in the Trace Event format that Perfetto opens, from what timing_json() gave; `isa` as isa_json() gave it.
nlohmann::ordered_json trace_json(const nlohmann::ordered_json& timing, const nlohmann::ordered_json& isa,
                                  const std::string& title);

}  // namespace xeforge::lab::pages
