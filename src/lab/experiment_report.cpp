// SPDX-License-Identifier: Apache-2.0
//
// What `xeforge experiment prefetch` shows.
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "lab/bench_shapes.h"
#include "lab/experiment_prefetch.h"
#include "lab/json_text.h"
#include "lab/svg_chart.h"

namespace xeforge::lab {

namespace {

using nlohmann::ordered_json;

std::string count(const PrefetchCell& cell, const char* name) { return fmt::format("{}", cell.first().count(name)); }

struct Column {
  const char* title;
  unsigned width;
  std::string (*text)(const PrefetchCell&);
};

const Column kColumns[] = {
    {"shape", 16, [](const PrefetchCell& c) { return gemm::to_string(c.shape.shape); }},
    {"beta", 5, [](const PrefetchCell& c) { return fmt::format("{}", c.shape.beta); }},
    {"prefetch", 8,
     [](const PrefetchCell& c) { return c.distance == 0 ? std::string("off") : fmt::format("{}", c.distance); }},
    {"errors", 10,
     [](const PrefetchCell& c) { return fmt::format("{}/{}", c.first().verified.errors, c.first().verified.total); }},
    {"instructions", 12, [](const PrefetchCell& c) { return count(c, "instructions"); }},
    {"sends", 9, [](const PrefetchCell& c) { return count(c, "send"); }},
    {"prefetches", 10, [](const PrefetchCell& c) { return count(c, "prefetches"); }},
    {"loads", 8, [](const PrefetchCell& c) { return count(c, "global_loads"); }},
    {"stores", 8, [](const PrefetchCell& c) { return count(c, "global_stores"); }},
    {"payload", 9, [](const PrefetchCell& c) { return count(c, "send_payload_grf"); }},
    {"dpas", 8, [](const PrefetchCell& c) { return count(c, "dpas"); }},
    {"barriers", 8, [](const PrefetchCell& c) { return count(c, "barriers"); }},
    {"time_us.simulated", 17,
     [](const PrefetchCell& c) { return fmt::format("{:.2f}", c.simulated_us().value_or(0)); }},
};

bool is_timed(const PrefetchResult& result) {
  return std::all_of(result.cells.begin(), result.cells.end(),
                     [](const PrefetchCell& cell) { return cell.simulated_us().has_value(); });
}

std::string line_of(const std::vector<std::string>& cells, TableStyle style) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    switch (style) {
      case TableStyle::Terminal:
        line += i == 0 ? fmt::format("{:<{}}", cells[i], kColumns[i].width)
                       : fmt::format(" {:>{}}", cells[i], kColumns[i].width);
        break;
      case TableStyle::Csv:
        line += (i == 0 ? "" : ",") + cells[i];
        break;
      case TableStyle::Markdown:
        line += "| " + cells[i] + " ";
        break;
    }
  }
  if (style == TableStyle::Markdown) line += '|';
  return line + "\n";
}

std::string effect_lines(const PrefetchResult& result, const char* what,
                         const std::function<double(const PrefetchChange&)>& value) {
  std::string text;
  for (const PrefetchEffect& effect : result.effects(value)) {
    text += fmt::format(
        "  {:<18} distance {}: {:+6.2f} % on average; {:+6.2f} points more with old C read; {:+6.2f} points more at "
        "{}\n",
        what, effect.distance, effect.all, effect.beta_interaction, effect.shape_interaction,
        gemm::to_string(result.cells.back().shape.shape));
  }
  return text;
}

ordered_json effect_objects(const PrefetchResult& result, const std::function<double(const PrefetchChange&)>& value) {
  ordered_json objects = ordered_json::array();
  for (const PrefetchEffect& effect : result.effects(value)) {
    objects.push_back({{"pf_dist", effect.distance},
                       {"mean_percent", effect.all},
                       {"beta_interaction_points", effect.beta_interaction},
                       {"shape_interaction_points", effect.shape_interaction}});
  }
  return objects;
}

double instructions_of(const PrefetchChange& change) { return change.instructions; }
double sends_of(const PrefetchChange& change) { return change.sends; }
double payload_of(const PrefetchChange& change) { return change.payload; }
double simulated_of(const PrefetchChange& change) { return change.simulated.value_or(0); }

}  // namespace

