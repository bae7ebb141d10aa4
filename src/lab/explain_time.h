// SPDX-License-Identifier: Apache-2.0
//
// Where the simulated time of a launch goes: waits by instruction, what bounds it, how far each roof is. All of it
// simulated.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "device/device.h"
#include "lab/explain_profile.h"
#include "lab/model_error.h"
#include "timing/simulate.h"
#include "timing/summary.h"

namespace xeforge::lab {

/// Part of the time of all thread slots that has this cause at this instruction.
struct ThreadTime {
  std::optional<std::size_t> instruction;  ///< of the program; nullopt: slots without a running thread
  timing::Cause cause = timing::Cause::Empty;
  double share = 0;  ///< 0..1; all of a launch add up to 1
};

/// A unit that could not do the launch's work in less than `at_least_us`.
struct Roof {
  std::string name;  ///< "XMX", "ALU", "send", "SLM", "L1", "L2", "DRAM"
  double busy = 0;   ///< part of the time that it is at work, 0..1; SLM and L1: of the unit that they share
  double at_least_us = 0;
};

struct TimeProfile {
  bool whole_gpu = true;
  double kernel_us = 0, per_launch_us = 0;
  double sampled = 1;  ///< part that was simulated
  timing::Metrics metrics;
  std::vector<ThreadTime> times;  ///< the largest first
  std::vector<double> blamed;     ///< by instruction: part of the slots' time that was waited for its result
  std::vector<Roof> roofs;        ///< the nearest first
  double latency = 0, barrier = 0, launch = 0;
  std::string bound;  ///< name of a roof, or "latency", "barrier", "launch"
  std::optional<ModelError> error;

  double share_of(std::size_t instruction) const;
};

/// `cores`: to simulate, 0: all. `family`: gemm::name_of, or empty where it is not known. Throws timing::StuckError,
/// std::invalid_argument for a recording without the groups that are needed, and std::logic_error for a unit at work
/// for longer than there was time.
TimeProfile time_profile(const observe::Recording& recording, const device::Device& device,
                         const timing::Parameters& parameters, std::string_view family, unsigned cores,
                         unsigned host_threads);
/// With the device's parameters.
TimeProfile time_profile(const observe::Recording& recording, const device::Device& device, std::string_view family,
                         unsigned cores, unsigned host_threads);

/// Adds to the columns of the listing: the time spent at an instruction, most for which cause, and the time that
/// others waited for its result.
void add_time_columns(KernelProfile& profile, const TimeProfile& time);

/// `base`: may be null.
void print_time(std::ostream& out, const KernelProfile& profile, const TimeProfile& time, const TimeProfile* base);

nlohmann::ordered_json time_json(const KernelProfile& profile, const TimeProfile& time);

}  // namespace xeforge::lab
