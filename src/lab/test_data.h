// SPDX-License-Identifier: Apache-2.0
//
// Inputs and expected results for verification. Elements are small integers, so every partial sum is an integer
// below 2^24 and exact in float, whatever the order of additions: results are compared for equality.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gemm/catalog.h"
#include "gemm/packing.h"

namespace xeforge::lab {

struct TestData {
  gemm::Shape shape;
  std::vector<gemm::Bf16> a,
      b;                       ///< row major, integers -3 .. 3, or 0 .. 6 where unsigned; a batch one behind the other
  std::vector<float> old_c;    ///< integers, for kernels that add to C
  std::vector<float> product;  ///< A * B
};

struct TestDataOptions {
  std::uint32_t seed = 1, batch = 1;
  bool unsigned_a = false, unsigned_b = false;
};

/// Deterministic in its arguments. The product comes from OpenBLAS.
TestData make_test_data(const gemm::Shape& shape, const TestDataOptions& options = {});

struct Verification {
  std::uint64_t errors = 0, total = 0;
  double max_abs_error = 0;  ///< infinity if a result is not a number
  std::string first;         ///< "C[3][17] is 4, expected 5"; empty if there is no error
};

/// Compares every element; for a batch, rows are counted through.
Verification compare(const std::vector<float>& result, const std::vector<float>& expected, std::uint32_t columns);

}  // namespace xeforge::lab
