// SPDX-License-Identifier: Apache-2.0
//
// A kernel's instructions for the pages: text, source line, the unit that executes each, its latency and where that
// number is from.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "device/device.h"
#include "isa/decode.h"
#include "lab/pages/kernel_build.h"
#include "machine/launch.h"

namespace xeforge::lab::pages {

/// "fpu", "int", "em", "xmx", "lsc", "slm", "hdc", "gateway", "branch", "scoreboard" or "none": keys of the strings.
std::string unit_of(const isa::Program& program, size_t instruction);

/// The device parameter that states the instruction's latency, empty if there is none.
std::string latency_key(const isa::Instruction& instruction, const std::string& unit, const device::Device& device);

nlohmann::ordered_json isa_json(const machine::Kernel& kernel, const BuiltKernel& built, const std::string& source_name,
                                const device::Device& device);

}  // namespace xeforge::lab::pages
