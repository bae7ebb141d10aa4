// SPDX-License-Identifier: Apache-2.0
#include "driver/timed.h"

#include <cstdio>
#include <filesystem>

#include "driver/log.h"
#include "driver/settings.h"
#include "observe/recorder.h"

namespace xeforge::driver {
namespace {

observe::AddressSpace& address_space() {
  static auto* space = new observe::AddressSpace;  // launches may still end while static destructors run
  return *space;
}

void save(const observe::Recording& recording) {
  static unsigned number = 0;
  std::string name = recording.kernel.substr(0, 100);
  for (char& c : name) {
    if (c == '/') c = '_';
  }
  char prefix[16];
  std::snprintf(prefix, sizeof prefix, "%04u-", number++);
  try {
    const std::filesystem::path folder = settings().record_directory;
    std::filesystem::create_directories(folder);
    recording.save(folder / (prefix + name + ".xfr"));
  } catch (const std::exception& e) {
    say(std::string("XEFORGE_RECORD: ") + e.what());
  }
}

}  // namespace

bool recording() { return !settings().record_directory.empty(); }

machine::LaunchResult run_recorded(const machine::Launch& launch, machine::RunOptions options) {
  observe::Recorder recorder(address_space());
  options.observation = &recorder;
  machine::LaunchResult result = machine::run(launch, options);
  if (!result.fault.has_value()) save(recorder.take(launch, result));
  return result;
}

}  // namespace xeforge::driver
