// SPDX-License-Identifier: Apache-2.0
//
// Bars in groups, as an SVG picture.
#pragma once

#include <string>
#include <vector>

namespace xeforge::lab {

struct BarChart {
  std::string title, note;          ///< the note says what kind of numbers these are
  std::string unit;                 ///< behind each value: "%"
  std::vector<std::string> series;  ///< what the colours mean
  struct Group {
    std::string label;
    std::vector<double> values;  ///< one per series
  };
  std::vector<Group> groups;
};

/// Text is escaped. Throws std::invalid_argument if a group has not one value per series, or none at all is given.
std::string to_svg(const BarChart& chart);

}  // namespace xeforge::lab
