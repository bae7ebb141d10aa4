// SPDX-License-Identifier: Apache-2.0
//
// Published measurements of the rungs on one Arc A770 (data/reference/, with their source), interpreted.
#pragma once

#include <optional>
#include <span>
#include <string_view>

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
  // Instruction-count mode: executed by all hardware threads in one launch.
  std::optional<double> instructions, send, int_and_float, other;
  // Full-compute mode: totals over a number of launches that is not published and differs from kernel to kernel (1031
  // to 1067 of the 1100). The barriers in the same run give it: there is one count per hardware thread and barrier.
  std::optional<double> total_send_slots, total_alu0, total_alu1, total_xmx, total_barriers;

  /// A full-compute total per launch, given how many barriers one launch executes.
  std::optional<double> per_launch(const std::optional<double>& total, double barriers_of_a_launch) const;
};

/// nullopt: nothing is published under this id.
std::optional<Published> find_published(std::string_view id);

}  // namespace xeforge::lab
