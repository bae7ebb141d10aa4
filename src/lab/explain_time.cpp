// SPDX-License-Identifier: Apache-2.0
#include "lab/explain_time.h"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace xeforge::lab {

namespace {

using nlohmann::ordered_json;
using timing::Cause;

/// A unit that rests for more of the time than this is not what holds the kernel back. Below 1, because a launch fills
/// and drains the device: the ladder's kernels that are limited by their load/store unit keep it at work for 0.6 to
/// 0.7.
constexpr double kBoundFrom = 0.6;
/// Of a launch's time between kernels, and before a kernel's first thread.
constexpr double kLaunchBoundFrom = 0.5;
constexpr std::size_t kShown = 12;
/// Instructions of a core before the rest is extrapolated, as the driver does it in timed mode.
constexpr std::uint64_t kMostInstructionsPerCore = 4'000'000;

double part(timing::Ticks some, timing::Ticks whole) {
  return whole > 0 ? static_cast<double>(some) / static_cast<double>(whole) : 0;
}

std::vector<ThreadTime> thread_times(const timing::Result& result) {
  std::vector<ThreadTime> times;
  const auto add = [&](std::optional<std::size_t> instruction, Cause cause, timing::Ticks ticks) {
    if (ticks > 0) times.push_back({instruction, cause, part(ticks, result.slot_ticks)});
  };
  for (std::size_t i = 0; i < result.by_instruction.size(); ++i) {
    for (std::size_t c = 0; c < timing::kCauses; ++c) add(i, static_cast<Cause>(c), result.by_instruction[i][c]);
  }
  for (const Cause cause : {Cause::Start, Cause::Empty})
    add(std::nullopt, cause, result.causes[static_cast<std::size_t>(cause)]);
  std::stable_sort(times.begin(), times.end(),
                   [](const ThreadTime& a, const ThreadTime& b) { return a.share > b.share; });
  return times;
}

double bound_share(const std::vector<timing::Bound>& bounds, std::string_view name) {
  for (const timing::Bound& bound : bounds) {
    if (bound.name == name) return bound.share;
  }
  throw std::logic_error("the model says nothing of " + std::string(name));
}

/// One unit moves the bytes of both: its time is shared out as their bytes would take it.
double slm_part(const timing::Traffic& traffic, const timing::Parameters& p) {
  const double slm = static_cast<double>(traffic.slm_bytes) / p.slm_rate;
  const double l1 = 64.0 * static_cast<double>(traffic.l1_reads + traffic.l2_writes) / p.l1_rate;
  return slm + l1 > 0 ? slm / (slm + l1) : 0;
}

/// `with_threads`: part of the kernel's time in which threads may run.
void find_bound(TimeProfile& time, double load_store, bool mostly_slm, double with_threads) {
  if (time.launch >= kLaunchBoundFrom) {
    time.bound = "launch";
    return;
  }
  std::pair<std::string, double> busiest{mostly_slm ? "SLM" : "L1", load_store};
  for (const Roof& roof : time.roofs) {
    if (roof.name != "SLM" && roof.name != "L1" && roof.busy > busiest.second) busiest = {roof.name, roof.busy};
  }
  if (busiest.second >= kBoundFrom * with_threads) {
    time.bound = busiest.first;
  } else {
    time.bound = time.barrier > time.latency ? "barrier" : "latency";
  }
}

std::string place(const KernelProfile& profile, const ThreadTime& time) {
  if (!time.instruction) return "";
  const auto& instruction = profile.recording.program->instructions()[*time.instruction];
  return fmt::format("pc {}: {}", instruction.pc, profile.recording.program->text(instruction.pc));
}

std::vector<std::size_t> most_blamed(const TimeProfile& time) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < time.blamed.size(); ++i) {
    if (time.blamed[i] > 0) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return time.blamed[a] > time.blamed[b]; });
  return order;
}

std::string error_text(const KernelProfile& profile, const TimeProfile& time) {
  if (time.error) return to_string(*time.error);
  const auto overall = measured_error(profile.device, "", time.whole_gpu);
  return "not measured for such a kernel" + (overall ? "; elsewhere " + to_string(*overall) : std::string());
}

