// SPDX-License-Identifier: Apache-2.0
#include "lab/published.h"

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace xeforge::lab {

namespace {

/// Fields of one line; a field in double quotes may hold commas.
std::vector<std::string> split(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

/// Calls `row(fields)` for every line that is data.
template <class Row>
void for_each_row(std::string_view file, const Row& row) {
  for (const EmbeddedFile& embedded : reference_files()) {
    if (embedded.name != file) continue;
    std::string_view text = embedded.text;
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      const std::string_view line = text.substr(0, end);
      if (!line.empty() && line[0] != '#') row(split(line));
      text = end == std::string_view::npos ? "" : text.substr(end + 1);
    }
    return;
  }
  throw std::logic_error("no reference file " + std::string(file));
}

/// Where a row of a770_counters.csv goes, and the launches its value is over (1: a launch; full-compute totals:
/// unknown).
struct Metric {
  std::string_view mode, name;
  std::optional<double> Published::*field;
  double launches;
};

constexpr Metric kMetrics[] = {
    {"instruction-count", "instructions_per_launch", &Published::instructions, 1},
    {"instruction-count", "send_total_1100", &Published::send, 1100},
    {"instruction-count", "int32_and_sp_float_total_1100", &Published::int_and_float, 1100},
    {"instruction-count", "other_total_1100", &Published::other, 1100},
    {"full-compute", "kernel_us", &Published::kernel_us, 1},
    {"full-compute", "xmx_active_pct", &Published::xmx_active_pct, 1},
    {"full-compute", "stall_pct", &Published::stall_pct, 1},
    {"full-compute", "occupancy_pct", &Published::occupancy_pct, 1},
    {"full-compute", "send", &Published::total_send_slots, 1},
    {"full-compute", "alu0", &Published::total_alu0, 1},
    {"full-compute", "alu1", &Published::total_alu1, 1},
    {"full-compute", "xmx_total_x10", &Published::total_xmx, 1},
    {"full-compute", "gpu_barriers", &Published::total_barriers, 1},
};

struct Everything {
  std::map<std::string, Published, std::less<>> by_id;
  std::vector<std::string> ids;
};

Everything read_all() {
  Everything everything;
  auto& all = everything.by_id;
  for_each_row("a770_ladder.csv", [&](const std::vector<std::string>& fields) {
    Published& row = all[fields.at(0)];
    row.ms_low = std::stod(fields.at(2));
    row.ms_high = std::stod(fields.at(3));
    row.ms_headline = fields.at(4).empty() ? (row.ms_low + row.ms_high) / 2 : std::stod(fields.at(4));
    row.family = fields.at(1);
    row.half = fields.at(5);
    row.partly = fields.at(6) == "partly";
    everything.ids.push_back(fields.at(0));
  });
  for_each_row("a770_counters.csv", [&](const std::vector<std::string>& fields) {
    const auto found = all.find(fields.at(0));
    if (found == all.end()) return;
    for (const Metric& metric : kMetrics) {
      if (metric.mode == fields.at(1) && metric.name == fields.at(2)) {
        found->second.*metric.field = std::stod(fields.at(3)) / metric.launches;
      }
    }
  });
  return everything;
}

const Everything& everything() {
  static const auto* all = new Everything(read_all());
  return *all;
}

}  // namespace

std::optional<double> Published::per_launch(const std::optional<double>& total, double barriers_of_a_launch) const {
  if (!total || !total_barriers) return std::nullopt;
  return *total * barriers_of_a_launch / *total_barriers;
}

const std::vector<std::string>& published_ids() { return everything().ids; }

std::optional<Published> find_published(std::string_view id) {
  const auto found = everything().by_id.find(id);
  if (found == everything().by_id.end()) return std::nullopt;
  return found->second;
}

}  // namespace xeforge::lab
