// SPDX-License-Identifier: Apache-2.0
#include "lab/bench_shapes.h"

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "lab/commands.h"

namespace xeforge::lab {

namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

[[noreturn]] void wrong(const std::string& entry, const std::string& why) {
  throw UserError("--shapes: '" + entry + "': " + why +
                  ". A shape is MxNxK[:alpha:beta], or FIRST:LAST:STEP for square ones");
}

/// Factors with which every result is exact in float: the data are small integers.
double factor(const std::string& text, const std::string& entry) {
  std::size_t used = 0;
  double value = 0;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
    wrong(entry, "'" + text + "' is not a number");
  }
  constexpr double kParts = 16, kLargest = 16;
  if (used != text.size() || std::abs(value) > kLargest || std::floor(value * kParts) != value * kParts) {
    wrong(entry, "alpha and beta are multiples of 1/16 up to 16, so that results can be compared exactly; '" + text +
                     "' is not");
  }
  return value;
}

gemm::Shape shape_of(const std::string& text, const std::string& entry) {
  try {
    return gemm::parse_shape(text);
  } catch (const std::invalid_argument& error) {
    wrong(entry, error.what());
  }
}

void add_range(const std::vector<std::string>& parts, const std::string& entry, std::vector<BenchShape>& shapes) {
  std::array<std::uint32_t, 3> values{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    // Checked as sizes are.
    values[i] = shape_of(parts[i] + "x" + parts[i] + "x" + parts[i], entry).m;
  }
  if (values[1] < values[0]) wrong(entry, "the last size is smaller than the first");
  for (std::uint32_t size = values[0]; size <= values[1]; size += values[2]) shapes.push_back({{size, size, size}});
}

void add_entry(const std::string& entry, std::vector<BenchShape>& shapes) {
  const std::vector<std::string> parts = split(entry, ':');
  if (parts.size() == 3 && parts[0].find('x') == std::string::npos) return add_range(parts, entry, shapes);
  if (parts.size() != 1 && parts.size() != 3) wrong(entry, "it has neither 1 nor 3 parts");
  BenchShape shape{shape_of(parts[0], entry)};
  if (parts.size() == 3) {
    shape.alpha = factor(parts[1], entry);
    shape.beta = factor(parts[2], entry);
  }
  shapes.push_back(shape);
}

void add_file(const std::string& file, std::vector<BenchShape>& shapes) {
  std::ifstream in(file);
  if (!in) throw UserError("--shapes: cannot read " + file);
  for (std::string line; std::getline(in, line);) {
    line = line.substr(0, line.find('#'));
    line.erase(line.find_last_not_of(" \t\r") + 1);
    if (line.empty() || line.starts_with("m,n,k")) continue;
    const std::vector<std::string> columns = split(line, ',');
    if (columns.size() >= 3) {
      add_entry(columns[0] + "x" + columns[1] + "x" + columns[2], shapes);
    } else {
      add_entry(line, shapes);
    }
  }
}

}  // namespace

std::vector<BenchShape> parse_bench_shapes(const std::string& text) {
  std::vector<BenchShape> shapes;
  std::error_code ignored;
  if (std::filesystem::is_regular_file(text, ignored)) {
    add_file(text, shapes);
  } else {
    for (const std::string& entry : split(text, ',')) add_entry(entry, shapes);
  }
  if (shapes.empty()) throw UserError("--shapes: there is no shape in '" + text + "'");
  return shapes;
}

std::string to_string(const BenchShape& shape) {
  const std::string sizes = gemm::to_string(shape.shape);
  return shape.alpha == 1 && shape.beta == 0 ? sizes : fmt::format("{}:{}:{}", sizes, shape.alpha, shape.beta);
}

}  // namespace xeforge::lab
