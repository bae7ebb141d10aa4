// SPDX-License-Identifier: Apache-2.0
//
// `xeforge validate --set b60`: oneDNN's own kernels on a virtual Arc Pro B60 against published times of a real one.
#pragma once

#include <string>

namespace xeforge::lab {

struct B60Validation {
  std::string json;
  unsigned rows = 24;      ///< of the published sample, spread over it; 0: all that are small enough
  double most_macs = 3e9;  ///< larger products are left out: they are executed here
  unsigned host_threads = 0;
};

/// Throws UserError, with what to install if oneDNN is not there.
void validate_b60(const B60Validation& options);

}  // namespace xeforge::lab
