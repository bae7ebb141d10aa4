// SPDX-License-Identifier: Apache-2.0
//
// Golden rows: Intel's training table (PVC) and rows of Intel's calculator for DG2 and Battlemage, with
// those where the driver's numbers give another result.
#include "device/occupancy.h"

#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace xeforge::device {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

struct Row {
  const char* device;
  OccupancyQuery query;
  RuleSet rules;
  unsigned groups;
  double percent;
};

std::ostream& operator<<(std::ostream& out, const Row& row) {
  return out << row.device << " wg " << row.query.group_size << " simd " << row.query.simd << " grf " << row.query.grf
             << " slm " << row.query.slm_bytes << " barriers " << row.query.barriers
             << (row.rules == RuleSet::Driver ? " driver" : " calculator");
}

// Only what occupancy needs, from the same calculator: 8 engines x 8 threads, 128 KB of SLM and 32 barriers a core.
Device pvc() {
  Device device = find_device("b580");
  device.id = "pvc";
  device.slices = 8;
  device.subslices_per_slice = 8;
  device.barriers_per_core = 32;
  for (const char* rules : {"occupancy.driver.", "occupancy.calculator."}) {
    device.parameters[std::string(rules) + "slm_per_core"] = {131072, 131072, 131072, "training table", "bytes"};
    device.parameters[std::string(rules) + "barriers_per_core"] = {32, 32, 32, "training table", ""};
  }
  return device;
}

const Device& device_of(const std::string& id) {
  static const Device test_only = pvc();
  return id == "pvc" ? test_only : find_device(id);
}

constexpr unsigned kB = 1024;
constexpr RuleSet kCalculator = RuleSet::Calculator, kDriver = RuleSet::Driver;

const Row kGolden[] = {
    // 02_Thread_Mapping of the oneAPI training, SIMD 32 with a barrier. It prints 89.5 for 896: 2 x 28 of 64 are 87.5.
    {"pvc", {128, 32, 128, 0, 1}, kCalculator, 16, 100},
    {"pvc", {256, 32, 128, 0, 1}, kCalculator, 8, 100},
    {"pvc", {384, 32, 128, 0, 1}, kCalculator, 5, 93.75},
    {"pvc", {512, 32, 128, 0, 1}, kCalculator, 4, 100},
    {"pvc", {640, 32, 128, 0, 1}, kCalculator, 3, 93.75},
    {"pvc", {768, 32, 128, 0, 1}, kCalculator, 2, 75},
    {"pvc", {896, 32, 128, 0, 1}, kCalculator, 2, 87.5},
    {"pvc", {1024, 32, 128, 0, 1}, kCalculator, 2, 100},
    {"a770", {256, 16}, kCalculator, 8, 100},
    {"a770", {256, 16, 128, 32 * kB}, kCalculator, 4, 50},
    {"a770", {256, 8}, kCalculator, 4, 100},
    {"b580", {256, 16}, kCalculator, 4, 100},
    {"b580", {256, 32}, kCalculator, 8, 100},
    {"b580", {256, 32, 128, 32 * kB}, kCalculator, 4, 50},
    {"b580", {256, 32, 128, 32 * kB}, kDriver, 5, 62.5},
    {"b580", {256, 16, 256}, kCalculator, 2, 50},
    {"b580", {256, 16, 128, 48 * kB}, kCalculator, 2, 50},
    {"b580", {256, 16, 128, 48 * kB}, kDriver, 3, 75},
    {"b580", {16, 16, 128, 0, 1}, kCalculator, 64, 100},
    {"b580", {16, 16, 128, 0, 1}, kDriver, 32, 50},
    {"a770", {16, 16, 128, 0, 1}, kCalculator, 128, 100},
    {"a770", {16, 16, 128, 0, 1}, kDriver, 32, 25},
    {"a770", {32, 16, 128, 0, 1}, kCalculator, 64, 100},
    {"a770", {32, 16, 128, 0, 1}, kDriver, 32, 50},
};

class Golden : public ::testing::TestWithParam<Row> {};
INSTANTIATE_TEST_SUITE_P(Rows, Golden, ::testing::ValuesIn(kGolden));

TEST_P(Golden, GroupsAndOccupancy) {
  const Row& row = GetParam();
  const Occupancy result = occupancy(device_of(row.device), row.query, row.rules);
  EXPECT_EQ(result.groups_per_core, row.groups);
  EXPECT_DOUBLE_EQ(result.occupancy * 100, row.percent);
  EXPECT_THAT(result.limited_by, Not(IsEmpty()));
  if (row.percent == 100) {
    EXPECT_THAT(result.next_step, IsEmpty());
  }
}

