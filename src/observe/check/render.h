// SPDX-License-Identifier: Apache-2.0
//
// Findings as text for people, as JSON, and as JUnit for continuous integration.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "observe/check/checker.h"
#include "observe/check/finding.h"

namespace xeforge::observe::check {

/// One report like Valgrind's, without prefix and number: title line, where, what, source, ISA, other side, advice.
std::vector<std::string> report_lines(const Finding& finding);
std::string report_text(const Finding& finding);

/// One JSON object on one line, and back. from_json throws std::runtime_error that names what is wrong.
std::string to_json(const Finding& finding);
Finding finding_from_json(const std::string& text);

/// One line of a process's check log: what one launch (or the process's end) added.
struct Log {
  Selection selection;
  Result result;
};
std::string to_json(const Log& log);
Log log_from_json(const std::string& text);

/// The same finding over many launches becomes one with the sum of their counts.
void merge_into(std::vector<Finding>& all, std::vector<Finding> more);

/// A test suite with one case per checker: failed if it has findings.
std::string to_junit(Selection selection, std::span<const Finding> findings, const Work& work, const std::string& name);

}  // namespace xeforge::observe::check
