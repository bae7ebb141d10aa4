// SPDX-License-Identifier: Apache-2.0
//
// The clock model's view of a launch, for the pages and for Perfetto.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "machine/launch.h"

namespace xeforge::lab::pages {

/// {"model", "cycles", "us", "warm", "causes", "slices", "groups", "barriers", "instruction_cycles"}: times in clocks;
/// slices of Xe-core 0: [begin, end, engine, slot, cause, instruction].
/// `trace`, unless null, gets the same for Perfetto. Throws std::runtime_error for a launch that faults.
nlohmann::ordered_json timing_json(const machine::Launch& launch, std::string* trace = nullptr);

/// Where a launch's groups went: {"cycles", "cores": [core of each group], "spans": [[begin, end] of each group]}.
nlohmann::ordered_json dispatch_json(const machine::Launch& launch);

}  // namespace xeforge::lab::pages
