// SPDX-License-Identifier: Apache-2.0
//
// One launch on the machine, recorded, as the JSON that a page plays. Format: docs/pages.md.
#pragma once

#include <nlohmann/json.hpp>

#include "lab/pages/figure_kernels.h"
#include "lab/pages/kernel_build.h"

namespace xeforge::lab::pages {

using Json = nlohmann::ordered_json;

/// Throws UserError if the file has no such kernel. A fault of the kernel is part of the result ("fault").
/// `trace`, unless null, gets the simulated launch for Perfetto; empty after a fault.
Json record(const FigureLaunch& launch, const BuiltFile& file, const device::Device& device,
            std::string* trace = nullptr);

/// Where the launch's groups went, in simulated time: dispatch_json() of timed.h.
Json dispatch(const FigureLaunch& launch, const BuiltFile& file, const device::Device& device);

/// What a kernel that nobody described is launched with: every pointer a buffer of `elements` 4-byte elements, integers
/// the number of work-items, floats 1, local memory 4 bytes a work-item.
std::vector<Argument> guessed_arguments(const BuiltKernel& built, uint32_t elements, uint32_t group_items);

}  // namespace xeforge::lab::pages
