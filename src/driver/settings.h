// SPDX-License-Identifier: Apache-2.0
//
// The XEFORGE_* variables of the driver, read once.
#pragma once

#include <cstdint>
#include <string>

namespace xeforge::driver {

struct Settings {
  std::string device = "a770";              ///< XEFORGE_DEVICE
  unsigned host_threads = 0;                ///< XEFORGE_HOST_THREADS, 0 = all
  uint64_t watchdog_instructions = 0;       ///< XEFORGE_WATCHDOG, 0 = the machine's default
  bool verbose = false;                     ///< XEFORGE_VERBOSE
  bool stateful_bounds_are_errors = false;  ///< XEFORGE_STRICT_SURFACES
  bool exchange_pairs = false;              ///< XEFORGE_EXCHANGE_PAIRS
  std::string checks;                       ///< XEFORGE_CHECK: checkers by name, separated by commas; empty: none
  std::string check_log;                    ///< XEFORGE_CHECK_LOG: a JSON line for what each launch's checks found
  bool timed = false;                       ///< XEFORGE_MODE=timed: kernels get simulated time
  unsigned timed_cores = 0;                 ///< XEFORGE_TIMED_CORES: Xe-cores to simulate, 0 = all
  std::string trace_file;                   ///< XEFORGE_TRACE: timeline of the last timed launch's first Xe-core
  std::string record_directory;             ///< XEFORGE_RECORD: each launch's recording is written there
  bool control_only = false;                ///< XEFORGE_CONTROL_ONLY: recorded launches leave matrix arithmetic out
  std::string report_file;                  ///< XEFORGE_REPORT: a JSON line for each launch is appended
  std::string dump_directory;               ///< XEFORGE_DUMP_MODULES: every module's input and binary are written there
};

/// Throws std::invalid_argument that names the variable whose value cannot be read. `lookup` is
/// getenv outside of tests.
Settings read_settings(const char* (*lookup)(const char*));

/// The process's settings. A value that cannot be read is named on stderr and its default taken.
const Settings& settings();

}  // namespace xeforge::driver
