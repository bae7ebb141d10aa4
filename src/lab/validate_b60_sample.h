// SPDX-License-Identifier: Apache-2.0
//
// The published sample of GEMM times of an Arc Pro B60: what was measured, what a row may be compared with, and which
// rows tell different things about a model.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "observe/recording.h"

namespace xeforge::lab {

/// Two software versions were measured. What differed between them and is no property of the device is an input.
struct B60Column {
  std::string_view name;
  double clock_mhz;  ///< at which it ran, as far as the times tell
};
/// Fastest times over what the matrix engines need at 2400 MHz: 0.950 and 1.013 (all 11,088 shapes).
inline constexpr std::array<B60Column, 2> kB60Columns{{{"0.12", 2400}, {"0.20", 2400}}};

struct B60Row {
  uint32_t m = 0, n = 0, k = 0;
  std::array<double, 2> column_us{};
  unsigned column = 0;  ///< that counts: see measured_us()

  /// The data's own remarks: the older column implies more than the memory's bandwidth for small m, the newer has
  /// throttled rows: the smaller one from m = 512 on.
  double measured_us() const { return column_us[column]; }
  double macs() const { return double(m) * n * k; }
  double bytes_in() const { return 2 * (double(m) * k + double(k) * n); }
  double bytes_out() const { return 2 * double(m) * n; }
  double peak_us() const;  ///< multiply-adds at 160 engines x 128 a clock at 2400 MHz
  double roofline_us() const;
};

/// k = 3 * 2^n from 768 on: row pitches that meet in few of the six channels.
bool is_3_times_power(uint32_t k);

/// Rows that mean the kernel's time: from 60 us on (calls of nothing take 27 to 29 us).
std::vector<B60Row> read_b60_sample();

/// Strata that a row's sizes tell, before anything runs; the order of kStrata.
inline constexpr std::array<std::string_view, 6> kStrata{
    "k = 3*2^n", "store-bound", "m < 128", "m 128..511", "m >= 512, n and k >= 1024", "m >= 512, n or k smaller"};
unsigned stratum_of(const B60Row& row);

/// At most `rows` of each stratum, spread evenly over its rows by size; `most_macs`: larger ones are left out before.
std::vector<B60Row> choose_b60_rows(std::vector<B60Row> all, unsigned rows, double most_macs);

/// What the captured launch is: "exact tiles", "edges" (more dpas than the product needs) or "stream-K" (atomics).
struct LaunchKind {
  std::string name;
  double ideal_dpas = 0, dpas = 0;
  /// dpas of the Xe-core that gets most, groups dealt out in order to whoever has least.
  double slowest_core_dpas = 0;
};
LaunchKind kind_of(const observe::Recording& recording, const B60Row& row, unsigned cores);

}  // namespace xeforge::lab
