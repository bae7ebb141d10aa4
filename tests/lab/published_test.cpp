// SPDX-License-Identifier: Apache-2.0
#include "lab/published.h"

#include <gtest/gtest.h>

namespace {

using namespace xeforge::lab;

TEST(PublishedNumbers, EveryRungOfTheLadderHasATime) {
  std::size_t rungs = 0;
  for (const auto& rung : xeforge::gemm::catalog()) {
    using xeforge::gemm::Family;
    const bool ours = rung.family == Family::Smoke || rung.family == Family::Xe2 || rung.id.ends_with(".sg8");
    const auto published = find_published(rung.id);
    EXPECT_EQ(published.has_value(), !ours) << rung.id;
    if (!published) continue;
    ++rungs;
    EXPECT_GT(published->ms_low, 0) << rung.id;
    EXPECT_LE(published->ms_low, published->ms_high) << rung.id;
  }
  EXPECT_EQ(rungs, 46U);
}

TEST(PublishedNumbers, AreReadAsPrinted) {
  const auto published = find_published("esimd_wide_load");
  ASSERT_TRUE(published);
  EXPECT_DOUBLE_EQ(published->ms_low, 0.0836);
  EXPECT_DOUBLE_EQ(published->ms_high, 0.0856);
  EXPECT_DOUBLE_EQ(published->instructions.value(), 24.31e6);
  EXPECT_DOUBLE_EQ(published->send.value(), 3.70e9 / 1100);
  EXPECT_FALSE(find_published("esimd_4buf")->send.has_value());
}

TEST(PublishedNumbers, FiveRungsHaveInstructionCounts) {
  std::size_t counted = 0;
  for (const auto& rung : xeforge::gemm::catalog()) {
    const auto published = find_published(rung.id);
    if (published && published->instructions) ++counted;
  }
  EXPECT_EQ(counted, 5U);
}

TEST(PublishedNumbers, FullComputeTotalsAreNormalisedByTheirOwnBarriers) {
  // 17 barriers for each of 6144 threads; 109e6 were counted, so 1043.6 launches: 2.37e9 sends are 369.6 a thread.
  const auto published = find_published("esimd_a_direct");
  const double barriers = 17.0 * 6144;
  EXPECT_NEAR(published->per_launch(published->total_send_slots, barriers).value() / 6144, 369.6, 0.1);
  EXPECT_EQ(published->per_launch(std::nullopt, barriers), std::nullopt);
}

TEST(PublishedNumbers, NothingUnderOtherNames) { EXPECT_FALSE(find_published("jm_basic.sg8")); }

}  // namespace
