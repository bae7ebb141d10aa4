// SPDX-License-Identifier: Apache-2.0
//
// Results of `xeforge bench` as a table, as JSON and as JUnit.
#pragma once

#include <ostream>
#include <span>
#include <string>

#include "lab/provider.h"

namespace xeforge::lab {

enum class BenchStyle : std::uint8_t { Terminal, Csv, Markdown };

/// The heading, then a line for each case as it comes, and behind it its ratios to the first provider that ran the
/// same shape: in a line of their own, in CSV in columns of their own.
class BenchTable {
 public:
  /// `shapes`: what is going to come, for the width of their column.
  BenchTable(std::ostream& out, BenchStyle style, std::span<const BenchShape> shapes);
  void heading();
  void row(const BenchCase& result, const BenchCase* first);

 private:
  void line(std::span<const std::string> cells);
  std::ostream& out_;
  BenchStyle style_;
  std::size_t shape_width_;
};

std::string bench_json(const std::string& device, std::span<const BenchCase> cases);
std::string bench_junit(const std::string& device, std::span<const BenchCase> cases);

}  // namespace xeforge::lab
