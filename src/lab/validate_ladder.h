// SPDX-License-Identifier: Apache-2.0
//
// `xeforge validate --set ladder`: simulated times of the rungs against those published for a real A770.
#pragma once

#include <string>
#include <vector>

namespace xeforge::lab {

struct LadderValidation {
  std::string recordings;  ///< folder; empty: the cache
  std::string json, svg;
  std::string only;                     ///< globs of rung ids; empty: all published ones
  std::vector<std::string> parameters;  ///< name=value, instead of the device's
  unsigned cores = 1;                   ///< Xe-cores to simulate; 0: all
  double most_instructions = 1e6;       ///< of a core before the rest is extrapolated; 0: none
  unsigned host_threads = 0;
  unsigned fit_rounds = 0;  ///< 0: no fit
  bool swapped = false;     ///< fit on the test half
  bool ablation = false;
};

/// Throws UserError. Records rungs that have no recording yet.
void validate_ladder(const LadderValidation& options);

}  // namespace xeforge::lab
