// SPDX-License-Identifier: Apache-2.0
#include "lab/pages/timed.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include "observe/recorder.h"
#include "timing/simulate.h"
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

timing::Result simulated(const machine::Launch& launch, unsigned traced_cores) {
  observe::AddressSpace space;
  observe::Recorder recorder(space);
  machine::RunOptions run;
  run.host_threads = 1;
  run.observation = &recorder;
  const machine::LaunchResult result = machine::run(launch, run);
  if (result.fault) throw std::runtime_error(result.fault->to_string());
  const observe::Recording recording = recorder.take(launch, result);
  const device::Device& device = *launch.kernel->device;
  timing::Options options;
  options.traced_cores = traced_cores;
  return timing::simulate(recording, device, timing::parameters_of(device), options);
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

Json timing_json(const machine::Launch& launch) {
  const timing::Result result = simulated(launch, 1);
  const timing::Parameters parameters = timing::parameters_of(*launch.kernel->device);
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
  const timing::Result result = simulated(launch, device.xe_cores());
  std::map<uint64_t, timing::GroupSpan> by_group;
  for (const auto& span : result.group_spans) by_group[span.group] = span;
  Json cores = Json::array(), spans = Json::array();
  for (const auto& [group, span] : by_group) {
    cores.push_back(span.core);
    spans.push_back({clocks(span.begin), clocks(span.end)});
  }
  return {{"cycles", clocks(result.kernel)}, {"cores", std::move(cores)}, {"spans", std::move(spans)}};
}

Json trace_json(const Json& timing, const Json& isa, const std::string& title) {
  const double us = 1 / timing.at("clock_mhz").get<double>();
  Json events = Json::array();
  events.push_back(
      {{"name", "process_name"}, {"ph", "M"}, {"pid", 0}, {"args", {{"name", title + ", Xe-core 0 (simulated)"}}}});
  std::map<int, bool> named;
  for (const auto& slice : timing.at("slices")) {
    const int engine = slice.at(2), slot = slice.at(3), thread = engine * 64 + slot;
    if (!std::exchange(named[thread], true))
      events.push_back({{"name", "thread_name"},
                        {"ph", "M"},
                        {"pid", 0},
                        {"tid", thread},
                        {"args", {{"name", fmt::format("engine {} slot {}", engine, slot)}}}});
    const Json& cause = timing.at("causes").at(slice.at(4).get<size_t>());
    const size_t index = slice.at(5);
    Json args = {{"cause", cause.at("what")}};
    if (index < isa.size()) args["instruction"] = isa.at(index).at("text");
    const double begin = slice.at(0), end = slice.at(1);
    events.push_back({{"name", cause.at("name")},
                      {"cat", cause.at("kind")},
                      {"ph", "X"},
                      {"ts", begin * us},
                      {"dur", (end - begin) * us},
                      {"pid", 0},
                      {"tid", thread},
                      {"args", std::move(args)}});
  }
  return {{"traceEvents", std::move(events)}, {"displayTimeUnit", "ns"}};
}

}  // namespace xeforge::lab::pages
