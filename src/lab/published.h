// SPDX-License-Identifier: Apache-2.0
//
// Published measurements of the rungs on one Arc A770 (data/reference/, with their source), interpreted.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gemm/catalog.h"

namespace xeforge::lab {

struct EmbeddedFile {
  std::string_view name, text;
};
std::span<const EmbeddedFile> reference_files();

/// The only shape the numbers hold for.
inline constexpr gemm::Shape kPublishedShape{1024, 1536, 512};

struct Published {
  double ms_low = 0, ms_high = 0;  ///< host time per launch in a sequence of 1000
  double ms_headline = 0;          ///< the value that the author quotes; the middle where there is only a range
  std::string family;
  std::string half;     ///< "fit" or "test", for calibrating a model; empty for the libraries
  bool partly = false;  ///< some of its sizes were not published
  // Full-compute mode of the profiler.
  std::optional<double> kernel_us, xmx_active_pct, stall_pct, occupancy_pct;
  // Instruction-count mode: executed by all hardware threads in one launch.
  std::optional<double> instructions, send, int_and_float, other;
  // Full-compute mode: totals over a number of launches that is not published and differs from kernel to kernel (1031
  // to 1067 of the 1100). The barriers in the same run give it: there is one count per hardware thread and barrier.
  std::optional<double> total_send_slots, total_alu0, total_alu1, total_xmx, total_barriers;

  /// A full-compute total per launch, given how many barriers one launch executes.
  std::optional<double> per_launch(const std::optional<double>& total, double barriers_of_a_launch) const;
};

/// Ids with published times, in the order of the ladder.
const std::vector<std::string>& published_ids();
/// nullopt: nothing is published under this id.
std::optional<Published> find_published(std::string_view id);

}  // namespace xeforge::lab
