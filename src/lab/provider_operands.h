// SPDX-License-Identifier: Apache-2.0
//
// Operands as a library gets them: in the types and the order that a shape names, as raw elements.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "lab/provider.h"

namespace xeforge::lab {

std::vector<std::byte> stored_a(const BenchShape& shape, const TestData& data);
std::vector<std::byte> stored_b(const BenchShape& shape, const TestData& data);
/// What C holds before: the old values where they count (beta), else what no result can be: NaN, or a number beyond all
/// sums.
std::vector<std::byte> stored_c(const BenchShape& shape, const TestData& data);

/// C as it came back, by rows and as floats: exact, for right results are integers or sixteenths below 2^24.
std::vector<float> result_by_rows(const BenchShape& shape, std::span<const std::byte> c);

}  // namespace xeforge::lab