std::string prefetch_table(const PrefetchResult& result, TableStyle style) {
  const bool timed = is_timed(result);
  const std::size_t shown = std::size(kColumns) - (timed ? 0 : 1);
  std::vector<std::string> titles, rules;
  for (std::size_t i = 0; i < shown; ++i) {
    titles.emplace_back(kColumns[i].title);
    rules.emplace_back(style == TableStyle::Markdown ? (i == 0 ? ":--" : "--:") : std::string(kColumns[i].width, '-'));
  }
  std::string text = line_of(titles, style);
  if (style != TableStyle::Csv) text += line_of(rules, style);
  for (const PrefetchCell& cell : result.cells) {
    std::vector<std::string> cells;
    cells.reserve(shown);
    for (std::size_t i = 0; i < shown; ++i) cells.push_back(kColumns[i].text(cell));
    text += line_of(cells, style);
  }
  return text;
}

std::string prefetch_summary(const PrefetchResult& result) {
  std::string text = "Prefetch against none, same shape and beta:\n";
  text += effect_lines(result, "instructions", instructions_of);
  text += effect_lines(result, "messages (sends)", sends_of);
  text += effect_lines(result, "payload registers", payload_of);
  if (is_timed(result)) {
    text += effect_lines(result, "simulated time", simulated_of);
  } else {
    text += "  No simulated time: the device counted only. Whether prefetch pays is not decided by counts.\n";
  }
  return text;
}

std::string prefetch_json(const std::string& device, const PrefetchResult& result) {
  const bool timed = is_timed(result);
  ordered_json document = {{"experiment", "prefetch"}, {"device", device}, {"cells", ordered_json::array()}};
  for (const PrefetchCell& cell : result.cells) {
    ordered_json object = {
        {"shape",
         {{"m", cell.shape.shape.m},
          {"n", cell.shape.shape.n},
          {"k", cell.shape.shape.k},
          {"alpha", cell.shape.alpha},
          {"beta", cell.shape.beta},
          {"pf_dist", cell.distance}}},
        {"verified", {{"errors", cell.first().verified.errors}, {"total", cell.first().verified.total}}},
        {"batches", cell.runs.size()}};
    object["counts"] = ordered_json::object();
    if (const KernelReport* kernel = cell.first().main_kernel()) {
      for (const auto& [name, value] : kernel->counts) object["counts"][name] = value;
    }
    if (timed) object["time_us"] = {{"simulated", *cell.simulated_us()}};
    document["cells"].push_back(std::move(object));
  }
  document["effects"] = {{"instructions", effect_objects(result, instructions_of)},
                         {"send", effect_objects(result, sends_of)},
                         {"send_payload_grf", effect_objects(result, payload_of)}};
  if (timed) document["effects"]["time_us.simulated"] = effect_objects(result, simulated_of);
  return json_text(document);
}

std::string prefetch_plot(const std::string& device, const PrefetchResult& result) {
  const bool timed = is_timed(result);
  BarChart chart;
  chart.title = timed ? "Prefetch against none: simulated time" : "Prefetch against none: instructions and messages";
  chart.note = timed ? "simulated time of the virtual " + device + ", not measured on hardware"
                     : "exact counts of the virtual " + device + "; counts are not time";
  chart.unit = "%";
  for (const PrefetchChange& change : result.changes()) {
    const PrefetchCell& cell = *change.cell;
    const std::string label = fmt::format("{}, beta {}", gemm::to_string(cell.shape.shape), cell.shape.beta);
    if (chart.groups.empty() || chart.groups.back().label != label) chart.groups.push_back({label, {}});
    const auto add = [&](const std::string& name, double value) {
      const std::string series = fmt::format("{}, distance {}", name, cell.distance);
      if (std::find(chart.series.begin(), chart.series.end(), series) == chart.series.end())
        chart.series.push_back(series);
      chart.groups.back().values.push_back(value);
    };
    if (timed) {
      add("time", simulated_of(change));
    } else {
      add("instructions", change.instructions);
      add("messages", change.sends);
    }
  }
  return to_svg(chart);
}

}  // namespace xeforge::lab
