// SPDX-License-Identifier: Apache-2.0
//
// What a simulation says about a kernel, in the terms of Intel's metrics and of this model.
#pragma once

#include <string>
#include <vector>

#include "device/device.h"
#include "timing/result.h"

namespace xeforge::timing {

/// Percentages by the names and definitions of metrics-discovery. Simulated.
struct Metrics {
  double xve_active = 0;          ///< engines with an active pipe
  double xve_stall = 0;           ///< engines with threads and no active pipe
  double occupancy = 0;           ///< thread slots in use
  double xmx_active = 0;          ///< engines whose matrix engine is active
  double lsc_active = 0;          ///< of the model: load/store units at work
  double l1_hit = 0, l2_hit = 0;  ///< of line reads
  double l2_bytes_per_clock = 0;  ///< read and written, the whole device
  double dram_active = 0;
};
Metrics metrics_of(const Result& result, const Parameters& parameters);

/// What holds a kernel back, the busiest first.
struct Bound {
  std::string name;  ///< "XMX", "ALU", "send", "load/store unit", "L2", "DRAM", "latency", "barrier"
  double share = 0;  ///< of the time that it is at work, 0..1
};
std::vector<Bound> bounds_of(const Result& result, const Parameters& parameters);

/// Version of the model, to be shown beside its numbers: changes with every change of its results.
inline constexpr const char* kModelVersion = "3";

}  // namespace xeforge::timing
