// SPDX-License-Identifier: Apache-2.0
//
// Launches whose execution is recorded: for files that are timed later (XEFORGE_RECORD), and to be timed at once
// (XEFORGE_MODE=timed).
#pragma once

#include "machine/launch.h"

namespace xeforge::driver {

/// True if launches have to go through run_recorded().
bool recording();

/// Executes and records. Called by one thread at a time.
machine::LaunchResult run_recorded(const machine::Launch& launch, machine::RunOptions options);

}  // namespace xeforge::driver
