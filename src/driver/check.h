// SPDX-License-Identifier: Apache-2.0
//
// The checkers over a process: chosen by XEFORGE_CHECK or by the program itself (include/xeforge/driver_ext.h), run
// with every launch, their findings kept for the program and appended to XEFORGE_CHECK_LOG.
#pragma once

#include "driver/launch.h"
#include "observe/check/checker.h"

namespace xeforge::driver {

/// True if launches are checked.
bool checking();

/// Runs a launch with the chosen checkers; what they find is recorded.
machine::LaunchResult run_checked(const LaunchRequest& request, machine::RunOptions options);

}  // namespace xeforge::driver
