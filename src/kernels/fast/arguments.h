// SPDX-License-Identifier: Apache-2.0
//
// What the host hands to the fast kernels, by value. Includes nothing of SYCL: the host side includes it, too.
#pragma once

#include <cstdint>

namespace xeforge::kernels {

struct FastArguments {
  uint64_t a, b, c;
  int64_t stride_a, stride_b, stride_c;  ///< bytes between the matrices of a batch
  int64_t lda, ldb;  ///< elements from a row to the next; packed operands: bytes from a unit to the next
  int64_t ldc;       ///< elements
  uint32_t m, n, k;
  uint32_t batch;
  float alpha, beta;
};

}  // namespace xeforge::kernels
