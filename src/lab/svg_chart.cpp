// SPDX-License-Identifier: Apache-2.0
#include "lab/svg_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "observe/xml.h"

namespace xeforge::lab {

namespace {

// Distinguishable for colour-blind readers (Okabe and Ito).
constexpr std::array<const char*, 6> kColours{"#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00"};

constexpr double kLeft = 70, kTop = 64, kPlotHeight = 260, kBar = 26, kGap = 34, kBelow = 84, kRight = 20;

/// The ends of the axis and the step between its lines: 1, 2 or 5 times a power of ten.
struct Axis {
  double low = 0, high = 0, step = 1;

  explicit Axis(const BarChart& chart) {
    for (const auto& group : chart.groups) {
      for (const double value : group.values) {
        low = std::min(low, value);
        high = std::max(high, value);
      }
    }
    if (high == low) high = low + 1;
    const double rough = (high - low) / 5, power = std::pow(10, std::floor(std::log10(rough)));
    step = (rough <= power ? 1 : rough <= 2 * power ? 2 : rough <= 5 * power ? 5 : 10) * power;
    low = std::floor(low / step) * step;
    high = std::ceil(high / step) * step;
  }

  double y(double value) const { return kTop + kPlotHeight * (high - value) / (high - low); }
};

std::string text_at(double x, double y, const char* anchor, int size, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-size=\"{}\">{}</text>\n", x, y, anchor,
                     size, observe::xml_text(text));
}

std::string grid(const BarChart& chart, const Axis& axis, double width) {
  std::string svg;
  const int lines = static_cast<int>(std::lround((axis.high - axis.low) / axis.step));
  for (int i = 0; i <= lines; ++i) {
    const double value = axis.low + i * axis.step, y = axis.y(value);
    svg += fmt::format("<line x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", kLeft,
                       width - kRight, y, y, std::abs(value) < axis.step / 2 ? "#000" : "#ddd");
    svg += text_at(kLeft - 6, y + 4, "end", 11, fmt::format("{:g}{}", value, chart.unit));
  }
  return svg;
}

}  // namespace

std::string to_svg(const BarChart& chart) {
  if (chart.groups.empty() || chart.series.empty()) throw std::invalid_argument("a chart of nothing");
  for (const auto& group : chart.groups) {
    if (group.values.size() != chart.series.size())
      throw std::invalid_argument("chart: group '" + group.label + "' has not one value per series");
  }
  const Axis axis(chart);
  const double group_width = kBar * static_cast<double>(chart.series.size()) + kGap;
  const double width = std::max(640.0, kLeft + group_width * static_cast<double>(chart.groups.size()) + kRight);
  const double height = kTop + kPlotHeight + kBelow;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "font-family=\"sans-serif\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
      width, height);
  svg += text_at(kLeft, 22, "start", 15, chart.title) + text_at(kLeft, 42, "start", 11, chart.note);
  svg += grid(chart, axis, width);
  for (std::size_t g = 0; g < chart.groups.size(); ++g) {
    const double x0 = kLeft + kGap / 2 + group_width * static_cast<double>(g);
    for (std::size_t s = 0; s < chart.series.size(); ++s) {
      const double value = chart.groups[g].values[s], x = x0 + kBar * static_cast<double>(s);
      const double top = axis.y(std::max(value, 0.0)), bottom = axis.y(std::min(value, 0.0));
      svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n", x, top,
                         kBar - 3, bottom - top, kColours.at(s % kColours.size()));
      svg += text_at(x + (kBar - 3) / 2, value < 0 ? bottom + 11 : top - 3, "middle", 9, fmt::format("{:.1f}", value));
    }
    svg += text_at(x0 + (group_width - kGap) / 2, kTop + kPlotHeight + 20, "middle", 11, chart.groups[g].label);
  }
  double x = kLeft, y = kTop + kPlotHeight + 42;
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    const double entry = 34 + 6.5 * static_cast<double>(chart.series[s].size());
    if (x > kLeft && x + entry > width) {
      x = kLeft;
      y += 18;
    }
    svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"12\" height=\"12\" fill=\"{}\"/>\n", x, y,
                       kColours.at(s % kColours.size()));
    svg += text_at(x + 18, y + 10, "start", 11, chart.series[s]);
    x += entry;
  }
  return svg + "</svg>\n";
}

}  // namespace xeforge::lab