void print_difference(std::ostream& out, const TimeProfile& time, const TimeProfile& base) {
  const double change = 100 * (time.per_launch_us / base.per_launch_us - 1);
  out << fmt::format("  base {:.2f} us a launch, this {:.2f} us: {:+.1f} %", base.per_launch_us, time.per_launch_us,
                     change);
  if (!time.error) {
    out << "; the model's error here is unknown, so neither is called faster\n";
  } else if (std::abs(change) <= time.error->mape) {
    out << "; less than the model's error, so neither is called faster\n";
  } else {
    out << (change < 0 ? "; faster" : "; slower") << " by more than the model's error\n";
  }
}

}  // namespace

double TimeProfile::share_of(std::size_t instruction) const {
  double sum = 0;
  for (const ThreadTime& time : times) {
    if (time.instruction == instruction) sum += time.share;
  }
  return sum;
}

TimeProfile time_profile(const observe::Recording& recording, const device::Device& device,
                         const timing::Parameters& parameters, std::string_view family, unsigned cores,
                         unsigned host_threads) {
  timing::Options options;
  options.cores = cores;
  options.most_instructions_per_core = kMostInstructionsPerCore;
  options.host_threads = host_threads;
  const timing::Result result = timing::simulate(recording, device, parameters, options);

  TimeProfile time;
  time.whole_gpu = cores == 0 || cores >= parameters.cores;
  time.kernel_us = parameters.microseconds(result.kernel);
  time.per_launch_us = timing::launch_us(result, parameters);
  time.sampled = result.sampled;
  time.metrics = timing::metrics_of(result, parameters);
  time.times = thread_times(result);
  for (const timing::Ticks ticks : result.blamed) time.blamed.push_back(part(ticks, result.slot_ticks));

  const auto bounds = timing::bounds_of(result, parameters);
  const double load_store = bound_share(bounds, "load/store unit");
  const double slm = slm_part(result.traffic, parameters);
  const auto roof = [&](const char* name, double busy) { time.roofs.push_back({name, busy, busy * time.kernel_us}); };
  for (const char* name : {"XMX", "ALU", "send"}) {
    const double busy = bound_share(bounds, name);
    // Stores may still be on their way when the last thread has ended, so that the units of memory may exceed the
    // time; those of the engines cannot.
    if (busy > 1 + 1e-9)
      throw std::logic_error(fmt::format("internal error: {} is at work for {:.4f} of the time", name, busy));
    roof(name, busy);
  }
  roof("SLM", load_store * slm);
  roof("L1", load_store * (1 - slm));
  for (const char* name : {"L2", "DRAM"}) roof(name, bound_share(bounds, name));
  std::stable_sort(time.roofs.begin(), time.roofs.end(), [](const Roof& a, const Roof& b) { return a.busy > b.busy; });
  time.latency = bound_share(bounds, "latency");
  time.barrier = bound_share(bounds, "barrier");
  const double with_threads = time.kernel_us - parameters.launch_front_us;
  time.launch = 1 - with_threads / time.per_launch_us;
  find_bound(time, load_store, slm > 0.5, with_threads / time.kernel_us);
  if (!family.empty()) time.error = measured_error(device.id, family, time.whole_gpu);
  return time;
}

TimeProfile time_profile(const observe::Recording& recording, const device::Device& device, std::string_view family,
                         unsigned cores, unsigned host_threads) {
  return time_profile(recording, device, timing::parameters_of(device), family, cores, host_threads);
}

void add_time_columns(KernelProfile& profile, const TimeProfile& time) {
  ProfileColumn at{"time %", {}}, why{"most of it", {}}, blamed{"waited for %", {}};
  const std::size_t size = profile.executed.size();
  std::vector<double> sums(size);
  why.cells.resize(size);
  for (const ThreadTime& one : time.times) {
    if (!one.instruction) continue;
    sums.at(*one.instruction) += one.share;
    std::string& cell = why.cells.at(*one.instruction);  // the largest comes first
    if (cell.empty()) cell = timing::name_of(one.cause);
  }
  const auto text = [](double share) { return share > 0 ? fmt::format("{:.2f}", 100 * share) : std::string(); };
  for (std::size_t i = 0; i < size; ++i) {
    at.cells.push_back(text(sums[i]));
    blamed.cells.push_back(text(time.blamed.at(i)));
  }
  for (ProfileColumn* column : {&at, &why, &blamed}) profile.columns.push_back(std::move(*column));
}

