// SPDX-License-Identifier: Apache-2.0
//
// What the offline compiler accepts for a device although the device cannot do it, or answers with a crash: found here,
// with the reason. To add a check add a row to the table in checks.cpp (SPIR-V) or binary_checks.cpp (machine code).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "compile/spirv.h"
#include "device/device.h"

namespace xeforge::compile {

/// Why `module` must not be compiled for `device`; nullopt if nothing is known against it.
std::optional<std::string> refusal(const spirv::Module& module, const device::Device& device);

/// The same for a finished binary: what the module does not show (raw messages, functions that nobody defined).
/// A binary that cannot be read is not refused: its reader says what is wrong.
std::optional<std::string> binary_refusal(std::span<const std::byte> zebin, const device::Device& device);

/// A sentence about an error of the compiler that does not say what its reader has to do; empty if we know nothing
/// better.
std::string hint_for(const std::string& compiler_log, const device::Device& device);

}  // namespace xeforge::compile
