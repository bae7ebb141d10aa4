// SPDX-License-Identifier: Apache-2.0
//
// The shapes of `xeforge bench --shapes`.
#pragma once

#include <string>
#include <vector>

#include "lab/provider.h"

namespace xeforge::lab {

/// A comma-separated list of MxNxK[:alpha:beta] and FIRST:LAST:STEP (square ones), or a file of them: one a line, as
/// such or as CSV columns m,n,k; '#' begins a comment. Throws UserError that names the wrong entry.
std::vector<BenchShape> parse_bench_shapes(const std::string& text);

std::string to_string(const BenchShape& shape);

}  // namespace xeforge::lab
