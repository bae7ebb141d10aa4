// SPDX-License-Identifier: Apache-2.0
//
// Times a recorded launch: dispatches its groups to Xe-cores and runs these against the shared memory. The same result
// for any number of host threads.
#pragma once

#include <stdexcept>

#include "observe/recording.h"
#include "timing/result.h"

namespace xeforge::timing {

/// A recording that does not run to its end: waits that nobody ends.
struct StuckError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Options {
  /// Xe-cores to simulate; 0: all. Fewer is an approximation: groups are dealt out in turn instead of to whoever is
  /// free, as the cores that get theirs last see it, and the memory's bandwidth is divided evenly.
  unsigned cores = 0;
  /// Groups of a core beyond this many instructions are extrapolated from the steady state; 0: none.
  uint64_t most_instructions_per_core = 0;
  bool warm = true;  ///< caches hold what earlier launches left there: equal ones, but for what takes turns
  /// A caller that takes turns with several equal memories, as one that measures so that caches do not help: launches
  /// of the same kernel one after the other use the next of them. 1: they all use the same.
  unsigned turns = 1;
  uint64_t turn_first_line = 0, turn_lines = 0;  ///< which lines of the recording they stand for
  unsigned host_threads = 1;
  unsigned traced_cores = 0;  ///< the first so many leave slices and spans
};

/// Throws StuckError, and std::invalid_argument for a recording that lacks groups which the options need.
Result simulate(const observe::Recording& recording, const device::Device& device, const Parameters& parameters,
                const Options& options);

/// Time per launch in a back-to-back sequence: the kernel and the gap to the next, or the host's submission if that
/// takes longer.
double launch_us(const Result& result, const Parameters& parameters);

}  // namespace xeforge::timing
