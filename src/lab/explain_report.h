// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <optional>
#include <string>

#include "gemm/catalog.h"
#include "lab/driver_reports.h"
#include "lab/explain_profile.h"
#include "lab/explain_time.h"

namespace xeforge::lab {

/// A rung that ran, and what it is compared with. `rung` is null for a recording that was given as a file.
struct Explained {
  const gemm::Rung* rung = nullptr;
  KernelReport report;  ///< of the launch; empty for a file
  KernelProfile profile;
  std::optional<TimeProfile> time;  ///< in timed mode
};

/// What changed, the counters of both side by side, the inner loop. `base` may be null. `whole`: the listing of the
/// whole kernel instead of the inner loop.
void print_explanation(std::ostream& out, const Explained& explained, const Explained* base, bool whole);

std::string explanation_json(const Explained& explained, const Explained* base);

}  // namespace xeforge::lab
