// SPDX-License-Identifier: Apache-2.0
#include "lab/test_data.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace {

using namespace xeforge::lab;

TEST(TestDataTest, ProductIsExact) {
  const auto data = make_test_data({19, 23, 300});
  for (std::uint32_t row = 0; row < 19; ++row) {
    for (std::uint32_t column = 0; column < 23; ++column) {
      int sum = 0;
      for (std::uint32_t k = 0; k < 300; ++k) {
        sum += static_cast<int>(xeforge::gemm::from_bf16(data.a[row * 300 + k])) *
               static_cast<int>(xeforge::gemm::from_bf16(data.b[k * 23 + column]));
      }
      ASSERT_EQ(data.product[row * 23 + column], static_cast<float>(sum));
    }
  }
}

TEST(TestDataTest, RepeatsAndVaries) {
  EXPECT_EQ(make_test_data({8, 8, 16}).a, make_test_data({8, 8, 16}).a);
  EXPECT_NE(make_test_data({8, 8, 16}, {.seed = 1}).a, make_test_data({8, 8, 16}, {.seed = 2}).a);
}

TEST(TestDataTest, BatchesAndUnsignedOperands) {
  const auto data = make_test_data({3, 4, 5}, {.batch = 2, .unsigned_a = true});
  ASSERT_EQ(data.a.size(), 30U);
  ASSERT_EQ(data.b.size(), 40U);
  bool negative_b = false;
  for (const auto value : data.a) EXPECT_GE(xeforge::gemm::from_bf16(value), 0);
  for (const auto value : data.b) negative_b |= xeforge::gemm::from_bf16(value) < 0;
  EXPECT_TRUE(negative_b);
  // The last element of the second product.
  float sum = 0;
  for (std::size_t k = 0; k < 5; ++k)
    sum += xeforge::gemm::from_bf16(data.a[15 + 2 * 5 + k]) * xeforge::gemm::from_bf16(data.b[20 + k * 4 + 3]);
  EXPECT_EQ(data.product[12 + 11], sum);
}

TEST(Compare, CountsEveryWrongElement) {
  const auto same = compare({1, 2, 3, 4}, {1, 2, 3, 4}, 2);
  EXPECT_EQ(same.errors, 0U);
  EXPECT_EQ(same.total, 4U);
  const auto wrong = compare({1, 2, 5, 4.5F}, {1, 2, 3, 4}, 2);
  EXPECT_EQ(wrong.errors, 2U);
  EXPECT_EQ(wrong.max_abs_error, 2);
  EXPECT_EQ(wrong.first, "C[1][0] is 5, expected 3");
}

TEST(Compare, WhatIsNoNumberIsWrong) {
  const auto result = compare({std::nanf(""), 2}, {1, 2}, 2);
  EXPECT_EQ(result.errors, 1U);
  EXPECT_TRUE(std::isinf(result.max_abs_error));
}

}  // namespace
