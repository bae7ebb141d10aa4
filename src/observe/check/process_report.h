// SPDX-License-Identifier: Apache-2.0
//
// What a checked process's report (`xeforge run --check`) makes of the logs of the checked processes: one report,
// suppressions applied.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "observe/check/render.h"
#include "observe/check/suppressions.h"

namespace xeforge::observe::check {

struct ProcessReport {
  Selection selection;
  std::vector<Finding> findings;  ///< not suppressed
  std::vector<Finding> suppressed;
  Suppressions suppressions;
  Work work;
};

/// Reads a log (XEFORGE_CHECK_LOG); no file means that nothing was launched. A last line that was cut off is left out.
ProcessReport read_check_log(const std::filesystem::path& file, Selection selection, Suppressions suppressions);

/// The report as text; every line begins with "==xeforge== ".
std::string check_report_text(const ProcessReport& report);
/// One JSON object: checks, findings, suppressed, work with the slowdown.
std::string check_report_json(const ProcessReport& report);
/// A suppression file for all findings that are left, each to be completed with its reason.
std::string generated_suppressions(const ProcessReport& report);

}  // namespace xeforge::observe::check
