// SPDX-License-Identifier: Apache-2.0
#include "device/occupancy.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

namespace xeforge::device {
namespace {

struct Limits {
  uint64_t slm, barriers;
};

Limits limits_of(const Device& device, RuleSet rules) {
  const std::string prefix = rules == RuleSet::Driver ? "occupancy.driver." : "occupancy.calculator.";
  return {static_cast<uint64_t>(device.parameter(prefix + "slm_per_core").value),
          static_cast<uint64_t>(device.parameter(prefix + "barriers_per_core").value)};
}

unsigned simd_of(const Device& device, const OccupancyQuery& query) {
  return query.simd != 0 ? query.simd : device.simd_width;
}

unsigned threads_of(const Device& device, const OccupancyQuery& query) {
  const unsigned simd = simd_of(device, query);
  return (query.group_size + simd - 1) / simd;
}

std::string sentence(const Device& device, const OccupancyQuery& query, const Refusal& refused) {
  const std::string asked = std::to_string(refused.asked), given = std::to_string(refused.given);
  switch (refused.obstacle) {
    case Obstacle::EmptyGroup:
      return "a group of 0 work-items";
    case Obstacle::SubGroupSize:
      return "sub-group size " + asked + " is not one of the device's";
    case Obstacle::GroupSize:
      return "a group of " + asked + " work-items, the device takes " + given;
    case Obstacle::Slm:
      return "a group with " + asked + " bytes of SLM, the device gives " + given;
    case Obstacle::Barriers:
      return "a group with " + asked + " barriers, an Xe-core has " + given;
    case Obstacle::Threads:
      return "a group of " + asked + " threads, an Xe-core has " + given + " with " + std::to_string(query.grf) +
             " registers each";
  }
  throw std::logic_error(device.id + ": an obstacle without words");
}

void check(const Device& device, const OccupancyQuery& query) {
  if (const auto refused = refusal(device, query))
    throw std::invalid_argument(device.id + ": " + sentence(device, query, *refused));
}

std::vector<Constraint> constraints_of(const Device& device, const OccupancyQuery& query, const Limits& limits) {
  std::vector<Constraint> out;
  const auto add = [&](Resource resource, uint64_t needed, uint64_t available) {
    out.push_back({resource, needed, available, available / needed, false});
  };
  add(Resource::Threads, threads_of(device, query), device.threads_per_core(query.grf));
  if (query.slm_bytes > 0) add(Resource::Slm, device.slm_allocation(query.slm_bytes), limits.slm);
  if (query.barriers > 0) add(Resource::Barriers, query.barriers, limits.barriers);
  add(Resource::GroupSlots, 1, device.max_groups_per_core);
  if (query.groups > 0) {
    // Groups are spread over the cores first: a small grid leaves each with its share only.
    add(Resource::Grid, 1, (query.groups + device.xe_cores() - 1) / device.xe_cores());
  }
  return out;
}

uint64_t smallest(const std::vector<Constraint>& constraints) {
  return std::min_element(constraints.begin(), constraints.end(),
                          [](const Constraint& a, const Constraint& b) { return a.groups < b.groups; })
      ->groups;
}

std::string percent(double fraction) {
  const long tenths = std::lround(fraction * 1000);
  return std::to_string(tenths / 10) + (tenths % 10 != 0 ? "." + std::to_string(tenths % 10) : "") + " %";
}

double filled(const Device& device, const OccupancyQuery& query, const Limits& limits) {
  const uint64_t groups = smallest(constraints_of(device, query, limits));
  return static_cast<double>(groups * threads_of(device, query)) / device.threads_per_core();
}

// Each of the following proposes the smallest change of one quantity that fills the core further, if there is one.

std::optional<Step> less_slm(const Device& device, const OccupancyQuery& query, const Limits& limits, double now) {
  const auto& sizes = device.slm_sizes;
  for (auto size = std::lower_bound(sizes.begin(), sizes.end(), query.slm_bytes); size != sizes.begin();) {
    --size;
    OccupancyQuery smaller = query;
    smaller.slm_bytes = *size;
    const double then = filled(device, smaller, limits);
    if (then > now) return Step{Change::LessSlm, query.slm_bytes - *size, *size, then};
  }
  return std::nullopt;
}

std::optional<Step> other_group_size(const Device& device, const OccupancyQuery& query, const Limits& limits,
                                     double now, bool smaller) {
  const unsigned simd = simd_of(device, query);
  OccupancyQuery changed = query;
  for (unsigned threads = threads_of(device, query);
       smaller ? threads > 1 : (threads + 1) * simd <= device.max_group_size;) {
    threads = smaller ? threads - 1 : threads + 1;
    changed.group_size = threads * simd;
    if (threads > device.threads_per_core(query.grf)) break;
    const double then = filled(device, changed, limits);
    if (then > now) {
      const unsigned by = smaller ? query.group_size - changed.group_size : changed.group_size - query.group_size;
      return Step{smaller ? Change::SmallerGroup : Change::LargerGroup, by, changed.group_size, then};
    }
  }
  return std::nullopt;
}

std::optional<Step> fewer_registers(const Device& device, const OccupancyQuery& query, const Limits& limits,
                                    double now) {
  if (query.grf <= 128) return std::nullopt;
  OccupancyQuery changed = query;
  changed.grf = 128;
  const double then = filled(device, changed, limits);
  if (then <= now) return std::nullopt;
  return Step{Change::FewerRegisters, query.grf - 128, 128, then};
}

std::vector<Step> steps_of(const Device& device, const OccupancyQuery& query, const Limits& limits,
                           const std::vector<Constraint>& constraints, double now) {
  std::vector<Step> steps;
  if (now >= 1) return steps;
  const auto add = [&](std::optional<Step> step) {
    const auto same = [&](const Step& other) {
      return other.change == step->change && other.to == step->to && other.by == step->by;
    };
    if (step && std::none_of(steps.begin(), steps.end(), same)) steps.push_back(*step);
  };
  for (const Constraint& constraint : constraints) {
    if (!constraint.limits) continue;
    switch (constraint.resource) {
      case Resource::Threads:
        add(fewer_registers(device, query, limits, now));
        add(other_group_size(device, query, limits, now, true));
        break;
      case Resource::Slm:
        add(less_slm(device, query, limits, now));
        break;
      case Resource::Barriers:
      case Resource::GroupSlots:
        add(other_group_size(device, query, limits, now, false));
        break;
      case Resource::Grid:
        add(Step{Change::MoreGroups, 0, query.groups, 0});
        break;
    }
  }
  return steps;
}

std::string sentence(const Step& step, double now) {
  const std::string by = std::to_string(step.by), to = std::to_string(step.to);
  const std::string reach = " to reach " + percent(step.then) + " instead of " + percent(now);
  switch (step.change) {
    case Change::LessSlm:
      return "reduce SLM by " + by + " bytes, to " + to + " a group," + reach;
    case Change::SmallerGroup:
      return "reduce the group by " + by + " work-items, to " + to + "," + reach;
    case Change::LargerGroup:
      return "enlarge the group by " + by + " work-items, to " + to + "," + reach;
    case Change::FewerRegisters:
      return "reduce registers by " + by + ", to " + to + " a thread," + reach +
             " (check for spills; fewer threads with more registers are often faster)";
    case Change::MoreGroups:
      return "launch more groups: " + to + " leave cores partly empty";
  }
  throw std::logic_error("a step without words");
}

std::string next_step_of(const std::vector<Step>& steps, double now) {
  if (now >= 1) return {};
  // Several resources may limit together: then only changing all of them helps, and no single step was found.
  if (steps.empty()) return "no single change fills the core further";
  std::string text = sentence(steps.front(), now);
  for (size_t i = 1; i < steps.size(); ++i) text += "; or " + sentence(steps[i], now);
  return text;
}

void add_rounds(const Device& device, const OccupancyQuery& query, Occupancy& out) {
  if (query.groups == 0 || out.groups_per_core == 0) return;
  const uint64_t capacity = uint64_t{out.groups_per_core} * device.xe_cores();
  out.rounds = (query.groups + capacity - 1) / capacity;
  const double fillings = static_cast<double>(query.groups) / static_cast<double>(capacity);
  out.average_occupancy = fillings * out.occupancy / static_cast<double>(out.rounds);
}

}  // namespace

std::string name_of(Resource resource) {
  constexpr const char* kNames[] = {"hardware threads", "shared local memory", "barriers", "group slots",
                                    "number of groups"};
  return kNames[static_cast<size_t>(resource)];
}

std::string name_of(Change change) {
  constexpr const char* kNames[] = {"less_slm", "smaller_group", "larger_group", "fewer_registers", "more_groups"};
  return kNames[static_cast<size_t>(change)];
}

std::string name_of(Obstacle obstacle) {
  constexpr const char* kNames[] = {"empty_group", "sub_group_size", "group_size", "slm", "barriers", "threads"};
  return kNames[static_cast<size_t>(obstacle)];
}

std::optional<Refusal> refusal(const Device& device, const OccupancyQuery& query) {
  if (query.group_size == 0) return Refusal{Obstacle::EmptyGroup, 0, 0};
  const unsigned simd = simd_of(device, query);
  if (simd != 1 &&
      std::find(device.sub_group_sizes.begin(), device.sub_group_sizes.end(), simd) == device.sub_group_sizes.end())
    return Refusal{Obstacle::SubGroupSize, simd, 0};
  if (query.group_size > device.max_group_size)
    return Refusal{Obstacle::GroupSize, query.group_size, device.max_group_size};
  if (query.slm_bytes > device.slm_per_group || device.slm_allocation(query.slm_bytes) < query.slm_bytes)
    return Refusal{Obstacle::Slm, query.slm_bytes, device.slm_per_group};
  if (query.barriers > device.barriers_per_core)
    return Refusal{Obstacle::Barriers, query.barriers, device.barriers_per_core};
  const unsigned threads = threads_of(device, query);
  if (threads > device.threads_per_core(query.grf))
    return Refusal{Obstacle::Threads, threads, device.threads_per_core(query.grf)};
  return std::nullopt;
}

OccupancyQuery query_for(const binary::Kernel& kernel, unsigned group_size, unsigned dynamic_slm_bytes) {
  OccupancyQuery query;
  query.group_size = group_size;
  query.simd = kernel.simd_size;
  query.grf = kernel.grf_count;
  query.slm_bytes = kernel.slm_size + dynamic_slm_bytes;
  query.barriers = kernel.barrier_count;
  return query;
}

Occupancy occupancy(const Device& device, const OccupancyQuery& query, RuleSet rules) {
  check(device, query);
  const Limits limits = limits_of(device, rules);
  Occupancy out;
  out.threads_per_group = threads_of(device, query);
  out.slm_allocated = query.slm_bytes > 0 ? device.slm_allocation(query.slm_bytes) : 0;
  out.constraints = constraints_of(device, query, limits);
  const uint64_t groups = smallest(out.constraints);
  for (Constraint& constraint : out.constraints) {
    constraint.limits = constraint.groups == groups;
    if (constraint.limits) out.limited_by += (out.limited_by.empty() ? "" : ", ") + name_of(constraint.resource);
  }
  out.groups_per_core = static_cast<unsigned>(groups);
  out.occupancy = static_cast<double>(groups * out.threads_per_group) / device.threads_per_core();
  out.steps = steps_of(device, query, limits, out.constraints, out.occupancy);
  out.next_step = next_step_of(out.steps, out.occupancy);
  add_rounds(device, query, out);
  return out;
}

unsigned resident_groups_per_core(const Device& device, const OccupancyQuery& query) {
  OccupancyQuery unlimited = query;
  unlimited.groups = 0;  // the machine deals out the groups of the grid itself
  check(device, unlimited);
  return static_cast<unsigned>(smallest(constraints_of(device, unlimited, limits_of(device, RuleSet::Driver))));
}

uint64_t max_cooperative_groups(const Device& device, const OccupancyQuery& query) {
  check(device, query);
  // compute-runtime getMaxWorkGroupCount; rounded down per core, because a group cannot straddle two.
  const uint64_t cores = device.xe_cores();
  uint64_t groups = cores * (device.threads_per_core(query.grf) / threads_of(device, query));
  if (query.barriers > 0)
    groups = std::min(groups, cores * (limits_of(device, RuleSet::Driver).barriers / query.barriers));
  if (query.slm_bytes > 0)
    groups = std::min(groups, cores * (device.slm_per_group / device.slm_allocation(query.slm_bytes)));
  return groups;
}

}  // namespace xeforge::device
