// SPDX-License-Identifier: Apache-2.0
//
// Timelines for Perfetto (ui.perfetto.dev) in the JSON trace format: a process for each traced Xe-core, a track for
// each thread slot with what it issues and waits for, groups, barriers and messages on their way.
#pragma once

#include <ostream>

#include "observe/recording.h"
#include "timing/result.h"

namespace xeforge::timing {

/// `result` must come from a simulation with traced cores. Times in the file are simulated microseconds.
void write_trace(std::ostream& out, const observe::Recording& recording, const Parameters& parameters,
                 const Result& result);

}  // namespace xeforge::timing
