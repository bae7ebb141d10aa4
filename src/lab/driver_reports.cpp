// SPDX-License-Identifier: Apache-2.0
#include "lab/driver_reports.h"

#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include <dlfcn.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "xeforge/driver_ext.h"

namespace xeforge::lab {

namespace {

using nlohmann::json;

KernelReport from_json(const json& from) {
  KernelReport report;
  report.kernel = from.at("kernel").get<std::string>();
  report.device = from.at("device").get<std::string>();
  from.at("groups").get_to(report.groups);
  from.at("local").get_to(report.local);
  from.at("threads").get_to(report.threads);
  from.at("host_wall_us").get_to(report.host_wall_us);
  if (const auto time = from.find("simulated_us"); time != from.end() && time->is_number())
    report.simulated_us = time->get<double>();
  if (const auto time = from.find("simulated_per_launch_us"); time != from.end() && time->is_number())
    report.simulated_per_launch_us = time->get<double>();
  const json& compiled = from.at("compiled");
  compiled.at("simd").get_to(report.compiled.simd);
  compiled.at("grf").get_to(report.compiled.grf);
  compiled.at("spill_bytes").get_to(report.compiled.spill_bytes);
  compiled.at("scratch_bytes").get_to(report.compiled.scratch_bytes);
  compiled.at("slm_bytes").get_to(report.compiled.slm_bytes);
  compiled.at("barriers").get_to(report.compiled.barriers);
  for (const auto& [name, value] : from.at("counts").items())
    report.counts.emplace_back(name, value.get<std::uint64_t>());
  if (const json& fault = from.at("fault"); !fault.is_null()) {
    // emplace() is too much for clang 14, which does not see that a nested class has a default constructor.
    report.fault = KernelReport::Fault{};
    KernelReport::Fault& to = *report.fault;
    fault.at("kind").get_to(to.kind);
    fault.at("group").get_to(to.group);
    fault.at("thread").get_to(to.thread);
    fault.at("pc").get_to(to.pc);
    fault.at("lane").get_to(to.lane);
    fault.at("text").get_to(to.text);
    fault.at("message").get_to(to.message);
    to.occurrences = fault.value("occurrences", std::uint64_t{1});
  }
  return report;
}

template <class Read>
auto reading(const Read& read) {
  try {
    return read();
  } catch (const json::exception& error) {
    throw std::runtime_error(std::string("a report of the driver cannot be read: ") + error.what());
  }
}

}  // namespace

std::uint64_t KernelReport::count(std::string_view name) const {
  for (const auto& [key, value] : counts) {
    if (key == name) return value;
  }
  return 0;
}

std::string to_string(const KernelReport::Fault& fault) {
  return fmt::format("{} in group ({}, {}, {}), thread {}, pc 0x{:x}: {}: {}", fault.kind, fault.group[0],
                     fault.group[1], fault.group[2], fault.thread, fault.pc, fault.text, fault.message);
}

KernelReport parse_report(const std::string& text) {
  return reading([&] { return from_json(json::parse(text)); });
}

std::vector<KernelReport> parse_reports(const std::string& text) {
  return reading([&] {
    std::vector<KernelReport> reports;
    for (const json& report : json::parse(text)) reports.push_back(from_json(report));
    return reports;
  });
}

std::vector<KernelReport> read_report_file(const std::filesystem::path& file) {
  std::vector<KernelReport> reports;
  std::ifstream in(file);
  std::string line;
  while (std::getline(in, line)) {
    // A program that was killed may leave half a line, and only at the end.
    if (in.eof()) break;
    reports.push_back(parse_report(line));
  }
  return reports;
}

std::vector<KernelReport> take_reports() {
  // The driver is loaded by SYCL, privately; asked for by the name it was loaded under.
  void* driver = ::dlopen("libze_loader.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (driver == nullptr) {
    if (const char* directory = std::getenv("ZEL_LIBRARY_PATH")) {
      driver = ::dlopen((std::string(directory) + "/libze_loader.so.1").c_str(), RTLD_LAZY | RTLD_NOLOAD);
    }
  }
  if (driver == nullptr) return {};
  const auto take = reinterpret_cast<xeforge_take_reports_t>(::dlsym(driver, XEFORGE_TAKE_REPORTS_NAME));
  std::vector<KernelReport> reports;
  if (take != nullptr) reports = parse_reports(take());
  ::dlclose(driver);
  return reports;
}

}  // namespace xeforge::lab
