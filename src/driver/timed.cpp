// SPDX-License-Identifier: Apache-2.0
#include "driver/timed.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <thread>

#include <nlohmann/json.hpp>

#include "driver/log.h"
#include "driver/settings.h"
#include "machine/control_only.h"
#include "observe/recorder.h"
#include "timing/simulate.h"
#include "timing/summary.h"
#include "timing/trace.h"

namespace xeforge::driver {
namespace {

using nlohmann::json;

/// Instructions of a core that are simulated before the rest is extrapolated: a GEMM of 2048 x 2048 x 2048 of the
/// ladder's faster kernels is simulated whole.
constexpr uint64_t kMostInstructionsPerCore = 4'000'000;

unsigned next_number() {
  static unsigned number = 0;
  return number++;
}

std::string file_name(const observe::Recording& recording, const char* extension) {
  std::string name = recording.kernel.substr(0, 100);
  std::replace(name.begin(), name.end(), '/', '_');
  char prefix[16];
  std::snprintf(prefix, sizeof prefix, "%04u-", next_number());
  return prefix + name + extension;
}

void save(const observe::Recording& recording) {
  try {
    const std::filesystem::path folder = settings().record_directory;
    std::filesystem::create_directories(folder);
    recording.save(folder / file_name(recording, ".xfr"));
  } catch (const std::exception& e) {
    say(std::string("XEFORGE_RECORD: ") + e.what());
  }
}

json details(const timing::Result& result, const timing::Parameters& p) {
  const timing::Metrics m = timing::metrics_of(result, p);
  json causes = json::object();
  for (size_t i = 0; i < timing::kCauses; ++i) {
    causes[std::string(timing::name_of(static_cast<timing::Cause>(i)))] =
        static_cast<double>(result.causes[i]) / static_cast<double>(std::max<timing::Ticks>(1, result.slot_ticks));
  }
  json bounds = json::array();
  for (const timing::Bound& bound : timing::bounds_of(result, p))
    bounds.push_back({{"name", bound.name}, {"share", bound.share}});
  return {{"simulated", true},
          {"model", timing::kModelVersion},
          {"clock_mhz", p.clock_mhz},
          {"cores_simulated", result.cores},
          {"sampled", result.sampled},
          {"metrics",
           {{"XVE_ACTIVE", m.xve_active},
            {"XVE_STALL", m.xve_stall},
            {"XVE_THREADS_OCCUPANCY_ALL", m.occupancy},
            {"XMX_ACTIVE", m.xmx_active},
            {"LSC_ACTIVE", m.lsc_active},
            {"L1_HIT", m.l1_hit},
            {"L2_HIT", m.l2_hit},
            {"L2_BYTES_PER_CLOCK", m.l2_bytes_per_clock},
            {"DRAM_ACTIVE", m.dram_active}}},
          {"thread_time", std::move(causes)},
          {"bounds", std::move(bounds)}};
}

SimulatedTime simulate(const observe::Recording& recording, const device::Device& device, unsigned host_threads) {
  const timing::Parameters parameters = timing::parameters_of(device);
  timing::Options options;
  options.cores = settings().timed_cores;
  options.most_instructions_per_core = kMostInstructionsPerCore;
  options.host_threads = host_threads != 0 ? host_threads : std::max(1U, std::thread::hardware_concurrency());
  options.traced_cores = settings().trace_file.empty() ? 0 : 1;
  const timing::Result result = timing::simulate(recording, device, parameters, options);
  if (options.traced_cores != 0) {
    // The last launch of a kernel is what is looked at: earlier ones are overwritten.
    std::ofstream out(settings().trace_file);
    timing::write_trace(out, recording, parameters, result);
    if (!out.flush()) say("XEFORGE_TRACE: cannot write " + settings().trace_file);
  }
  return {parameters.microseconds(result.kernel), timing::launch_us(result, parameters),
          details(result, parameters).dump()};
}

/// Kernels without arithmetic, as long as the originals live.
std::shared_ptr<const machine::Kernel> control_only(const std::shared_ptr<const machine::Kernel>& kernel) {
  struct Made {
    std::weak_ptr<const machine::Kernel> from;
    std::shared_ptr<const machine::Kernel> kernel;
  };
  static auto* all = new std::map<const machine::Kernel*, Made>;
  if (all->empty())
    say("XEFORGE_CONTROL_ONLY: kernels are recorded without matrix arithmetic; their results are wrong");
  std::erase_if(*all, [](const auto& entry) { return entry.second.from.expired(); });
  Made& made = (*all)[kernel.get()];
  if (made.kernel == nullptr) made = {kernel, machine::without_arithmetic(*kernel)};
  return made.kernel;
}

}  // namespace

bool recording() { return settings().timed || !settings().record_directory.empty(); }

machine::LaunchResult run_recorded(const machine::Launch& original, machine::RunOptions options,
                                   std::optional<SimulatedTime>& time) {
  machine::Launch launch = original;
  if (settings().control_only) launch.kernel = control_only(original.kernel);
  observe::Recorder recorder;
  options.observation = &recorder;
  machine::LaunchResult result = machine::run(launch, options);
  if (result.fault.has_value()) return result;
  const observe::Recording recording = recorder.take(launch, result);
  if (!settings().record_directory.empty()) save(recording);
  if (!settings().timed) return result;
  try {
    time = simulate(recording, *launch.kernel->device, options.host_threads);
  } catch (const std::exception& e) {
    say(std::string("the launch could not be timed: ") + e.what());
  }
  return result;
}

}  // namespace xeforge::driver
