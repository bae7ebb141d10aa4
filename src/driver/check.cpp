// SPDX-License-Identifier: Apache-2.0
#include "driver/check.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>
#include <stdexcept>

#include <fcntl.h>
#include <unistd.h>

#include "driver/settings.h"
#include "driver/state.h"
#include "observe/check/render.h"
#include "xeforge/driver_ext.h"

namespace xeforge::driver {
namespace {

namespace check = observe::check;

/// What xeforge_finding_t points to.
struct Exported {
  check::Finding finding;
  std::string report;
};

struct Session {
  std::mutex mutex;
  check::Selection selection;
  std::vector<check::Finding> findings;  ///< not yet taken by the program
  std::vector<Exported> exported;        ///< what the last take handed out
  std::vector<xeforge_finding_t> table;
  int log = -1;
  bool begun = false;
};

void prepare_memory(Usm& usm, check::Selection selection) {
  if (selection.has(check::Topic::Memory)) usm.quarantine_freed_memory();
  if (selection.has(check::Topic::Init)) usm.track_written_memory();
}

check::Selection selection_of_settings() {
  try {
    return check::parse_selection(settings().checks);
  } catch (const std::invalid_argument& e) {
    say(std::string("XEFORGE_CHECK: ") + e.what() + "; nothing is checked");
    return {};
  }
}

void begin(Session& session) {
  session.begun = true;
  const Settings& s = settings();
  session.selection = selection_of_settings();
  if (!s.check_log.empty()) {
    session.log = ::open(s.check_log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (session.log < 0) say("XEFORGE_CHECK_LOG: cannot write " + s.check_log + ": " + std::strerror(errno));
  }
}

Session& session() {
  static Session* instance = new Session;  // launches may still end while static destructors run
  const std::lock_guard lock(instance->mutex);
  if (!instance->begun) begin(*instance);
  return *instance;
}

void record(Session& all, check::Selection selection, check::Result result) {
  const std::lock_guard lock(all.mutex);
  if (all.log >= 0) {
    const std::string line = check::to_json(check::Log{selection, result}) + "\n";
    if (::write(all.log, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
      say("XEFORGE_CHECK_LOG: a line could not be written whole");
  }
  check::merge_into(all.findings, std::move(result.findings));
}

/// True if the page is mapped for reading in this process and is none of ours. Remembered per page: a kernel that
/// runs over the end of something asks a thousand times.
bool is_host_memory(uint64_t address) {
  static std::mutex mutex;
  static auto* known = new std::map<uint64_t, bool>;
  const std::lock_guard lock(mutex);
  const auto [at, fresh] = known->try_emplace(address >> 12, false);
  if (!fresh || state().device.usm.owns(address)) return at->second;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream fields(line);
    uint64_t begin = 0, end = 0;
    char dash = 0;
    std::string access;
    fields >> std::hex >> begin >> dash >> end >> access;
    if (fields && address >= begin && address < end && access.starts_with('r')) at->second = true;
  }
  return at->second;
}

check::Environment environment_of(const LaunchRequest& request) {
  check::Environment environment;
  environment.freed = [](uint64_t address) { return state().device.usm.find_freed(address); };
  environment.is_host_memory = is_host_memory;
  environment.defined = state().device.usm.written();
  environment.source_line = [image = request.image, kernel = request.launch.kernel->name](uint32_t pc) {
    return image->lines().find(kernel, pc);
  };
  return environment;
}

/// The process's end: what the program allocated and never gave back.
[[gnu::destructor]] void report_leaks() {
  if (!checking()) return;
  Session& all = session();
  if (!all.selection.has(check::Topic::Memory)) return;
  check::Result result;
  for (const machine::Allocation& allocation : state().device.usm.not_given_back()) {
    check::Finding& finding = result.findings.emplace_back();
    finding.kind = check::Kind::Leak;
    finding.message = allocation.label + " was never freed";
  }
  record(all, all.selection, std::move(result));
}

}  // namespace

void prepare_memory_for_checks(Usm& usm) { prepare_memory(usm, selection_of_settings()); }

bool checking() {
  try {
    Session& all = session();
    const std::lock_guard lock(all.mutex);
    return all.selection.any();
  } catch (const std::exception&) {
    return false;  // no device: the call that needs one says so
  }
}

machine::LaunchResult run_checked(const LaunchRequest& request, machine::RunOptions options) {
  Session& all = session();
  check::Selection selection;
  {
    const std::lock_guard lock(all.mutex);
    selection = all.selection;
  }
  const check::Environment environment = environment_of(request);
  check::Checker checker(selection, request.launch, environment);
  machine::LaunchResult result = machine::run(request.launch, checker.options(options));
  check::Result found = checker.finish(result);
  if (!found.findings.empty() && verbose()) {
    for (const check::Finding& finding : found.findings) say(check::report_text(finding));
  }
  record(all, selection, std::move(found));
  return result;
}

}  // namespace xeforge::driver

using namespace xeforge::driver;

extern "C" {

ZE_APIEXPORT const char* xeforgeCheckBegin(const char* checks) {
  static thread_local std::string error;
  error.clear();
  try {
    const auto selection = xeforge::observe::check::parse_selection(checks == nullptr ? "" : checks);
    Session& all = session();
    const std::lock_guard lock(all.mutex);
    all.selection = selection;
    all.findings.clear();
    prepare_memory(state().device.usm, selection);
  } catch (const std::exception& e) {
    error = e.what();
  }
  return error.empty() ? nullptr : error.c_str();
}

ZE_APIEXPORT size_t xeforgeCheckTake(const xeforge_finding_t** findings) {
  Session& all = session();
  const std::lock_guard lock(all.mutex);
  all.exported.clear();
  all.table.clear();
  for (auto& finding : all.findings) {
    Exported& exported = all.exported.emplace_back();
    exported.report = xeforge::observe::check::report_text(finding);
    exported.finding = std::move(finding);
  }
  all.findings.clear();
  for (const Exported& exported : all.exported) {
    xeforge_finding_t& entry = all.table.emplace_back();
    const auto& finding = exported.finding;
    entry.kind = xeforge::observe::check::row_of(finding.kind).id.data();
    entry.kernel = finding.kernel.c_str();
    entry.message = finding.message.c_str();
    entry.source = finding.first.source.c_str();
    entry.instruction = finding.first.text.c_str();
    entry.report = exported.report.c_str();
    entry.pc = finding.first.has_pc ? static_cast<int64_t>(finding.first.pc) : -1;
    entry.count = finding.count;
  }
  if (findings != nullptr) *findings = all.table.data();
  return all.table.size();
}

}  // extern "C"
