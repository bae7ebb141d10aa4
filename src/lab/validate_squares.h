// SPDX-License-Identifier: Apache-2.0
//
// `xeforge validate --set squares`: oneDNN's own kernels on a virtual A770 against published rates of square products.
#pragma once

#include <string>
#include <vector>

namespace xeforge::lab {

struct SquaresValidation {
  std::string json;
  /// Larger products are left out. float needs some 25 times as many instructions and gets an eighth of it.
  double most_macs = 7e10;
  double most_instructions = 1e6;       ///< of a core that are simulated before the rest is extrapolated, 0: all
  std::vector<std::string> parameters;  ///< name=value, instead of the device's
  unsigned host_threads = 0;
};

/// Throws UserError, with what to install if oneDNN is not there.
void validate_squares(const SquaresValidation& options);

}  // namespace xeforge::lab
