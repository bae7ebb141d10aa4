// SPDX-License-Identifier: Apache-2.0
//
// The library as a provider, called as a program calls it with any problem (include/xeforge/gemm.h).
#pragma once

#include <memory>
#include <string>

#include "lab/provider.h"

namespace xeforge::lab {

/// `xeforge`: matrices as they are, packing included. `xeforge.weights`: B packed before; its packing is shown apart.
/// `xeforge:STRATEGY`: with this strategy and no other.
bool is_library_provider(const std::string& id);
std::unique_ptr<Provider> make_library_provider(const std::string& id, const RunnerSource& runner);

}  // namespace xeforge::lab
