// SPDX-License-Identifier: Apache-2.0
#include "lab/run_report.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "lab/json_text.h"

namespace xeforge::lab {

namespace {

constexpr std::string_view kPrefix = "==xeforge== ";
constexpr std::size_t kMostKernels = 40, kMostFaults = 10, kNameWidth = 44;

class Lines {
 public:
  void add(const std::string& line = "") {
    text_ += kPrefix;
    text_ += line;
    text_.erase(text_.find_last_not_of(' ') + 1);
    text_ += '\n';
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string counted(std::uint64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string shortened(const std::string& name) {
  return name.size() <= kNameWidth ? name : name.substr(0, kNameWidth - 3) + "...";
}

void add_kernels(Lines& lines, const std::vector<KernelSummary>& kernels) {
  lines.add(fmt::format("{:<{}} {:>8} {:>10} {:>14} {:>12} {:>10} {:>9}  {}", "kernel", kNameWidth, "launches",
                        "threads", "instructions", "sends", "dpas", "barriers", "registers"));
  for (std::size_t i = 0; i < kernels.size() && i < kMostKernels; ++i) {
    const KernelSummary& kernel = kernels[i];
    lines.add(fmt::format(
        "{:<{}} {:>8} {:>10} {:>14} {:>12} {:>10} {:>9}  {}{}", shortened(kernel.kernel), kNameWidth, kernel.launches,
        kernel.threads, kernel.instructions, kernel.send, kernel.dpas, kernel.barriers, kernel.grf,
        kernel.spill_bytes == 0 ? "" : fmt::format(", spills {} bytes a thread", kernel.spill_bytes)));
    if (kernel.simulated_us)
      lines.add(
          fmt::format("   simulated: {:.1f} us a launch", *kernel.simulated_us / static_cast<double>(kernel.launches)));
  }
  if (kernels.size() > kMostKernels)
    lines.add(fmt::format("... and {} more kernels (--json FILE has all)", kernels.size() - kMostKernels));
}

void add_faults(Lines& lines, std::span<const KernelReport> reports) {
  std::size_t shown = 0;
  for (const KernelReport& report : reports) {
    if (!report.fault) continue;
    if (shown++ == kMostFaults) {
      lines.add("... and more (--json FILE has all)");
      return;
    }
    const auto& fault = *report.fault;
    lines.add();
    lines.add(fmt::format("{} in kernel {}", fault.kind, report.kernel));
    lines.add(fmt::format("   group ({}, {}, {}), thread {}{}, pc 0x{:x}: {}", fault.group[0], fault.group[1],
                          fault.group[2], fault.thread, fault.lane < 0 ? "" : fmt::format(", lane {}", fault.lane),
                          fault.pc, fault.text));
    lines.add(fmt::format("   {}{}", fault.message,
                          fault.occurrences > 1 ? fmt::format(" (and {} times more)", fault.occurrences - 1) : ""));
  }
}

}  // namespace

std::vector<KernelSummary> summarize(std::span<const KernelReport> reports) {
  std::vector<KernelSummary> kernels;
  for (const KernelReport& report : reports) {
    auto found = std::find_if(kernels.begin(), kernels.end(),
                              [&](const KernelSummary& kernel) { return kernel.kernel == report.kernel; });
    if (found == kernels.end()) {
      found = kernels.insert(kernels.end(), KernelSummary{});
      found->kernel = report.kernel;
    }
    ++found->launches;
    found->threads += report.threads;
    found->instructions += report.count("instructions");
    found->send += report.count("send");
    found->dpas += report.count("dpas");
    found->barriers += report.count("barriers");
    found->grf = report.compiled.grf;
    found->simd = report.compiled.simd;
    found->spill_bytes = std::max(report.compiled.spill_bytes, report.compiled.scratch_bytes);
    found->host_wall_us += report.host_wall_us;
    if (report.simulated_us) found->simulated_us = found->simulated_us.value_or(0) + *report.simulated_us;
  }
  return kernels;
}

std::uint64_t count_faults(std::span<const KernelReport> reports) {
  return static_cast<std::uint64_t>(std::count_if(reports.begin(), reports.end(),
                                                  [](const KernelReport& report) { return report.fault.has_value(); }));
}

std::string run_report_text(const std::string& device, std::span<const KernelReport> reports,
                            const std::string& ending) {
  Lines lines;
  const auto kernels = summarize(reports);
  lines.add();
  lines.add(fmt::format("virtual {}: {} of {}; {}", device, counted(reports.size(), "launch", "launches"),
                        counted(kernels.size(), "kernel", "kernels"), ending));
  if (!kernels.empty()) add_kernels(lines, kernels);
  add_faults(lines, reports);
  const std::uint64_t faults = count_faults(reports);
  lines.add();
  lines.add(faults == 0 ? "problems: none"
                        : fmt::format("problems: {} faulted", counted(faults, "launch", "launches")));
  return lines.text();
}

std::string run_report_json(const std::string& device, std::span<const KernelReport> reports, int exit_status) {
  using nlohmann::ordered_json;
  ordered_json document = {{"device", device},
                           {"exit_status", exit_status},
                           {"launches", reports.size()},
                           {"faults", count_faults(reports)},
                           {"kernels", ordered_json::array()},
                           {"problems", ordered_json::array()}};
  for (const KernelSummary& kernel : summarize(reports)) {
    document["kernels"].push_back(
        {{"kernel", kernel.kernel},
         {"launches", kernel.launches},
         {"threads", kernel.threads},
         {"compiled", {{"simd", kernel.simd}, {"grf", kernel.grf}, {"spill_bytes", kernel.spill_bytes}}},
         {"counts",
          {{"instructions", kernel.instructions},
           {"send", kernel.send},
           {"dpas", kernel.dpas},
           {"barriers", kernel.barriers}}},
         {"simulated_us", kernel.simulated_us ? ordered_json(*kernel.simulated_us) : ordered_json(nullptr)},
         {"host_wall_us", kernel.host_wall_us}});
  }
  for (const KernelReport& report : reports) {
    if (!report.fault) continue;
    const auto& fault = *report.fault;
    document["problems"].push_back({{"kernel", report.kernel},
                                    {"kind", fault.kind},
                                    {"group", fault.group},
                                    {"thread", fault.thread},
                                    {"pc", fault.pc},
                                    {"lane", fault.lane},
                                    {"text", fault.text},
                                    {"message", fault.message},
                                    {"occurrences", fault.occurrences}});
  }
  return json_text(document);
}

}  // namespace xeforge::lab
