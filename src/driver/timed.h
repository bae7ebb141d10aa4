// SPDX-License-Identifier: Apache-2.0
//
// Launches whose execution is recorded: to be timed at once (XEFORGE_MODE=timed), or for files that are timed later
// (XEFORGE_RECORD).
#pragma once

#include <optional>
#include <string>

#include "machine/launch.h"

namespace xeforge::driver {

/// Simulated time of a launch.
struct SimulatedTime {
  double kernel_us = 0;
  double per_launch_us = 0;  ///< in a back-to-back sequence of such launches
  std::string details;       ///< a JSON object: model, metrics, causes
};

/// True if launches have to go through run_recorded().
bool recording();

/// Executes, records and, in timed mode, times. Called by one thread at a time.
machine::LaunchResult run_recorded(const machine::Launch& launch, machine::RunOptions options,
                                   std::optional<SimulatedTime>& time);

}  // namespace xeforge::driver
