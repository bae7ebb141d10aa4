// SPDX-License-Identifier: Apache-2.0
//
// The report at the end of `xeforge run`: which kernels a program launched, what they executed, what went wrong.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lab/driver_reports.h"

namespace xeforge::lab {

/// Launches of the same kernel together, in order of first launch.
struct KernelSummary {
  std::string kernel;
  std::uint64_t launches = 0, threads = 0, instructions = 0, send = 0, dpas = 0, barriers = 0;
  std::uint64_t grf = 0, simd = 0, spill_bytes = 0;
  double host_wall_us = 0;
  std::optional<double> simulated_us;  ///< of all launches together, in timed mode
};
std::vector<KernelSummary> summarize(std::span<const KernelReport> reports);

/// The report as text; every line begins with "==xeforge== ".
std::string run_report_text(const std::string& device, std::span<const KernelReport> reports,
                            const std::string& ending);
std::string run_report_json(const std::string& device, std::span<const KernelReport> reports, int exit_status);

std::uint64_t count_faults(std::span<const KernelReport> reports);

}  // namespace xeforge::lab
