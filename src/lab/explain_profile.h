// SPDX-License-Identifier: Apache-2.0
//
// Where the instructions of a launch went: from its recording, how often each was executed, and what the loops are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/inspect_kernel.h"
#include "observe/recording.h"

namespace xeforge::lab {

/// Something known of each instruction, in the order of the code. Whoever knows more (a clock: where threads waited)
/// adds a column.
struct ProfileColumn {
  std::string title;
  std::vector<std::string> cells;
};

struct LoopProfile {
  Loop loop;
  std::uint64_t executed = 0;  ///< instructions, inner loops included
  std::uint64_t trips = 0;     ///< how often its backward branch was executed, over all threads
  observe::Counters counts;    ///< of `executed`
};

struct KernelProfile {
  std::string kernel, device;
  observe::Recording recording;
  std::uint64_t threads = 0;
  std::vector<std::uint64_t> executed;  ///< by instruction of recording.program
  observe::Counters counts;
  std::vector<LoopProfile> loops;      ///< by address
  std::vector<ProfileColumn> columns;  ///< the first is `executed`

  /// The innermost loop in which most was executed; nullptr without loops.
  const LoopProfile* hottest() const;
};

/// Throws std::runtime_error if the recording holds no program.
KernelProfile profile(observe::Recording recording);

}  // namespace xeforge::lab
