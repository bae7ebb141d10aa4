// SPDX-License-Identifier: Apache-2.0
//
// What is to be computed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace xeforge::gemm {

/// C = alpha * A * B + beta * C with A (m x k) and B (k x n) of bfloat16, C (m x n) of float, row major without gaps.
/// Sums are in float. With beta 0 old C is never read: it may hold anything, NaN included. With alpha 1 sums are not
/// scaled. alpha 0 does not skip A and B: a NaN in them reaches C.
struct Problem {
  std::int64_t m = 0, n = 0, k = 0;
  float alpha = 1, beta = 0;
  friend bool operator==(const Problem&, const Problem&) = default;
};

/// The sizes must be positive multiples of these and no larger than kLargestSize.
inline constexpr std::int64_t kMultipleM = 128, kMultipleN = 64, kMultipleK = 32;
inline constexpr std::int64_t kLargestSize = std::int64_t{1} << 24;

/// Addresses must be multiples of it, in bytes. What sycl::malloc_device() returns always is.
inline constexpr std::size_t kAlignment = 16;

}  // namespace xeforge::gemm
