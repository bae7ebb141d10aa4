// SPDX-License-Identifier: Apache-2.0
//
// What `xeforge ladder` shows of its results: a table as they come, and CSV, Markdown and JSON.
#pragma once

#include <iosfwd>
#include <span>
#include <string>

#include "lab/rung_run.h"

namespace xeforge::lab {

/// Rows appear one by one; columns that a narrow terminal has no room for are left out from the right of importance.
class LadderTable {
 public:
  enum class Style { Terminal, Markdown, Csv };
  /// `width`: columns of the terminal, 0: no limit. Without `timed` there is no column for simulated time, but in CSV,
  /// whose columns are always the same.
  LadderTable(std::ostream& out, Style style, unsigned width = 0, bool timed = false);
  void heading();
  void row(const RungResult& result);

 private:
  std::ostream& out_;
  Style style_;
  unsigned width_;
  bool timed_;
};

/// {"device", "mode", "rungs": [...]}: one object per rung as the contract of a kernel run says, plus "base",
/// "changes", "choice", "layout", "problem", "not_run" and "published_counts".
std::string to_json(std::span<const RungResult> results, const std::string& mode = "functional");

}  // namespace xeforge::lab
