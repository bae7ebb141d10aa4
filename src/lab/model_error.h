// SPDX-License-Identifier: Apache-2.0
//
// What `xeforge validate` found: how far simulated times are from published ones. The one place that commands take it
// from; docs/timing.md shows the same numbers, which a test compares.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace xeforge::lab {

struct ModelError {
  std::string_view device, family;  ///< family as in gemm::name_of; empty: all rows
  bool whole_gpu = false;           ///< all Xe-cores simulated, else one
  unsigned rows = 0;
  double mape = 0;  ///< mean |simulated / published - 1|, per cent, at the published shape
};

/// The error for this family in the mode asked for. nullopt: the device or the family has no measured rows. An empty
/// family asks for all rows.
std::optional<ModelError> measured_error(std::string_view device, std::string_view family, bool whole_gpu);

std::string to_string(const ModelError& error);

}  // namespace xeforge::lab
