// SPDX-License-Identifier: Apache-2.0
//
// Vector clocks of the race checker: what each thread of a group knows to have happened before it. Time of a thread
// advances when it tells others (barrier signals, fences).
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace xeforge::observe::check {

using Times = std::vector<uint32_t>;  ///< per thread of a group; threads beyond its end: 0

inline uint32_t time_of(const Times& times, size_t thread) { return thread < times.size() ? times[thread] : 0; }

inline void raise_to(Times& times, size_t thread, uint32_t time) {
  if (times.size() <= thread) times.resize(thread + 1);
  times[thread] = std::max(times[thread], time);
}

inline void join(Times& into, const Times& from) {
  if (into.size() < from.size()) into.resize(from.size());
  for (size_t i = 0; i < from.size(); ++i) into[i] = std::max(into[i], from[i]);
}

/// What is known about other groups, by their number. Empty for nearly all kernels.
using Foreign = std::unordered_map<uint64_t, Times>;

inline void join(Foreign& into, const Foreign& from) {
  for (const auto& [group, times] : from) join(into[group], times);
}

/// Two orders: `seen` is that of barriers, which is enough for local memory and for what was only read; `fenced` counts
/// only what a fence of global memory had completed, which global writes need.
struct Knowledge {
  Times seen, fenced;
  Foreign foreign;

  void reset() {
    seen.clear();
    fenced.clear();
    if (!foreign.empty()) foreign.clear();
  }
  void learn(const Knowledge& from) {
    join(seen, from.seen);
    join(fenced, from.fenced);
    if (!from.foreign.empty()) join(foreign, from.foreign);
  }
};

/// What a thread publishes through an atomic: the state at its last fence. Immutable, shared by all atomics after it.
struct Release {
  uint64_t group = 0;
  bool device_wide = false;
  Knowledge knowledge;
};

}  // namespace xeforge::observe::check
