// SPDX-License-Identifier: Apache-2.0
//
// `xeforge explain --problem`: which strategy the library takes for a problem, and why.
#pragma once

#include <ostream>
#include <string>

namespace xeforge::lab {

/// `problem` as xeforge::gemm::parse_problem() reads it ("1024x1536x512:bf16"); B is `packed_b` before. Throws
/// UserError.
void explain_problem(std::ostream& out, const std::string& device, const std::string& problem, bool packed_b);

}  // namespace xeforge::lab
