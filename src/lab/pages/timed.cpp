// SPDX-License-Identifier: Apache-2.0
#include "lab/pages/timed.h"

#include <map>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "observe/recorder.h"
#include "timing/simulate.h"
#include "timing/trace.h"
#include "xeforge/compiled_paths.h"

namespace xeforge::lab::pages {
namespace {

using Json = nlohmann::ordered_json;
using timing::Cause;

struct KindRow {
  Cause first, last;
  const char* kind;
};
// In the order of Cause; the pages colour by kind.
constexpr KindRow kKinds[] = {{Cause::IssuedFloat, Cause::IssuedControl, "issued"},
                              {Cause::Front, Cause::MessageRead, "wait"},
                              {Cause::Barrier, Cause::Barrier, "barrier"},
                              {Cause::FloatBusy, Cause::Arbiter, "busy"},
                              {Cause::Start, Cause::Start, "start"},
                              {Cause::Empty, Cause::Empty, "empty"}};

const char* kind_of(Cause cause) {
  for (const KindRow& row : kKinds)
    if (cause >= row.first && cause <= row.last) return row.kind;
  throw std::logic_error("a stall cause without a colour");
}

double clocks(timing::Ticks t) { return static_cast<double>(t) / static_cast<double>(timing::kTicksPerClock); }

struct Simulated {
  observe::Recording recording;
  timing::Parameters parameters;
  timing::Result result;
};

Simulated simulated(const machine::Launch& launch, unsigned traced_cores) {
  observe::Recorder recorder;
  machine::RunOptions run;
  run.host_threads = 1;
  run.observation = &recorder;
  const machine::LaunchResult result = machine::run(launch, run);
  if (result.fault) throw std::runtime_error(result.fault->to_string());
  const device::Device& device = *launch.kernel->device;
  Simulated out{recorder.take(launch, result), timing::parameters_of(device), {}};
  out.parameters.launch_front_us = 0;  // the figures begin with the first thread
  timing::Options options;
  options.traced_cores = traced_cores;
  out.result = timing::simulate(out.recording, device, out.parameters, options);
  return out;
}

Json causes_json(const timing::Result& result) {
  Json list = Json::array();
  for (size_t c = 0; c < timing::kCauses; ++c) {
    const auto cause = static_cast<Cause>(c);
    list.push_back({{"name", timing::name_of(cause)},
                    {"what", timing::describe(cause)},
                    {"kind", kind_of(cause)},
                    {"ticks", result.causes[c]}});
  }
  return list;
}

}  // namespace

Json timing_json(const machine::Launch& launch, std::string* trace) {
  const Simulated timed = simulated(launch, 1);
  const timing::Result& result = timed.result;
  const timing::Parameters& parameters = timed.parameters;
  if (trace != nullptr) {
    std::ostringstream text;
    timing::write_trace(text, timed.recording, parameters, result);
    *trace = text.str();
  }
  Json slices = Json::array(), groups = Json::array(), barriers = Json::array(), instructions = Json::array();
  for (const auto& s : result.slices)
    if (s.cause != Cause::Empty)
      slices.push_back(
          {clocks(s.begin), clocks(s.end), s.engine, s.slot, static_cast<unsigned>(s.cause), s.instruction});
  for (const auto& g : result.group_spans) groups.push_back({g.group, g.core, clocks(g.begin), clocks(g.end)});
  for (const auto& b : result.barrier_marks) barriers.push_back(clocks(b.at));
  for (const auto& by_cause : result.by_instruction) {
    timing::Ticks sum = 0;
    for (const timing::Ticks t : by_cause) sum += t;
    instructions.push_back(clocks(sum));
  }
  return {{"model", fmt::format("xeforge {} clock model", paths::kVersion)},
          {"cycles", clocks(result.kernel)},
          {"us", parameters.microseconds(result.kernel)},
          {"clock_mhz", parameters.clock_mhz},
          {"warm", timing::Options{}.warm},
          {"causes", causes_json(result)},
          {"slices", std::move(slices)},
          {"groups", std::move(groups)},
          {"barriers", std::move(barriers)},
          {"instruction_cycles", std::move(instructions)}};
}

Json dispatch_json(const machine::Launch& launch) {
  const device::Device& device = *launch.kernel->device;
  const timing::Result result = simulated(launch, device.xe_cores()).result;
  std::map<uint64_t, timing::GroupSpan> by_group;
  for (const auto& span : result.group_spans) by_group[span.group] = span;
  Json cores = Json::array(), spans = Json::array();
  for (const auto& [group, span] : by_group) {
    cores.push_back(span.core);
    spans.push_back({clocks(span.begin), clocks(span.end)});
  }
  return {{"cycles", clocks(result.kernel)}, {"cores", std::move(cores)}, {"spans", std::move(spans)}};
}

}  // namespace xeforge::lab::pages
