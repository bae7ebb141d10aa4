// SPDX-License-Identifier: Apache-2.0
#include "observe/lanes/lane_recorder.h"

#include <algorithm>

#include "support/launch_fixture.h"

namespace xeforge::observe {
namespace {

using machine::test::compile_opencl;
using machine::test::LaunchFixture;

class LaneRecorderTest : public LaunchFixture {
 protected:
  /// Executes `source`'s only kernel over one group of 32 with a buffer of 0, 1, 2, ...
  const Lanes& record(const std::string& device, const std::string& source) {
    const auto zebin = compile_opencl(device, source);
    kernel_ = machine::prepare_kernel(zebin.kernels.front(), device::find_device(device));
    int* data = buffer<int>(64);
    for (int i = 0; i < 64; ++i) data[i] = i;
    machine::RunOptions options;
    options.host_threads = 1;
    recording_ = std::make_unique<LaneRecording>();
    options.observation = recording_.get();
    result_ = run_ok(launch(kernel_, {2, 1, 1}, {32, 1, 1}, {pointer(data)}), options);
    data_ = data;
    return recording_->lanes();
  }

  std::unique_ptr<LaneRecording> recording_;
  std::shared_ptr<const machine::Kernel> kernel_;
  machine::LaunchResult result_;
  const int* data_ = nullptr;
};

constexpr const char* kBranch = R"(
__attribute__((intel_reqd_sub_group_size(16))) kernel void k(global int* a) {
  int i = get_global_id(0), n = a[i], sum = 0;
  for (int j = 0; j < n % 5; ++j) sum += j ^ n;
  a[i] = sum;
})";

TEST_F(LaneRecorderTest, EveryExecutedInstructionIsAStep) {
  for (const char* device : {"b580", "a770"}) {
    const Lanes& lanes = record(device, kBranch);
    ASSERT_EQ(lanes.threads.size(), 2u) << "16 lanes a thread, the first of two groups of 32";
    std::vector<uint64_t> steps(result_.counts.executed.size());
    for (const auto& thread : lanes.threads) {
      EXPECT_TRUE(thread.complete);
      for (const auto& step : thread.steps) ++steps[step.instruction];
    }
    uint64_t all = 0, recorded = 0;
    for (size_t i = 0; i < steps.size(); ++i) {
      EXPECT_LE(steps[i], result_.counts.executed[i]);
      all += result_.counts.executed[i];
      recorded += steps[i];
    }
    EXPECT_GT(recorded, all / 4);
    EXPECT_LT(recorded, all);
  }
}

TEST_F(LaneRecorderTest, TheMaskNarrowsWhileLanesLeaveTheLoop) {
  const Lanes& lanes = record("b580", kBranch);
  std::vector<uint32_t> masks;
  for (const auto& step : lanes.threads[0].steps)
    if (masks.empty() || masks.back() != step.enabled) masks.push_back(step.enabled);
  EXPECT_GT(masks.size(), 3u);
  EXPECT_EQ(masks.front(), 0xFFFFu);
  EXPECT_EQ(masks.back(), 0xFFFFu);
}

TEST_F(LaneRecorderTest, AStoreShowsWhatIsInMemoryAfterwards) {
  const Lanes& lanes = record("b580", kBranch);
  const auto& steps = lanes.threads[0].steps;
  const auto store = std::find_if(steps.rbegin(), steps.rend(),
                                  [](const auto& s) { return s.kind == machine::Footprint::Kind::Store; });
  ASSERT_NE(store, steps.rend());
  ASSERT_EQ(store->accesses.size(), 16u);
  for (const auto& access : store->accesses) {
    const auto lane = static_cast<size_t>(access.lane);
    EXPECT_EQ(access.address, reinterpret_cast<uint64_t>(data_ + lane));
    EXPECT_EQ(access.value, static_cast<uint32_t>(data_[lane]));
  }
}

TEST_F(LaneRecorderTest, AShuffleNamesTheLanesThatItReads) {
  const Lanes& lanes = record("b580", R"(
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
__attribute__((intel_reqd_sub_group_size(16))) kernel void k(global int* a) {
  int i = get_global_id(0), x = a[i];
  a[i] = intel_sub_group_shuffle(x, (uint)(15 - (x & 15)));
})");
  bool reversed = false;
  for (const auto& step : lanes.threads[0].steps) {
    size_t matching = 0;
    for (const auto& value : step.written)
      matching += value.from == std::vector<uint8_t>{static_cast<uint8_t>(15 - value.lane)} ? 1 : 0;
    reversed = reversed || matching == 16;
  }
  EXPECT_TRUE(reversed) << "one instruction reads lane 15 - i into lane i";
}

TEST_F(LaneRecorderTest, ThreadsBeyondTheLimitAreCutAndSaySo) {
  LaneRecording small({1, 5});
  const auto zebin = compile_opencl("b580", kBranch);
  const auto kernel = machine::prepare_kernel(zebin.kernels.front(), device::find_device("b580"));
  int* data = buffer<int>(64);
  machine::RunOptions options;
  options.host_threads = 1;
  options.observation = &small;
  run_ok(launch(kernel, {2, 1, 1}, {32, 1, 1}, {pointer(data)}), options);
  for (const auto& thread : small.lanes().threads) {
    EXPECT_EQ(thread.steps.size(), 5u);
    EXPECT_FALSE(thread.complete);
  }
}

}  // namespace
}  // namespace xeforge::observe
