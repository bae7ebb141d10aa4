// SPDX-License-Identifier: Apache-2.0
#include "lab/bench_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "lab/bench_shapes.h"
#include "lab/json_text.h"
#include "observe/xml.h"

namespace xeforge::lab {

namespace {

using nlohmann::ordered_json;
using observe::xml_attribute;

std::string verified(const BenchCase& result) {
  if (!result.not_run.empty()) return "not run";
  if (result.verified.total == 0) return "failed";
  return fmt::format("{}/{}", result.verified.errors, result.verified.total);
}

std::string groups(const BenchCase& result) {
  const KernelReport* kernel = result.main_kernel();
  return kernel == nullptr ? "" : fmt::format("{}", kernel->groups[0] * kernel->groups[1] * kernel->groups[2]);
}

std::string registers(const BenchCase& result) {
  const KernelReport* kernel = result.main_kernel();
  return kernel == nullptr ? "" : fmt::format("{}", kernel->compiled.grf);
}

/// What a column counts; nullopt: nothing was counted.
using Number = std::optional<double> (*)(const BenchCase&);

template <class Count>
std::optional<double> if_counted(const BenchCase& result, const Count& count) {
  if (result.kernels.empty()) return std::nullopt;
  return static_cast<double>(count());
}

std::optional<double> instructions(const BenchCase& r) {
  return if_counted(r, [&] { return r.count("instructions"); });
}
std::optional<double> packing(const BenchCase& r) {
  return if_counted(r, [&] { return r.packing_instructions(); });
}
std::optional<double> sends(const BenchCase& r) {
  return if_counted(r, [&] { return r.count("send"); });
}
std::optional<double> payload(const BenchCase& r) {
  return if_counted(r, [&] { return r.count("send_payload_grf"); });
}
std::optional<double> dpas(const BenchCase& r) {
  return if_counted(r, [&] { return r.count("dpas"); });
}
std::optional<double> barriers(const BenchCase& r) {
  return if_counted(r, [&] { return r.count("barriers"); });
}
std::optional<double> alu0(const BenchCase& r) {
  return if_counted(r, [&] { return r.count("alu0_slots"); });
}
std::optional<double> alu1(const BenchCase& r) {
  return if_counted(r, [&] { return r.count("alu1_slots"); });
}

std::optional<double> simulated(const BenchCase& r) { return r.simulated_us(); }
std::string simulated_text(const BenchCase& r) {
  const auto time = r.simulated_us();
  return time ? fmt::format("{:.1f}", *time) : "";
}

/// `number` has ratios, and is the text where there is none.
struct Column {
  const char* title;
  const char* key;  ///< of its ratio in CSV and JSON
  unsigned width;
  Number number;
  std::string (*text)(const BenchCase&);
};

std::string seconds(const BenchCase& result, double microseconds) {
  return result.not_run.empty() && microseconds != 0 ? fmt::format("{:.3f}", microseconds / 1e6) : "";
}

const std::array kColumns = {
    Column{"shape", "", 16, nullptr, [](const BenchCase& r) { return to_string(r.shape); }},
    Column{"provider", "", 20, nullptr, [](const BenchCase& r) { return r.provider; }},
    Column{"errors", "", 12, nullptr, verified},
    Column{"instructions", "instructions", 12, instructions, nullptr},
    Column{"packing", "packing", 9, packing, nullptr},
    Column{"sends", "send", 9, sends, nullptr},
    Column{"payload", "send_payload_grf", 9, payload, nullptr},
    Column{"dpas", "dpas", 9, dpas, nullptr},
    Column{"barriers", "barriers", 8, barriers, nullptr},
    Column{"alu0", "alu0_slots", 9, alu0, nullptr},
    Column{"alu1", "alu1_slots", 9, alu1, nullptr},
    Column{"regs", "", 4, nullptr, registers},
    Column{"groups", "", 6, nullptr, groups},
    Column{"kernels", "", 7, nullptr, [](const BenchCase& r) { return fmt::format("{}", r.kernels.size()); }},
    Column{"sim. us", "simulated_us", 8, simulated, simulated_text},
    Column{"pack s", "", 6, nullptr, [](const BenchCase& r) { return seconds(r, r.pack_us); }},
    Column{"host s", "", 7, nullptr, [](const BenchCase& r) { return seconds(r, r.host_wall_us); }},
    Column{"user s", "", 7, nullptr, [](const BenchCase& r) { return seconds(r, r.host_user_us); }},
};

/// To what the first provider counted; nullopt where one of them did not count or the first counted none.
std::optional<double> ratio(const Column& column, const BenchCase& result, const BenchCase* first) {
  if (first == nullptr || column.number == nullptr) return std::nullopt;
  const auto ours = column.number(result), theirs = column.number(*first);
  if (!ours || !theirs || *theirs == 0) return std::nullopt;
  return *ours / *theirs;
}

std::string ratio_text(const Column& column, const BenchCase& result, const BenchCase* first) {
  const auto value = ratio(column, result, first);
  return value ? fmt::format("{:.3f}", *value) : "";
}

ordered_json kernel_object(const KernelReport& kernel) {
  ordered_json object = {{"kernel", kernel.kernel},
                         {"launch", {{"groups", kernel.groups}, {"local", kernel.local}, {"threads", kernel.threads}}},
                         {"compiled",
                          {{"simd", kernel.compiled.simd},
                           {"grf", kernel.compiled.grf},
                           {"spill_bytes", kernel.compiled.spill_bytes},
                           {"scratch_bytes", kernel.compiled.scratch_bytes},
                           {"slm_bytes", kernel.compiled.slm_bytes},
                           {"barriers", kernel.compiled.barriers}}}};
  for (const auto& [name, value] : kernel.counts) object["counts"][name] = value;
  object["host_wall_us"] = kernel.host_wall_us;
  return object;
}

ordered_json text_or_null(const std::string& text) { return text.empty() ? ordered_json(nullptr) : ordered_json(text); }

/// The one that ratios of the same shape refer to; nullptr before it.
const BenchCase* first_of(std::span<const BenchCase> cases, const BenchCase& result) {
  const std::string shape = to_string(result.shape);
  for (const BenchCase& other : cases) {
    if (to_string(other.shape) == shape && !other.kernels.empty()) return &other;
  }
  return nullptr;
}

ordered_json case_object(const std::string& device, const BenchCase& result, const BenchCase* first) {
  const double distance = result.verified.max_abs_error;
  ordered_json object = {
      {"id", result.provider + " " + to_string(result.shape)},
      {"provider", result.provider},
      {"device", result.provider == "reference" ? "cpu" : device},
      {"mode", result.simulated_us() ? "timed" : "functional"},
      {"shape",
       {{"m", result.shape.shape.m},
        {"n", result.shape.shape.n},
        {"k", result.shape.shape.k},
        {"alpha", result.shape.alpha},
        {"beta", result.shape.beta},
        {"pf_dist", result.pf_dist},
        {"type_a", row_of(result.shape.a).name},
        {"type_b", row_of(result.shape.b).name},
        {"transpose_a", result.shape.transpose_a},
        {"transpose_b", result.shape.transpose_b},
        {"column_major", result.shape.column_major},
        {"batch", result.shape.batch}}},
      {"verified",
       {{"errors", result.verified.errors},
        {"total", result.verified.total},
        {"max_abs_error", std::isfinite(distance) ? ordered_json(distance) : ordered_json(nullptr)}}},
      {"ok", result.ok() && result.not_run.empty()},
      {"not_run", text_or_null(result.not_run)},
      {"problem", text_or_null(result.problem)}};
  const KernelReport* main = result.main_kernel();
  const ordered_json of_main = main == nullptr ? ordered_json::object() : kernel_object(*main);
  object["launch"] = main == nullptr ? ordered_json(nullptr) : of_main["launch"];
  object["compiled"] = main == nullptr ? ordered_json(nullptr) : of_main["compiled"];
  object["counts"] = nullptr;
  if (main != nullptr) {
    object["counts"] = ordered_json::object();
    for (const auto& [name, unused] : main->counts) object["counts"][name] = result.count(name);
    object["counts"]["packing_instructions"] = result.packing_instructions();
  }
  object["ratios"] = nullptr;
  if (main != nullptr && first != nullptr) {
    object["ratios"] = {{"to", first->provider}};
    for (const Column& column : kColumns) {
      if (const auto value = ratio(column, result, first)) object["ratios"][column.key] = *value;
    }
  }
  object["kernels"] = ordered_json::array();
  for (const KernelReport& kernel : result.kernels) object["kernels"].push_back(kernel_object(kernel));
  object["packed_bytes"] = result.packed_bytes;
  object["time_us"] = {
      {"kernel", nullptr},
      {"per_launch", nullptr},
      {"pack", result.pack_us},
      {"simulated", result.simulated_us() ? ordered_json(*result.simulated_us()) : ordered_json(nullptr)},
      {"host_wall", result.host_wall_us},
      {"host_user", result.host_user_us}};
  return object;
}

}  // namespace

BenchTable::BenchTable(std::ostream& out, BenchStyle style, std::span<const BenchShape> shapes)
    : out_(out), style_(style), shape_width_(kColumns[0].width) {
  for (const BenchShape& shape : shapes) shape_width_ = std::max(shape_width_, to_string(shape).size());
}

void BenchTable::line(std::span<const std::string> cells) {
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    switch (style_) {
      case BenchStyle::Terminal: {
        const std::size_t width = i == 0 ? shape_width_ : kColumns.at(i).width;
        text += i < 2 ? fmt::format("{:<{}} ", cells[i], width) : fmt::format("{:>{}} ", cells[i], width);
        break;
      }
      case BenchStyle::Csv:
        text += (i == 0 ? "" : ",") + cells[i];
        break;
      case BenchStyle::Markdown:
        text += "| " + cells[i] + " ";
        break;
    }
  }
  if (style_ == BenchStyle::Markdown) text += '|';
  text.erase(text.find_last_not_of(' ') + 1);
  out_ << text << '\n' << std::flush;
}

