// SPDX-License-Identifier: Apache-2.0
//
// What is kept of each launch, as include/xeforge/driver_ext.h promises it.
#pragma once

#include <string>

#include "driver/timed.h"
#include "machine/launch.h"

namespace xeforge::driver {

/// One JSON object.
std::string launch_report(const machine::Launch& launch, const machine::LaunchResult& result,
                          const std::optional<SimulatedTime>& time = {});

/// Keeps the report for take_reports() and appends it as a line to XEFORGE_REPORT.
void record_launch(const machine::Launch& launch, const machine::LaunchResult& result,
                   const std::optional<SimulatedTime>& time);

/// All reports since the last call, as a JSON array.
std::string take_reports();

}  // namespace xeforge::driver
