// SPDX-License-Identifier: Apache-2.0
//
// Runs another program to its end and collects what it says. Fit for use inside a foreign process (the driver is
// loaded into one): posix_spawn instead of fork, so no buffered output of the host is written twice and none of its
// locks is copied; no descriptor of the host is inherited; the host's signal dispositions and masks are not either.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace xeforge::compile {

struct ProcessRequest {
  std::filesystem::path program;         ///< path, not searched
  std::vector<std::string> arguments;    ///< without argv[0]
  std::filesystem::path directory;       ///< working directory of the child
  std::chrono::milliseconds timeout{0};  ///< 0: none. The whole process group is killed when it has passed.
};

struct ProcessResult {
  bool started = false;
  int exit_code = -1;  ///< valid if !signal and !timed_out
  int signal = 0;      ///< the signal that ended it, or 0
  bool timed_out = false;
  std::string output;  ///< stdout and stderr in the order written; at most kMaxOutput bytes
  std::string start_error;

  bool ok() const { return started && !timed_out && signal == 0 && exit_code == 0; }
  /// "ended with exit code 3", "was killed by signal 11 (Segmentation fault)", ...
  std::string how_it_ended() const;
};

inline constexpr size_t kMaxOutput = size_t{16} << 20;

/// The child's environment is this process's without what would change how a compiler loads or behaves: LD_*, ZE_*,
/// NEO*, IGC_*, and the like (process.cpp has the list).
ProcessResult run_process(const ProcessRequest& request);

}  // namespace xeforge::compile