void BenchTable::heading() {
  std::vector<std::string> titles, rules;
  for (std::size_t i = 0; i < kColumns.size(); ++i) {
    titles.emplace_back(kColumns.at(i).title);
    rules.emplace_back(style_ == BenchStyle::Markdown ? (i < 2 ? ":--" : "--:")
                                                      : std::string(i == 0 ? shape_width_ : kColumns.at(i).width, '-'));
  }
  if (style_ == BenchStyle::Csv) {
    for (const Column& column : kColumns) {
      if (column.number != nullptr) titles.push_back(std::string(column.key) + "_ratio");
    }
  }
  line(titles);
  if (style_ != BenchStyle::Csv) line(rules);
}

void BenchTable::row(const BenchCase& result, const BenchCase* first) {
  std::vector<std::string> cells, ratios;
  for (const Column& column : kColumns) {
    const auto number = column.number == nullptr ? std::nullopt : column.number(result);
    cells.push_back(column.text != nullptr ? column.text(result) : number ? fmt::format("{:.0f}", *number) : "");
    if (column.number != nullptr || style_ != BenchStyle::Csv) ratios.push_back(ratio_text(column, result, first));
  }
  if (style_ == BenchStyle::Csv) {
    cells.insert(cells.end(), ratios.begin(), ratios.end());
    return line(cells);
  }
  line(cells);
  if (first == nullptr || first == &result || result.kernels.empty()) return;
  ratios[1] = "  / " + first->provider;
  line(ratios);
}

