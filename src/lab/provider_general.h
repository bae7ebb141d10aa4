// SPDX-License-Identifier: Apache-2.0
//
// The general kernel as a provider: operands that the host packed, as a program hands them over
// (include/xeforge/gemm.h).
#pragma once

#include <memory>
#include <string>

#include "lab/provider.h"

namespace xeforge::lab {

/// `xeforge.general`, `xeforge.prefetch[=DIST]`
bool is_general_provider(const std::string& id);
/// Throws UserError for a distance that does not exist.
std::unique_ptr<Provider> make_general_provider(const std::string& id, const RunnerSource& runner);

}  // namespace xeforge::lab