void print_time(std::ostream& out, const KernelProfile& profile, const TimeProfile& time, const TimeProfile* base) {
  out << fmt::format("\ntime, simulated (model {}, {}{})\n", timing::kModelVersion,
                     time.whole_gpu ? "all Xe-cores" : "one-core approximation",
                     time.sampled < 1 ? fmt::format(", {:.0f} % of the groups", 100 * time.sampled) : "");
  out << fmt::format("  kernel {:.2f} us, {:.2f} us a launch in a sequence\n", time.kernel_us, time.per_launch_us);
  out << "  the model's error: " << error_text(profile, time) << '\n';
  if (base != nullptr) print_difference(out, time, *base);
  out << fmt::format("  bound: {}\n", time.bound);
  out << "  roof        at work   kernel at least   away\n";
  for (const Roof& roof : time.roofs) {
    if (roof.busy <= 0) continue;
    out << fmt::format("  {:<10} {:>6.1f} %   {:>12.2f} us   {:.1f}x\n", roof.name, 100 * roof.busy, roof.at_least_us,
                       1 / roof.busy);
  }
  out << fmt::format(
      "  slots with a thread {:.1f} %, engines active {:.1f} %, stalled {:.1f} %; lines found in the L1 {:.1f} %, in "
      "the L2 {:.1f} %\n",
      time.metrics.occupancy, time.metrics.xve_active, time.metrics.xve_stall, time.metrics.l1_hit,
      time.metrics.l2_hit);
  out << fmt::format(
      "  threads wait {:.1f} % of their time for results, {:.1f} % at barriers; {:.1f} % of a launch has no "
      "kernel, or none whose threads have begun\n",
      100 * time.latency, 100 * time.barrier, 100 * time.launch);
  out << "\nwhere the time of the thread slots goes\n";
  double rest = 1;
  for (std::size_t i = 0; i < std::min(kShown, time.times.size()); ++i) {
    const ThreadTime& one = time.times[i];
    rest -= one.share;
    out << fmt::format("  {:>5.1f} %  {:<46} {}\n", 100 * one.share, timing::describe(one.cause), place(profile, one));
  }
  if (time.times.size() > kShown)
    out << fmt::format("  {:>5.1f} %  {} others\n", 100 * rest, time.times.size() - kShown);
  const auto order = most_blamed(time);
  if (order.empty()) return;
  out << "what was waited for\n";
  for (std::size_t i = 0; i < std::min(kShown / 2, order.size()); ++i) {
    const auto& instruction = profile.recording.program->instructions()[order[i]];
    out << fmt::format("  {:>5.1f} %  pc {}: {}\n", 100 * time.blamed[order[i]], instruction.pc,
                       profile.recording.program->text(instruction.pc));
  }
}

ordered_json time_json(const KernelProfile& profile, const TimeProfile& time) {
  const auto& instructions = profile.recording.program->instructions();
  ordered_json object = {{"simulated", true},           {"model", timing::kModelVersion},
                         {"whole_gpu", time.whole_gpu}, {"sampled", time.sampled},
                         {"kernel_us", time.kernel_us}, {"per_launch_us", time.per_launch_us},
                         {"bound", time.bound},         {"latency", time.latency},
                         {"barrier", time.barrier},     {"launch", time.launch}};
  object["metrics"] = {{"occupancy", time.metrics.occupancy}, {"xve_active", time.metrics.xve_active},
                       {"xve_stall", time.metrics.xve_stall}, {"xmx_active", time.metrics.xmx_active},
                       {"l1_hit", time.metrics.l1_hit},       {"l2_hit", time.metrics.l2_hit}};
  object["model_error"] = nullptr;
  if (time.error) {
    object["model_error"] = {{"family", time.error->family},
                             {"whole_gpu", time.error->whole_gpu},
                             {"rows", time.error->rows},
                             {"mape", time.error->mape}};
  }
  object["roofs"] = ordered_json::array();
  for (const Roof& roof : time.roofs)
    object["roofs"].push_back({{"name", roof.name}, {"busy", roof.busy}, {"at_least_us", roof.at_least_us}});
  object["thread_time"] = ordered_json::array();
  for (const ThreadTime& one : time.times) {
    ordered_json row = {{"cause", timing::name_of(one.cause)}, {"share", one.share}};
    row["pc"] = one.instruction ? ordered_json(instructions[*one.instruction].pc) : ordered_json(nullptr);
    object["thread_time"].push_back(std::move(row));
  }
  object["waited_for"] = ordered_json::array();
  for (const std::size_t i : most_blamed(time))
    object["waited_for"].push_back({{"pc", instructions[i].pc}, {"share", time.blamed[i]}});
  return object;
}

}  // namespace xeforge::lab