TEST(OccupancyTest, NamesWhatLimits) {
  EXPECT_EQ(occupancy(find_device("a770"), {256, 16, 128, 32 * kB}).limited_by, "shared local memory");
  EXPECT_EQ(occupancy(find_device("a770"), {16, 16, 128, 0, 1}).limited_by, "barriers");
  EXPECT_EQ(occupancy(find_device("a770"), {256, 16}).limited_by, "hardware threads");
  EXPECT_EQ(occupancy(find_device("a770"), {8, 8}).limited_by, "hardware threads, group slots");
}

// Following the advice must give what it promises.
TEST(OccupancyTest, NextStepsHold) {
  const Device& a770 = find_device("a770");
  EXPECT_EQ(occupancy(a770, {256, 16, 128, 20 * kB}).next_step,
            "reduce SLM by 4096 bytes, to 16384 a group, to reach 100 % instead of 50 %");
  EXPECT_DOUBLE_EQ(occupancy(a770, {256, 16, 128, 16 * kB}).occupancy, 1);

  EXPECT_EQ(occupancy(a770, {16, 16, 128, 0, 1}).next_step,
            "enlarge the group by 16 work-items, to 32, to reach 50 % instead of 25 %");
  EXPECT_DOUBLE_EQ(occupancy(a770, {32, 16, 128, 0, 1}).occupancy, 0.5);

  const Occupancy large = occupancy(find_device("b580"), {256, 16, 256});
  EXPECT_THAT(large.next_step, HasSubstr("reduce registers by 128, to 128 a thread, to reach 100 % instead of 50 %"));

  EXPECT_THAT(occupancy(device_of("pvc"), {768, 32, 128, 0, 1}).next_step,
              HasSubstr("reduce the group by 96 work-items, to 672, to reach 98.4 % instead of 75 %"));
}

OccupancyQuery after(OccupancyQuery query, const Step& step) {
  switch (step.change) {
    case Change::LessSlm:
      query.slm_bytes = static_cast<unsigned>(step.to);
      break;
    case Change::SmallerGroup:
    case Change::LargerGroup:
      query.group_size = static_cast<unsigned>(step.to);
      break;
    case Change::FewerRegisters:
      query.grf = static_cast<unsigned>(step.to);
      break;
    case Change::MoreGroups:
      query.groups = 0;
      break;
  }
  return query;
}

// The steps as numbers, which the pages make their sentences of: each alone leads where it says.
TEST(OccupancyTest, EveryStepLeadsWhereItSays) {
  unsigned followed = 0;
  for (const Device* device : {&find_device("a770"), &find_device("b580")})
    for (const unsigned group : {8u, 32u, 100u, 256u, 768u, 1024u})
      for (const unsigned simd : {16u, 32u})
        for (const unsigned grf : {128u, 256u})
          for (const unsigned slm : {0u, 3000u, 20480u, 65536u})
            for (const unsigned barriers : {0u, 1u, 3u})
              for (const uint64_t groups : {uint64_t{0}, uint64_t{7}}) {
                const OccupancyQuery query{group, simd, grf, slm, barriers, groups};
                if (refusal(*device, query)) continue;
                const Occupancy now = occupancy(*device, query);
                EXPECT_EQ(now.next_step.empty(), now.occupancy >= 1);
                for (const Step& step : now.steps) {
                  const Occupancy then = occupancy(*device, after(query, step));
                  if (step.change == Change::MoreGroups) {
                    EXPECT_GE(then.occupancy, now.occupancy);
                  } else {
                    EXPECT_DOUBLE_EQ(then.occupancy, step.then) << now.next_step;
                    EXPECT_GT(step.then, now.occupancy);
                  }
                  ++followed;
                }
              }
  EXPECT_GT(followed, 200u);
}

TEST(OccupancyTest, RefusalIsWhatIsThrown) {
  const Device& b580 = find_device("b580");
  const struct {
    OccupancyQuery query;
    Obstacle obstacle;
    uint64_t asked, given;
  } kRows[] = {{{0, 16}, Obstacle::EmptyGroup, 0, 0},
               {{256, 8}, Obstacle::SubGroupSize, 8, 0},
               {{2048, 32}, Obstacle::GroupSize, 2048, 1024},
               {{256, 16, 128, 200 * kB}, Obstacle::Slm, 200 * kB, 128 * kB},
               {{256, 16, 128, 0, 99}, Obstacle::Barriers, 99, b580.barriers_per_core},
               {{256, 1}, Obstacle::Threads, 256, 64}};
  for (const auto& row : kRows) {
    const auto refused = refusal(b580, row.query);
    ASSERT_TRUE(refused);
    EXPECT_EQ(refused->obstacle, row.obstacle);
    EXPECT_EQ(refused->asked, row.asked);
    EXPECT_EQ(refused->given, row.given);
    EXPECT_THROW(occupancy(b580, row.query), std::invalid_argument);
  }
  EXPECT_FALSE(refusal(b580, {256, 16}));
}

