// SPDX-License-Identifier: Apache-2.0
//
// Conversions as processors without the F16C extension do them: this file is compiled for the oldest level.
#include "machine/exec/number.h"

#include <cfenv>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace xeforge::machine::exec_default {
namespace {

class RoundingMode {
 public:
  explicit RoundingMode(int mode) { std::fesetround(mode); }
  ~RoundingMode() { std::fesetround(saved_); }
  RoundingMode(const RoundingMode&) = delete;
  RoundingMode& operator=(const RoundingMode&) = delete;

 private:
  int saved_ = std::fegetround();
};

uint16_t converted(float f, int mode) {
  const RoundingMode set(mode);
  volatile float now = f;  // not computed by the compiler, which knows of no modes
  return float_to_half(now);
}

TEST(Number, EveryHalfIsItsOwnFloatInEveryMode) {
  for (const int mode : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    for (uint32_t h = 0; h < 0x10000u; ++h) {
      const bool nan = (h & 0x7C00u) == 0x7C00u && (h & 0x3FFu) != 0;
      if (nan) continue;
      ASSERT_EQ(converted(half_to_float(static_cast<uint16_t>(h)), mode), h) << "mode " << mode;
    }
  }
}

// The three quarters between a half and the next one away from zero; from the largest half on, where the next is
// infinity, and from zero on, where halves are equally far apart.
TEST(Number, BetweenHalvesTheModeDecides) {
  for (uint32_t h = 0; h < 0x7C00u; ++h) {
    const float low = half_to_float(static_cast<uint16_t>(h));
    const float high = h == 0x7BFFu ? 65536.0F : half_to_float(static_cast<uint16_t>(h + 1));
    for (int quarter = 1; quarter <= 3; ++quarter) {
      const float f = low + (high - low) * 0.25F * static_cast<float>(quarter);
      const uint32_t nearest = quarter == 1 ? h : quarter == 3 ? h + 1 : h + (h & 1u);
      ASSERT_EQ(converted(f, FE_TONEAREST), nearest) << f;
      ASSERT_EQ(converted(-f, FE_TONEAREST), 0x8000u | nearest) << f;
      ASSERT_EQ(converted(f, FE_UPWARD), h + 1) << f;
      ASSERT_EQ(converted(-f, FE_UPWARD), 0x8000u | h) << f;
      ASSERT_EQ(converted(f, FE_DOWNWARD), h) << f;
      ASSERT_EQ(converted(-f, FE_DOWNWARD), 0x8000u | (h + 1)) << f;
      ASSERT_EQ(converted(f, FE_TOWARDZERO), h) << f;
      ASSERT_EQ(converted(-f, FE_TOWARDZERO), 0x8000u | h) << f;
    }
  }
}

TEST(Number, WhatIsTooLargeFollowsTheMode) {
  for (const float f : {65536.0F, 1e6F, std::numeric_limits<float>::max()}) {
    EXPECT_EQ(converted(f, FE_TONEAREST), 0x7C00u) << f;
    EXPECT_EQ(converted(f, FE_TOWARDZERO), 0x7BFFu) << f;
    EXPECT_EQ(converted(f, FE_UPWARD), 0x7C00u) << f;
    EXPECT_EQ(converted(f, FE_DOWNWARD), 0x7BFFu) << f;
    EXPECT_EQ(converted(-f, FE_UPWARD), 0xFBFFu) << f;
    EXPECT_EQ(converted(-f, FE_DOWNWARD), 0xFC00u) << f;
  }
}

TEST(Number, InfinityStaysAndNanIsQuiet) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(converted(infinity, FE_TOWARDZERO), 0x7C00u);
  EXPECT_EQ(converted(-infinity, FE_UPWARD), 0xFC00u);
  EXPECT_EQ(converted(bits_as<float>(0x7F802000u), FE_TONEAREST), 0x7E01u);  // signalling, its payload is kept
}

// The smallest float is far below the smallest half.
TEST(Number, TinyNumbersFollowTheMode) {
  const float tiny = std::numeric_limits<float>::denorm_min();
  EXPECT_EQ(converted(tiny, FE_TONEAREST), 0u);
  EXPECT_EQ(converted(tiny, FE_UPWARD), 1u);
  EXPECT_EQ(converted(-tiny, FE_DOWNWARD), 0x8001u);
  EXPECT_EQ(converted(-tiny, FE_UPWARD), 0x8000u);
}

}  // namespace
}  // namespace xeforge::machine::exec_default
