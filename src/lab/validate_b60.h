// SPDX-License-Identifier: Apache-2.0
//
// `xeforge validate --set b60`: oneDNN's own kernels on a virtual Arc Pro B60 against published times of a real one.
#pragma once

#include <string>
#include <vector>

namespace xeforge::lab {

struct B60Validation {
  std::string json;
  unsigned rows = 8;                    ///< of each stratum, spread over it; 0: all that are small enough
  double most_macs = 5e10;              ///< larger products are left out
  std::string stratum;                  ///< only strata whose names contain this
  std::vector<std::string> parameters;  ///< name=value, instead of the device's
  bool ablation = false;                ///< with single mechanisms off: the channel map's effect
  bool warm = true;                     ///< whether caches hold what the launches before left
  bool check = false;                   ///< also execute with arithmetic and compare the recordings
  unsigned host_threads = 0;
};

/// Throws UserError, with what to install if oneDNN is not there.
void validate_b60(const B60Validation& options);

}  // namespace xeforge::lab
