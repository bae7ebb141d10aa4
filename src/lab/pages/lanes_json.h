// SPDX-License-Identifier: Apache-2.0
//
// A recording of lanes as JSON; short keys, because there are many steps (docs/pages.md names them).
#pragma once

#include <nlohmann/json.hpp>

#include "machine/launch.h"
#include "observe/lanes/lane_recorder.h"

namespace xeforge::lab::pages {

/// {"threads", "phases", "pairs"}. `memory`: whose allocations the addresses are in. `fused`: the device's vector
/// engines work in pairs.
nlohmann::ordered_json lanes_json(const observe::Lanes& lanes, const machine::Kernel& kernel,
                                  const machine::MemorySnapshot& memory, bool fused);

/// The element as a number; 64-bit integers that a number cannot hold, infinities and NaN as text.
nlohmann::ordered_json element_json(uint64_t bits, isa::DataType type);

}  // namespace xeforge::lab::pages