std::string bench_json(const std::string& device, std::span<const BenchCase> cases) {
  const bool timed =
      std::any_of(cases.begin(), cases.end(), [](const BenchCase& c) { return c.simulated_us().has_value(); });
  ordered_json document = {
      {"device", device}, {"mode", timed ? "timed" : "functional"}, {"cases", ordered_json::array()}};
  for (const BenchCase& result : cases)
    document["cases"].push_back(case_object(device, result, first_of(cases, result)));
  return json_text(document);
}

std::string bench_junit(const std::string& device, std::span<const BenchCase> cases) {
  const auto failures = std::count_if(cases.begin(), cases.end(), [](const BenchCase& c) { return !c.ok(); });
  const auto skipped = std::count_if(cases.begin(), cases.end(), [](const BenchCase& c) { return !c.not_run.empty(); });
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format("<testsuite name=\"xeforge bench {}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\">\n", device,
                      cases.size(), failures, skipped);
  for (const BenchCase& c : cases) {
    text += fmt::format("  <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\">", xml_attribute(c.provider),
                        xml_attribute(to_string(c.shape)), c.host_wall_us / 1e6);
    if (!c.not_run.empty()) text += fmt::format("<skipped message=\"{}\"/>", xml_attribute(c.not_run));
    if (!c.ok()) text += fmt::format("<failure message=\"{}\"/>", xml_attribute(c.problem));
    text += "</testcase>\n";
  }
  return text + "</testsuite>\n";
}

}  // namespace xeforge::lab