TEST(OccupancyTest, EsimdCountsThreads) {
  const Occupancy result = occupancy(find_device("a770"), {32, 1, 128, 24576, 1});
  EXPECT_EQ(result.threads_per_group, 32u);
  EXPECT_EQ(result.slm_allocated, 32768u);
  EXPECT_EQ(result.groups_per_core, 4u);
  EXPECT_DOUBLE_EQ(result.occupancy, 1);
}

TEST(OccupancyTest, RoundsOverTheDevice) {
  // 32 cores hold 8 groups each: 192 fit at once and leave a quarter of the threads empty.
  OccupancyQuery query{256, 16};
  query.groups = 192;
  Occupancy result = occupancy(find_device("a770"), query);
  EXPECT_EQ(result.groups_per_core, 6u);
  EXPECT_EQ(result.limited_by, "number of groups");
  EXPECT_EQ(result.rounds, 1u);
  EXPECT_DOUBLE_EQ(result.average_occupancy, 0.75);
  query.groups = 384;
  result = occupancy(find_device("a770"), query);
  EXPECT_EQ(result.rounds, 2u);
  EXPECT_DOUBLE_EQ(result.average_occupancy, 0.75);
}

TEST(OccupancyTest, ImpossibleLaunchesSayWhy) {
  const Device& a770 = find_device("a770");
  const auto error_of = [](const Device& device, const OccupancyQuery& query) {
    try {
      occupancy(device, query);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_THAT(error_of(a770, {2048, 16}), HasSubstr("2048 work-items"));
  EXPECT_THAT(error_of(a770, {256, 16, 128, 65 * kB}), HasSubstr("66560 bytes of SLM"));
  EXPECT_THAT(error_of(find_device("b580"), {256, 8}), HasSubstr("sub-group size 8"));
  EXPECT_THAT(error_of(find_device("b580"), {1024, 16, 256}), HasSubstr("64 threads"));
  EXPECT_THAT(error_of(a770, {64, 16, 128, 0, 33}), HasSubstr("33 barriers"));
  EXPECT_THAT(error_of(a770, {0, 16}), HasSubstr("0 work-items"));
}

TEST(OccupancyTest, ResidentGroupsIgnoreTheGrid) {
  OccupancyQuery query{256, 16, 128, 32 * kB, 1};
  query.groups = 1;
  EXPECT_EQ(resident_groups_per_core(find_device("a770"), query), 4u);
  EXPECT_EQ(resident_groups_per_core(find_device("b580"), {256, 16, 128, 48 * kB}), 3u);
}

TEST(OccupancyTest, CooperativeGroupsNeverExceedTheResidentOnes) {
  for (const std::string& id : device_ids()) {
    const Device& device = find_device(id);
    for (const unsigned slm : {0u, 1000u, 10000u, 33000u, 65536u}) {
      for (const unsigned size : {16u, 64u, 256u, 1024u}) {
        for (const unsigned barriers : {0u, 1u, 3u}) {
          const OccupancyQuery query{size, 16, 128, slm, barriers};
          EXPECT_LE(max_cooperative_groups(device, query),
                    uint64_t{resident_groups_per_core(device, query)} * device.xe_cores())
              << id << " slm " << slm << " size " << size << " barriers " << barriers;
        }
      }
    }
  }
  // compute-runtime: 32 cores x 64 KB / 32 KB.
  EXPECT_EQ(max_cooperative_groups(find_device("a770"), {256, 16, 128, 32 * kB}), 64u);
}

TEST(OccupancyTest, QueryOfAKernel) {
  binary::Kernel kernel;
  kernel.simd_size = 8;
  kernel.grf_count = 256;
  kernel.slm_size = 1000;
  kernel.barrier_count = 1;
  const OccupancyQuery query = query_for(kernel, 64, 2000);
  EXPECT_EQ(query.simd, 8u);
  EXPECT_EQ(query.slm_bytes, 3000u);
  EXPECT_EQ(occupancy(find_device("a770"), query).constraints.front().available, 64u);
}

TEST(OccupancyTest, TextShowsBothSourcesOnlyWhereTheyDisagree) {
  const std::string agree = occupancy_text(find_device("a770"), {256, 16, 128, 32 * kB});
  EXPECT_THAT(agree, HasSubstr("limited by: shared local memory"));
  EXPECT_THAT(agree, HasSubstr("50.0 % occupied"));
  EXPECT_THAT(agree, Not(HasSubstr("calculator")));
  const std::string differ = occupancy_text(find_device("a770"), {16, 16, 128, 0, 1});
  EXPECT_THAT(differ, HasSubstr("25.0 % occupied"));
  EXPECT_THAT(differ, HasSubstr("occupancy calculator, which differ"));
  EXPECT_THAT(differ, HasSubstr("100.0 % occupied"));
}

}  // namespace
}  // namespace xeforge::device
