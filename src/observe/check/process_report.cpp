// SPDX-License-Identifier: Apache-2.0
#include "observe/check/process_report.h"

#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "observe/json_text.h"

namespace xeforge::observe::check {

namespace {

constexpr std::string_view kPrefix = "==xeforge== ";
constexpr std::size_t kMostShown = 100;

void add(std::string& text, const std::string& line) {
  text += kPrefix;
  text += line;
  text.erase(text.find_last_not_of(' ') + 1);
  text += '\n';
}

std::string bytes_text(std::uint64_t bytes) {
  if (bytes < 10'000) return fmt::format("{} bytes", bytes);
  if (bytes < 10'000'000) return fmt::format("{:.1f} KB", static_cast<double>(bytes) / 1e3);
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

}  // namespace

ProcessReport read_check_log(const std::filesystem::path& file, Selection selection, Suppressions suppressions) {
  ProcessReport report;
  report.selection = selection;
  report.suppressions = std::move(suppressions);
  std::vector<Finding> all;
  std::ifstream in(file);
  std::string line;
  while (std::getline(in, line)) {
    if (in.eof()) break;  // a program that was killed may leave half a line, and only at the end
    Log log = log_from_json(line);
    report.work += log.result.work;
    merge_into(all, std::move(log.result.findings));
  }
  for (Finding& finding : all)
    (report.suppressions.hides(finding) ? report.suppressed : report.findings).push_back(std::move(finding));
  return report;
}

std::string check_report_text(const ProcessReport& report) {
  std::string text;
  std::size_t number = 0;
  for (const Finding& finding : report.findings) {
    if (number == kMostShown) {
      add(text, "");
      add(text, fmt::format("... and {} more (--json FILE has all)", report.findings.size() - number));
      break;
    }
    add(text, "");
    const auto lines = report_lines(finding);
    add(text, fmt::format("{}. {}", ++number, lines[0]));
    for (std::size_t i = 1; i < lines.size(); ++i) add(text, lines[i]);
  }
  add(text, "");
  const Work& work = report.work;
  add(text, fmt::format("checked: {} in {} {}: {} threads, {} instructions, {} messages, {} of memory",
                        text_of(report.selection), work.launches, work.launches == 1 ? "launch" : "launches",
                        work.threads, work.instructions, work.messages, bytes_text(work.bytes)));
  if (work.host_seconds > 0)
    add(text, fmt::format("time: {:.3f} s in kernels, about {:.1f} times what it takes without checks",
                          work.host_seconds, work.slowdown()));
  for (const Suppression& suppression : report.suppressions.all()) {
    add(text, suppression.used == 0
                  ? fmt::format("suppression not needed: {} ({})", suppression.kind, suppression.reason)
                  : fmt::format("suppressed: {} x {} ({})", suppression.used, suppression.kind, suppression.reason));
  }
  add(text, report.findings.empty() ? "findings: none" : fmt::format("findings: {} distinct", report.findings.size()));
  return text;
}

std::string check_report_json(const ProcessReport& report) {
  using nlohmann::ordered_json;
  const Work& work = report.work;
  ordered_json document = {{"checks", text_of(report.selection)},
                           {"launches", work.launches},
                           {"threads", work.threads},
                           {"instructions", work.instructions},
                           {"messages", work.messages},
                           {"bytes", work.bytes},
                           {"host_seconds", work.host_seconds},
                           {"slowdown_estimated", work.slowdown()},
                           {"findings", ordered_json::array()},
                           {"suppressed", ordered_json::array()}};
  for (const Finding& finding : report.findings) document["findings"].push_back(ordered_json::parse(to_json(finding)));
  for (const Finding& finding : report.suppressed)
    document["suppressed"].push_back(ordered_json::parse(to_json(finding)));
  return json_text(document, 2) + "\n";
}

std::string generated_suppressions(const ProcessReport& report) {
  std::string text;
  for (const Finding& finding : report.findings) text += suppression_for(finding);
  return text;
}

}  // namespace xeforge::observe::check
