// SPDX-License-Identifier: Apache-2.0
#include "observe/lanes/pair_cost.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace xeforge::observe {
namespace {

using Pcs = std::vector<uint32_t>;

TEST(FusedWay, EqualWaysCostNothing) {
  const Pcs way{0, 16, 32};
  const auto together = fused_way(way, way);
  ASSERT_EQ(together.size(), 3u);
  for (const PairStep& step : together) EXPECT_TRUE(step.first && step.second);
}

TEST(FusedWay, BothSidesOfABranchAreExecutedOneAfterTheOther) {
  const auto together = fused_way(Pcs{0, 16, 48}, Pcs{0, 32, 48});
  ASSERT_EQ(together.size(), 4u);
  EXPECT_EQ(together[1].pc, 16u);
  EXPECT_TRUE(together[1].first && !together[1].second);
  EXPECT_EQ(together[2].pc, 32u);
  EXPECT_TRUE(!together[2].first && together[2].second);
  EXPECT_TRUE(together[3].first && together[3].second);
}

TEST(FusedWay, TheShorterLoopWaitsForTheLongerOne) {
  const Pcs once{0, 16, 32, 48}, thrice{0, 16, 32, 16, 32, 16, 32, 48};
  const auto together = fused_way(once, thrice);
  EXPECT_EQ(together.size(), thrice.size());
  EXPECT_EQ(std::count_if(together.begin(), together.end(), [](const PairStep& s) { return s.first; }), 4);
}

TEST(FusedWay, EveryStepOfBothIsTaken) {
  const Pcs a{0, 16, 16, 16, 64}, b{0, 32, 48, 32, 48, 64, 80};
  const auto together = fused_way(a, b);
  Pcs first, second;
  for (const PairStep& step : together) {
    if (step.first) first.push_back(step.pc);
    if (step.second) second.push_back(step.pc);
  }
  EXPECT_EQ(first, a);
  EXPECT_EQ(second, b);
}

}  // namespace
}  // namespace xeforge::observe
