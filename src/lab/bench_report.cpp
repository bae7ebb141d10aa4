// SPDX-License-Identifier: Apache-2.0
#include "lab/bench_report.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "lab/bench_shapes.h"

namespace xeforge::lab {

namespace {

using nlohmann::ordered_json;

std::string counted(const BenchCase& result, std::initializer_list<const char*> names) {
  if (result.kernels.empty()) return "";
  std::uint64_t sum = 0;
  for (const char* name : names) sum += result.count(name);
  return fmt::format("{}", sum);
}

std::string ratio(const BenchCase& result, const BenchCase* first) {
  if (first == nullptr || result.kernels.empty() || first->count("instructions") == 0) return "";
  return fmt::format(
      "{:.3f}", static_cast<double>(result.count("instructions")) / static_cast<double>(first->count("instructions")));
}

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

struct Column {
  const char* title;
  unsigned width;
  std::string (*text)(const BenchCase&, const BenchCase* first);
};

const std::array kColumns = {
    Column{"shape", 16, [](const BenchCase& r, const BenchCase*) { return to_string(r.shape); }},
    Column{"provider", 20, [](const BenchCase& r, const BenchCase*) { return r.provider; }},
    Column{"errors", 10, [](const BenchCase& r, const BenchCase*) { return verified(r); }},
    Column{"instructions", 12, [](const BenchCase& r, const BenchCase*) { return counted(r, {"instructions"}); }},
    Column{"ratio", 6, ratio},
    Column{"sends", 9, [](const BenchCase& r, const BenchCase*) { return counted(r, {"send"}); }},
    Column{"payload", 9, [](const BenchCase& r, const BenchCase*) { return counted(r, {"send_payload_grf"}); }},
    Column{"dpas", 9, [](const BenchCase& r, const BenchCase*) { return counted(r, {"dpas"}); }},
    Column{"barriers", 8, [](const BenchCase& r, const BenchCase*) { return counted(r, {"barriers"}); }},
    Column{"alu", 10,
           [](const BenchCase& r, const BenchCase*) {
             return counted(r, {"alu_int", "alu_float", "mov", "math"});
           }},
    Column{"regs", 4, [](const BenchCase& r, const BenchCase*) { return registers(r); }},
    Column{"groups", 6, [](const BenchCase& r, const BenchCase*) { return groups(r); }},
    Column{"kernels", 7, [](const BenchCase& r, const BenchCase*) { return fmt::format("{}", r.kernels.size()); }},
    Column{"host s", 7,
           [](const BenchCase& r, const BenchCase*) {
             return r.not_run.empty() ? fmt::format("{:.3f}", r.host_wall_us / 1e6) : "";
           }},
};

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

ordered_json case_object(const std::string& device, const BenchCase& result) {
  const double distance = result.verified.max_abs_error;
  ordered_json object = {
      {"id", result.provider + " " + to_string(result.shape)},
      {"provider", result.provider},
      {"device", result.provider == "reference" ? "cpu" : device},
      {"mode", "functional"},
      {"shape",
       {{"m", result.shape.shape.m},
        {"n", result.shape.shape.n},
        {"k", result.shape.shape.k},
        {"alpha", result.shape.alpha},
        {"beta", result.shape.beta},
        {"pf_dist", 0}}},
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
  }
  object["kernels"] = ordered_json::array();
  for (const KernelReport& kernel : result.kernels) object["kernels"].push_back(kernel_object(kernel));
  object["time_us"] = {{"kernel", nullptr},
                       {"per_launch", nullptr},
                       {"pack", result.pack_us},
                       {"simulated", nullptr},
                       {"host_wall", result.host_wall_us}};
  return object;
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
  }
  return result;
}

}  // namespace

void BenchTable::line(std::span<const std::string> cells) {
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    switch (style_) {
      case BenchStyle::Terminal:
        text += i < 2 ? fmt::format("{:<{}} ", cells[i], kColumns[i].width)
                      : fmt::format("{:>{}} ", cells[i], kColumns[i].width);
        break;
      case BenchStyle::Csv:
        text += (i == 0 ? "" : ",") + cells[i];
        break;
      case BenchStyle::Markdown:
        text += "| " + cells[i] + " ";
        break;
    }
  }
  if (style_ == BenchStyle::Markdown) text += "|";
  text.erase(text.find_last_not_of(' ') + 1);
  out_ << text << '\n' << std::flush;
}

void BenchTable::heading() {
  std::vector<std::string> titles, rules;
  for (std::size_t i = 0; i < kColumns.size(); ++i) {
    titles.emplace_back(kColumns[i].title);
    rules.emplace_back(style_ == BenchStyle::Markdown ? (i < 2 ? ":--" : "--:") : std::string(kColumns[i].width, '-'));
  }
  line(titles);
  if (style_ != BenchStyle::Csv) line(rules);
}

void BenchTable::row(const BenchCase& result, const BenchCase* first) {
  std::vector<std::string> cells;
  for (const Column& column : kColumns) cells.push_back(column.text(result, first));
  line(cells);
}

std::string bench_json(const std::string& device, std::span<const BenchCase> cases) {
  ordered_json document = {{"device", device}, {"mode", "functional"}, {"cases", ordered_json::array()}};
  for (const BenchCase& result : cases) document["cases"].push_back(case_object(device, result));
  return document.dump(2) + "\n";
}

std::string bench_junit(const std::string& device, std::span<const BenchCase> cases) {
  const auto failures = std::count_if(cases.begin(), cases.end(), [](const BenchCase& c) { return !c.ok(); });
  const auto skipped = std::count_if(cases.begin(), cases.end(), [](const BenchCase& c) { return !c.not_run.empty(); });
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format("<testsuite name=\"xeforge bench {}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\">\n", device,
                      cases.size(), failures, skipped);
  for (const BenchCase& c : cases) {
    text += fmt::format("  <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\">", escaped(c.provider),
                        escaped(to_string(c.shape)), c.host_wall_us / 1e6);
    if (!c.not_run.empty()) text += fmt::format("<skipped message=\"{}\"/>", escaped(c.not_run));
    if (!c.ok()) text += fmt::format("<failure message=\"{}\"/>", escaped(c.problem));
    text += "</testcase>\n";
  }
  return text + "</testsuite>\n";
}

}  // namespace xeforge::lab
