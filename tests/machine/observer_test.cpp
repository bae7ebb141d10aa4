// SPDX-License-Identifier: Apache-2.0
//
// What observers are told agrees with the exact counts of the launch, and does not change it.
#include "machine/observer.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "machine/code.h"
#include "support/launch_fixture.h"

namespace xeforge::machine::test {
namespace {

constexpr const char* kSource = R"(
#pragma OPENCL EXTENSION cl_intel_required_subgroup_size : enable
__attribute__((intel_reqd_sub_group_size(16)))
kernel void rotate_and_sum(global int* o, int n) {
  local int t[1024];
  int l = get_local_id(0), size = get_local_size(0);
  t[l] = o[get_global_id(0)];
  int sum = 0;
  for (int i = 0; i < n + (l & 3); i++) sum += i * l;
  barrier(CLK_LOCAL_MEM_FENCE);
  o[get_global_id(0)] = t[(l + 1) % size] + sum;
}
)";

/// Totals over all workers.
struct Tally {
  std::vector<uint64_t> blocks;
  std::map<uint32_t, uint64_t> before, after;  ///< by pc
  uint64_t groups_begun = 0, groups_ended = 0, threads_begun = 0, threads_ended = 0, barriers = 0;
};

class Counting : public Observer {
 public:
  Counting(Detail detail, size_t blocks) : Observer(detail) { tally.blocks.resize(blocks); }
  void group_begins(const Group&, uint32_t) override { ++tally.groups_begun; }
  void group_ends(const Group&) override { ++tally.groups_ended; }
  void thread_begins(Thread&) override { ++tally.threads_begun; }
  void thread_ends(Thread&) override { ++tally.threads_ended; }
  void block(Thread&, uint32_t block) override { ++tally.blocks[block]; }
  void before(Thread&, const Uop& u) override { ++tally.before[u.pc]; }
  void after(Thread&, const Uop& u) override { ++tally.after[u.pc]; }
  void barrier_completes(Group&, int) override { ++tally.barriers; }
  Tally tally;
};

class CountingObservation : public Observation {
 public:
  explicit CountingObservation(Observer::Detail detail) : detail_(detail) {}
  std::unique_ptr<Observer> begin_worker(const LaunchContext& context) override {
    return std::make_unique<Counting>(detail_, context.code->blocks.size());
  }
  void end_worker(std::unique_ptr<Observer> observer) override {
    const Tally& one = static_cast<const Counting&>(*observer).tally;
    const std::lock_guard lock(mutex_);
    total.blocks.resize(one.blocks.size());
    for (size_t i = 0; i < one.blocks.size(); ++i) total.blocks[i] += one.blocks[i];
    for (const auto& [pc, n] : one.before) total.before[pc] += n;
    for (const auto& [pc, n] : one.after) total.after[pc] += n;
    total.groups_begun += one.groups_begun;
    total.groups_ended += one.groups_ended;
    total.threads_begun += one.threads_begun;
    total.threads_ended += one.threads_ended;
    total.barriers += one.barriers;
  }
  Tally total;

 private:
  Observer::Detail detail_;
  std::mutex mutex_;
};

class ObserverTest : public LaunchFixture, public ::testing::WithParamInterface<const char*> {};

TEST_P(ObserverTest, TellsWhatWasExecuted) {
  const binary::Zebin zebin = compile_opencl(GetParam(), kSource);
  const auto kernel = prepare_kernel(zebin.kernels.at(0), device::find_device(GetParam()));
  constexpr uint32_t kGroups = 24, kLocal = 64;
  const std::vector<int> input(kGroups * kLocal, 3);
  int* data = buffer<int>(input.size());
  const Launch one = launch(kernel, {kGroups, 1, 1}, {kLocal, 1, 1}, {pointer(data), value(5)});
  std::copy(input.begin(), input.end(), data);
  const LaunchResult plain = run_ok(one);
  const std::vector<int> expected(data, data + input.size());

  for (const unsigned host_threads : {1u, 2u, 8u}) {
    CountingObservation every(Observer::Detail::Instructions), sends(Observer::Detail::Sends);
    for (CountingObservation* observation : {&every, &sends}) {
      std::copy(input.begin(), input.end(), data);
      RunOptions options;
      options.host_threads = host_threads;
      options.observation = observation;
      const LaunchResult watched = run_ok(one, options);
      EXPECT_EQ(watched.counts.executed, plain.counts.executed);
      EXPECT_TRUE(std::equal(expected.begin(), expected.end(), data));
      const Tally& told = observation->total;
      EXPECT_EQ(told.groups_begun, kGroups);
      EXPECT_EQ(told.groups_ended, kGroups);
      EXPECT_EQ(told.threads_begun, watched.counts.threads);
      EXPECT_EQ(told.threads_ended, watched.counts.threads);
      EXPECT_EQ(told.barriers, kGroups);
      EXPECT_EQ(told.before, told.after);
      const Code& code = *kernel->code;
      std::vector<uint64_t> by_blocks(code.program->instructions().size());
      for (size_t b = 0; b < code.blocks.size(); ++b) {
        for (uint32_t i = 0; i < code.blocks[b].inst_count; ++i)
          by_blocks[code.blocks[b].inst_first + i] += told.blocks[b];
      }
      EXPECT_EQ(by_blocks, plain.counts.executed);
      size_t seen = 0;
      for (const Uop& u : code.uops) {
        const int32_t index = code.program->index_of(u.pc);
        if (index < 0) continue;  // the guard behind the last instruction
        if (observation == &sends && !u.inst->is_send()) continue;
        ++seen;
        const auto found = told.before.find(u.pc);
        EXPECT_EQ(found == told.before.end() ? 0 : found->second, plain.counts.executed[static_cast<size_t>(index)])
            << u.pc;
      }
      EXPECT_GT(seen, 3u);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, ObserverTest, ::testing::Values("a770", "b580"));

}  // namespace
}  // namespace xeforge::machine::test
