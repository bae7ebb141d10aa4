// SPDX-License-Identifier: Apache-2.0
//
// Numbers of the clock model, all from the device's data file, by the file's names. A parameter set is a plain value,
// so that searches can change one number and replay.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "device/device.h"

namespace xeforge::timing {

/// Simulated time in 1/64 of a core clock.
using Ticks = int64_t;
inline constexpr Ticks kTicksPerClock = 64;
/// A time that depends on something that has not happened yet.
inline constexpr Ticks kPending = INT64_MAX / 4;

// NOLINTNEXTLINE(bugprone-incorrect-roundings): std::lround is not constexpr, and clocks are not negative
constexpr Ticks ticks(double clocks) { return static_cast<Ticks>(clocks * static_cast<double>(kTicksPerClock) + 0.5); }

struct Parameters {
  // What the device is.
  unsigned cores = 0;       ///< Xe-cores
  unsigned engines = 0;     ///< that issue on their own in a core: EUs, or fused pairs of them
  unsigned slots = 0;       ///< thread (pair) slots of an engine at up to 128 registers
  unsigned simd_width = 8;  ///< native
  unsigned grf_bytes = 32;
  bool fused = false;
  uint64_t slm_bytes = 0, l1_bytes = 0, l2_bytes = 0;
  unsigned barriers = 0, groups = 0;
  double clock_mhz = 0;

  // Clocks, unless said otherwise. The rows of parameter_table() have the names in the file.
  double float_pass = 1, int_pass = 1, mul32_factor = 2, math_factor = 4, thread_issue = 2, send_issue = 2;
  double dpas8x8 = 16, branch = 23, atomic_dpas_locks = 0;
  double matrix_greedy =
      0;  ///< 1: the matrix engine stays with a thread until it waits, then goes to who waits longest
  double alu8 = 10, alu16 = 11, alu32 = 13, math8 = 17, math16 = 21, math32 = 29;
  double dpas1 = 21, dpas2 = 22, dpas8 = 32;
  double source_read = 8, return_per_register = 0, message = 1, queue = 64, gather_per_8 = 0.65, narrow_store = 4;
  double l1_rate = 126, slm_rate = 196, slm_conflict = 1;  ///< bytes per clock, bytes per clock, clocks per bank cycle
  double prefetch_per_line = 0.25, store_rate = 64;
  double l1_latency = 45, slm_latency = 28, l2_latency = 200, dram_latency = 300;
  double fence = 35, slm_fence = 23, barrier = 30, atomic = 1300, other_send = 50;
  double l2_rate = 32;  ///< bytes per clock and core
  double l2_banks = 16, l2_bank_rate = 64, l1_ways = 8, l2_ways = 16;
  double l1_fold = 11;       ///< bits by which the L1 folds a line's number to find its set; 0: mixed
  double write_rate = 1024;  ///< bytes per clock that the L2 takes from all cores together
  double dram_gb_per_s = 410, channels = 16, channel_bytes = 256;
  double channel_map = 1;            ///< 1: address decides the channel; 0: every line is spread over all of them
  double write_factor = 1;           ///< time of a line written to memory over that of one read
  double dispatch = 1, start = 100;  ///< clocks between two threads of a core; from dispatch to the first instruction
  double groups_in_a_row = 1;        ///< that go to one core before the next gets some; 0: as Intel's driver asks for
  double pair_join = 1;              ///< 1: messages of a fused pair are one to the load/store unit
  double pair_unique = 1;            ///< 1: what both threads of a pair ask for is moved once
  double launch_front_us = 0;        ///< of a kernel's own time: before its first thread is dispatched
  double launch_gap_us = 2;          ///< between two kernels of an in-order sequence
  double submit_us = 0;              ///< host time of a launch; overlaps execution

  double microseconds(Ticks t) const {
    return static_cast<double>(t) / static_cast<double>(kTicksPerClock) / clock_mhz;
  }
};

struct ParameterRow {
  const char* name;  ///< in the device's file
  double Parameters::*member;
  double least = 0, most = 1e6;  ///< what the model can compute with; not what is plausible
};
std::span<const ParameterRow> parameter_table();

/// Throws std::invalid_argument naming a parameter that the device's file lacks.
Parameters parameters_of(const device::Device& device);
/// Throws std::invalid_argument for a name that is not in the table.
const ParameterRow& parameter_row(std::string_view name);
inline double& parameter(Parameters& parameters, std::string_view name) {
  return parameters.*parameter_row(name).member;
}

}  // namespace xeforge::timing
