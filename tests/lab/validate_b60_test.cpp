// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "lab/provider_capture.h"
#include "lab/validate_b60_sample.h"

namespace xeforge::lab {
namespace {

B60Row row(uint32_t m, uint32_t n, uint32_t k) {
  B60Row r;
  r.m = m;
  r.n = n;
  r.k = k;
  return r;
}

TEST(B60Sample, TellsRowPitchesThatMeetInFewChannels) {
  for (const uint32_t k : {768U, 1536U, 3072U, 6144U, 12288U}) EXPECT_TRUE(is_3_times_power(k)) << k;
  for (const uint32_t k : {3U, 96U, 384U, 1024U, 2560U, 4608U, 7168U}) EXPECT_FALSE(is_3_times_power(k)) << k;
}

TEST(B60Sample, SortsRowsByWhatTheyTell) {
  const auto name = [](const B60Row& r) { return kStrata[stratum_of(r)]; };
  EXPECT_EQ("k = 3*2^n", name(row(4096, 4096, 6144)));
  EXPECT_EQ("store-bound", name(row(8192, 12288, 64)));
  EXPECT_EQ("m < 128", name(row(1, 4096, 4096)));
  EXPECT_EQ("m 128..511", name(row(256, 4096, 4096)));
  EXPECT_EQ("m >= 512, n and k >= 1024", name(row(512, 1024, 1024)));
  EXPECT_EQ("m >= 512, n or k smaller", name(row(4096, 512, 4096)));
}

TEST(B60Sample, LeavesOutTimesThatAreNotTheKernels) {
  const std::vector<B60Row> rows = read_b60_sample();
  ASSERT_FALSE(rows.empty());
  for (const B60Row& r : rows) {
    EXPECT_GE(r.measured_us(), 60);
    // The older column counts only where it is the smaller one of large m.
    if (r.m < 512) {
      EXPECT_EQ(r.column_us[1], r.measured_us());
    } else {
      EXPECT_EQ(std::min(r.column_us[0], r.column_us[1]), r.measured_us());
    }
    EXPECT_GE(r.roofline_us(), r.peak_us());
  }
}

TEST(B60Sample, ChoosesFromEveryStratumWithinTheLimit) {
  const std::vector<B60Row> all = read_b60_sample();
  constexpr double kMost = 2e10;
  const std::vector<B60Row> few = choose_b60_rows(all, 3, kMost), every = choose_b60_rows(all, 0, 1e18);
  EXPECT_EQ(all.size(), every.size());
  std::multiset<unsigned> strata;
  for (const B60Row& r : few) {
    EXPECT_LE(r.macs(), kMost);
    strata.insert(stratum_of(r));
  }
  for (unsigned stratum = 0; stratum < kStrata.size(); ++stratum) {
    EXPECT_LE(strata.count(stratum), 3U);
    EXPECT_GE(strata.count(stratum), 1U) << kStrata[stratum];
  }
  EXPECT_TRUE(choose_b60_rows(all, 3, 1).empty());
}

TEST(Capture, ComparesTheCourseOfThreads) {
  observe::Recording a;
  a.blocks = {{0, 3}, {3, 2}};
  a.paths = {{0, 1}};
  a.threads = {{0, 0}};
  a.groups = {{0, 0}};
  a.messages = {std::byte{1}};
  observe::Recording b = a;
  EXPECT_TRUE(same_course(a, b));
  b.paths = {{0, 0, 1}};
  EXPECT_FALSE(same_course(a, b));
  b = a;
  b.messages = {std::byte{2}};
  EXPECT_FALSE(same_course(a, b));
  b = a;
  b.threads.push_back({0, 1});
  EXPECT_FALSE(same_course(a, b));
}

}  // namespace
}  // namespace xeforge::lab
