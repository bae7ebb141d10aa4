// SPDX-License-Identifier: Apache-2.0
#include "driver/report.h"

#include <cerrno>
#include <cstring>
#include <mutex>
#include <vector>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "driver/log.h"
#include "driver/settings.h"
#include "observe/counters.h"
#include "observe/json_text.h"

namespace xeforge::driver {
namespace {

using nlohmann::json;

struct Reports {
  std::mutex mutex;
  std::vector<std::string> kept;
  int file = -1;
  bool opened = false;
};

Reports& reports() {
  static Reports* instance = new Reports;  // launches may still end while static destructors run
  return *instance;
}

// A program that never asks for reports must not collect them without end. The lab takes them after each run.
constexpr size_t kMostKept = 100'000;

json fault_json(const machine::Fault& fault) {
  return {{"kind", machine::name_of(fault.kind)},
          {"group", fault.group},
          {"thread", fault.thread},
          {"pc", fault.pc},
          {"lane", fault.lane},
          {"text", fault.text},
          {"message", fault.message},
          {"occurrences", fault.occurrences}};
}

void append_line(Reports& all, const std::string& line) {
  const std::string& name = settings().report_file;
  if (name.empty()) {
    return;
  }
  if (!all.opened) {
    all.opened = true;
    // Appending: child processes of the program write to the same file, each line in one write.
    all.file = ::open(name.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (all.file < 0) {
      say("XEFORGE_REPORT: cannot write " + name + ": " + std::strerror(errno));
    }
  }
  if (all.file >= 0) {
    const std::string text = line + "\n";
    if (::write(all.file, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
      say("XEFORGE_REPORT: a report could not be written whole to " + name);
    }
  }
}

}  // namespace

std::string launch_report(const machine::Launch& launch, const machine::LaunchResult& result,
                          const std::optional<SimulatedTime>& time) {
  const binary::Kernel& binary = launch.kernel->binary;
  json counts = json::object();
  const observe::Counters counters = observe::count(*launch.kernel->program, result.counts);
  for (const observe::CounterRow& row : observe::counter_table()) {
    counts[std::string(row.name)] = counters.*row.field;
  }
  json report = {
      {"kernel", launch.kernel->name},
      {"device", launch.kernel->device->id},
      {"groups", launch.groups},
      {"local", launch.local},
      {"threads", result.counts.threads},
      {"host_wall_us", result.host_seconds * 1e6},
      {"compiled",
       {{"simd", binary.simd_size},
        {"grf", binary.grf_count},
        {"spill_bytes", binary.spill_size},
        {"scratch_bytes", binary.scratch_bytes_per_thread()},
        {"slm_bytes", binary.slm_size},
        {"barriers", binary.barrier_count}}},
      {"counts", std::move(counts)},
      {"fault", result.fault.has_value() ? fault_json(*result.fault) : json(nullptr)},
  };
  if (time.has_value()) {
    report["simulated_us"] = time->kernel_us;
    report["simulated_per_launch_us"] = time->per_launch_us;
    report["timing"] = json::parse(time->details);
  }
  return observe::json_text(report);
}

void record_launch(const machine::Launch& launch, const machine::LaunchResult& result,
                   const std::optional<SimulatedTime>& time) {
  std::string text = launch_report(launch, result, time);
  Reports& all = reports();
  const std::lock_guard lock(all.mutex);
  append_line(all, text);
  if (all.kept.size() >= kMostKept) {
    if (all.kept.size() == kMostKept) {
      say("more than " + std::to_string(kMostKept) +
          " launches without xeforgeTakeReports: the oldest reports are dropped");
    }
    all.kept.erase(all.kept.begin(), all.kept.begin() + kMostKept / 2);
  }
  all.kept.push_back(std::move(text));
}

std::string take_reports() {
  Reports& all = reports();
  std::vector<std::string> taken;
  {
    const std::lock_guard lock(all.mutex);
    taken.swap(all.kept);
  }
  std::string text = "[";
  for (const std::string& report : taken) {
    text += (text.size() > 1 ? "," : "") + report;
  }
  return text + "]";
}

}  // namespace xeforge::driver
