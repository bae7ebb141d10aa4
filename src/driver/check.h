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

/// What the checkers of XEFORGE_CHECK need to be known of memory from the beginning.
void prepare_memory_for_checks(Usm& usm);

/// Runs a launch with the chosen checkers; what they find is recorded.
machine::LaunchResult run_checked(const LaunchRequest& request, machine::RunOptions options);

}  // namespace xeforge::driver
