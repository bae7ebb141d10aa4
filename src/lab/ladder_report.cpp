// SPDX-License-Identifier: Apache-2.0
#include "lab/ladder_report.h"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "lab/json_text.h"
#include "lab/published.h"

namespace xeforge::lab {

namespace {

using nlohmann::ordered_json;

std::optional<Published> published_of(const RungResult& result) {
  if (result.device != "a770" || result.shape != kPublishedShape) return std::nullopt;
  return find_published(result.rung->id);
}

std::string count_text(const RungResult& result, const char* name) {
  return result.report ? fmt::format("{}", result.report->count(name)) : "";
}

std::string verified_text(const RungResult& result) {
  if (!result.not_run.empty()) return "not run";
  if (result.verified.total == 0) return "failed";
  return fmt::format("{}/{}", result.verified.errors, result.verified.total);
}

std::string milliseconds_text(const RungResult& result) {
  const auto published = published_of(result);
  if (!published) return "";
  if (published->ms_low == published->ms_high) return fmt::format("{:.4f}", published->ms_low);
  return fmt::format("{:.4f}-{:.4f}", published->ms_low, published->ms_high);
}

std::string simulated_text(const RungResult& result) {
  if (!result.report || !result.report->simulated_per_launch_us) return "";
  return fmt::format("{:.4f}", *result.report->simulated_per_launch_us / 1000);
}

std::optional<double> published_instructions(const RungResult& result) {
  const auto published = published_of(result);
  return published ? published->instructions : std::nullopt;
}

std::string published_text(const RungResult& result) {
  const auto instructions = published_instructions(result);
  return instructions ? fmt::format("{:.2f} M", *instructions / 1e6) : "";
}

std::string ratio_text(const RungResult& result) {
  const auto instructions = published_instructions(result);
  return instructions && result.report
             ? fmt::format("{:.3f}", static_cast<double>(result.report->count("instructions")) / *instructions)
             : "";
}

std::string published_sends_text(const RungResult& result) {
  const auto published = published_of(result);
  return published && published->send ? fmt::format("{:.2f} M", *published->send / 1e6) : "";
}

/// Packing on the host is no part of a launch: fair for weights, not for activations.
std::string packing_text(const RungResult& result, double value) {
  return result.packed_bytes == 0 ? "" : fmt::format("{:.0f}", value);
}

std::string compiled_text(const RungResult& result, std::uint64_t value) {
  return result.report ? fmt::format("{}", value) : "";
}

struct Column {
  const char* title;
  unsigned width;
  int importance;  ///< the least important go first when room is short
  std::string (*text)(const RungResult&);
};

const std::vector<Column>& columns() {
  static const std::vector<Column> all = {
      {"rung", 26, 9, [](const RungResult& r) { return std::string(r.rung->id); }},
      {"errors", 10, 9, verified_text},
      {"instructions", 12, 9, [](const RungResult& r) { return count_text(r, "instructions"); }},
      {"sends", 9, 7, [](const RungResult& r) { return count_text(r, "send"); }},
      {"dpas", 7, 6, [](const RungResult& r) { return count_text(r, "dpas"); }},
      {"barriers", 8, 5, [](const RungResult& r) { return count_text(r, "barriers"); }},
      {"regs", 4, 4, [](const RungResult& r) { return compiled_text(r, r.report ? r.report->compiled.grf : 0); }},
      {"spill", 5, 4,
       [](const RungResult& r) {
         return compiled_text(
             r, r.report ? std::max(r.report->compiled.spill_bytes, r.report->compiled.scratch_bytes) : 0);
       }},
      {"SLM", 5, 4, [](const RungResult& r) { return fmt::format("{}", r.rung->slm_bytes); }},
      {"simulated ms", 12, 9, simulated_text},
      {"published ms", 13, 3, milliseconds_text},
      {"published", 9, 8, published_text},
      {"ratio", 5, 8, ratio_text},
      {"pub. sends", 10, 2, published_sends_text},
      {"packed KB", 9, 1,
       [](const RungResult& r) { return packing_text(r, static_cast<double>(r.packed_bytes) / 1e3); }},
      {"packing us", 10, 1, [](const RungResult& r) { return packing_text(r, r.pack_us); }},
  };
  return all;
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? "\"\"" : std::string(1, c);
  return result + '"';
}

/// The columns that fit into `width` with one space between them.
std::vector<const Column*> fitting(unsigned width, bool timed) {
  std::vector<const Column*> chosen;
  for (const Column& column : columns())
    if (timed || column.text != simulated_text) chosen.push_back(&column);
  const auto needed = [&] {
    unsigned sum = 0;
    for (const Column* column : chosen) sum += column->width + 1;
    return sum - 1;
  };
  while (width != 0 && chosen.size() > 2 && needed() > width) {
    const auto least = std::min_element(chosen.rbegin(), chosen.rend(),
                                        [](const Column* a, const Column* b) { return a->importance < b->importance; });
    chosen.erase(std::next(least).base());
  }
  return chosen;
}

void print_line(std::ostream& out, LadderTable::Style style, const std::vector<const Column*>& chosen,
                const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    switch (style) {
      case LadderTable::Style::Terminal:
        line += i == 0 ? fmt::format("{:<{}}", cells[i], chosen[i]->width)
                       : fmt::format(" {:>{}}", cells[i], chosen[i]->width);
        break;
      case LadderTable::Style::Markdown:
        line += (i == 0 ? "| " : " | ") + cells[i];
        break;
      case LadderTable::Style::Csv:
        line += (i == 0 ? "" : ",") + quoted(cells[i]);
        break;
    }
  }
  if (style == LadderTable::Style::Markdown) line += " |";
  line.erase(line.find_last_not_of(' ') + 1);
  out << line << '\n' << std::flush;
}

ordered_json optional_number(const std::optional<double>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json published_counts(const RungResult& result) {
  const auto published = published_of(result);
  if (!published || !published->instructions) return nullptr;
  const double barriers = result.report ? static_cast<double>(result.report->count("barriers")) : 0;
  return {{"instructions", optional_number(published->instructions)},
          {"send", optional_number(published->send)},
          {"int_and_float", optional_number(published->int_and_float)},
          {"other", optional_number(published->other)},
          {"send_payload_grf", optional_number(published->per_launch(published->total_send_slots, barriers))},
          {"alu0_slots", optional_number(published->per_launch(published->total_alu0, barriers))},
          {"alu1_slots", optional_number(published->per_launch(published->total_alu1, barriers))}};
}

ordered_json to_object(const RungResult& result, const std::string& mode) {
  const gemm::Rung& rung = *result.rung;
  ordered_json object = {{"id", rung.id},
                         {"provider", rung.id},
                         {"device", result.device},
                         {"mode", mode},
                         {"family", name_of(rung.family)},
                         {"base", rung.base},
                         {"changes", rung.changes},
                         {"choice", rung.choice},
                         {"layout", {{"a", name_of(rung.a)}, {"b", name_of(rung.b)}}}};
  object["shape"] = {{"m", result.shape.m},
                     {"n", result.shape.n},
                     {"k", result.shape.k},
                     {"alpha", 1},
                     {"beta", rung.accumulates ? 1 : 0},
                     {"pf_dist", 0}};
  // JSON has no infinity: a result that is not a number has no distance.
  const double distance = result.verified.max_abs_error;
  object["verified"] = {{"errors", result.verified.errors},
                        {"total", result.verified.total},
                        {"max_abs_error", std::isfinite(distance) ? ordered_json(distance) : ordered_json(nullptr)}};
  object["ok"] = result.ok();
  object["not_run"] = result.not_run.empty() ? ordered_json(nullptr) : ordered_json(result.not_run);
  object["problem"] = result.problem.empty() ? ordered_json(nullptr) : ordered_json(result.problem);
  object["launch"] = nullptr;
  object["compiled"] = nullptr;
  object["counts"] = nullptr;
  if (const auto& report = result.report) {
    object["launch"] = {{"groups", report->groups}, {"local", report->local}, {"threads", report->threads}};
    object["compiled"] = {{"simd", report->compiled.simd},
                          {"grf", report->compiled.grf},
                          {"spill_bytes", report->compiled.spill_bytes},
                          {"scratch_bytes", report->compiled.scratch_bytes},
                          {"slm_bytes", report->compiled.slm_bytes},
                          {"barriers", report->compiled.barriers}};
    object["counts"] = ordered_json::object();
    for (const auto& [name, value] : report->counts) object["counts"][name] = value;
  }
  // No clock in functional mode: only what the host needed is known.
  const auto simulated = [&](std::optional<double> KernelReport::*time) {
    return optional_number(result.report ? (*result.report).*time : std::nullopt);
  };
  object["time_us"] = {{"kernel", simulated(&KernelReport::simulated_us)},
                       {"per_launch", simulated(&KernelReport::simulated_per_launch_us)},
                       {"pack", result.pack_us},
                       {"simulated", simulated(&KernelReport::simulated_per_launch_us)},
                       {"host_wall", result.host_wall_us}};
  object["packed_bytes"] = result.packed_bytes;
  const auto published = published_of(result);
  object["published_ms"] =
      published ? ordered_json{{"low", published->ms_low}, {"high", published->ms_high}} : ordered_json(nullptr);
  object["published_counts"] = published_counts(result);
  return object;
}

}  // namespace

LadderTable::LadderTable(std::ostream& out, Style style, unsigned width, bool timed)
    : out_(out), style_(style), width_(width), timed_(timed || style == Style::Csv) {}

void LadderTable::heading() {
  const auto chosen = fitting(width_, timed_);
  std::vector<std::string> titles, rules;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    titles.emplace_back(chosen[i]->title);
    rules.emplace_back(style_ == Style::Markdown ? (i == 0 ? ":--" : "--:") : std::string(chosen[i]->width, '-'));
  }
  print_line(out_, style_, chosen, titles);
  if (style_ != Style::Csv) print_line(out_, style_, chosen, rules);
}

void LadderTable::row(const RungResult& result) {
  const auto chosen = fitting(width_, timed_);
  std::vector<std::string> cells;
  cells.reserve(chosen.size());
  for (const Column* column : chosen) cells.push_back(column->text(result));
  print_line(out_, style_, chosen, cells);
}

std::string to_json(std::span<const RungResult> results, const std::string& mode) {
  ordered_json document = {
      {"device", results.empty() ? "" : results[0].device}, {"mode", mode}, {"rungs", ordered_json::array()}};
  for (const RungResult& result : results) document["rungs"].push_back(to_object(result, mode));
  return json_text(document);
}

}  // namespace xeforge::lab
