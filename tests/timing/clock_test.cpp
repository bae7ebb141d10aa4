// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "made_recording.h"
#include "timing/simulate.h"
#include "timing/summary.h"

namespace xeforge::timing::test {
namespace {

using Kind = RecordedMessage::Kind;

const device::Device& a770() { return device::find_device("a770"); }

constexpr unsigned kFillACore = 64;  ///< groups in a row: more than a core holds

/// What follows looks at cores: no time before the first thread, and groups that fill one core after the other at once.
Parameters cores_only() {
  Parameters p = parameters_of(a770());
  p.launch_front_us = 0;
  p.dispatch = 1;
  p.groups_in_a_row = kFillACore;
  return p;
}

Options one_core() {
  Options o;
  o.cores = 1;
  return o;
}

double clocks(const Result& r) { return static_cast<double>(r.kernel) / kTicksPerClock; }

/// Loads through the L1, a barrier, arithmetic that waits for the loads, a store: a bit of everything.
Recording& mixed(Maker& maker, uint64_t groups, uint32_t threads, unsigned rounds) {
  std::vector<uint16_t> path(rounds, 0);
  maker.recording().barriers = 1;
  maker.recording().slm_bytes = 4096;
  return maker.make(groups, threads, path, [&](uint64_t group, uint32_t t) {
    const uint64_t g = group % 100;  // all memory fits into the L2
    std::vector<RecordedMessage> messages;
    for (unsigned i = 0; i < rounds; ++i) {
      messages.push_back(lines(Kind::Load, 100'000 + g * 64 + i * 8 + t % 4, 4));
      messages.push_back(slm(Kind::Store, t * 16, 16, 1));
      messages.push_back(other(Kind::BarrierSignal));
      messages.push_back(slm(Kind::Load, (t * 48) % 512, 32, 2));
      messages.push_back(lines(Kind::Store, 900'000 + (g * threads + t) * rounds + i, 1));
    }
    return messages;
  });
}

const std::vector<std::string> kMixed{
    "(W) load.ugm.d32x64t.a64.ca.ca (1|M0) r20:8 [r4:1] {$0}\n"
    "(W) store.slm.d32x16t.a32 (1|M0) [r5:1] r40:2 {$1}\n"
    "(W) mul (16|M0) r50.0<1>:f r20.0<8;8,1>:f r22.0<8;8,1>:f {$0.dst}\n"
    "(W) add (8|M0) r60.0<1>:d r60.0<8;8,1>:d r61.0<8;8,1>:d {I@1}\n"
    "(W) send.gtwy (1|M0) null r6 null:0 0x0 0x02000004 {$2}\n"
    "sync.bar null\n"
    "(W) load.slm.d32x32t.a32 (1|M0) r30:4 [r5:1] {$3}\n"
    "(W) mad (8|M0) r52.0<1>:f r50.0<8;1>:f r30.0<8;1>:f r31.0<1>:f {$3.dst}\n"
    "sync.nop null {F@1}\n"
    "(W) store.ugm.d32x16t.a64 (1|M0) [r4:1] r52:2 {$4}"};

Ticks sum(const CauseTicks& causes) {
  Ticks total = 0;
  for (const Ticks t : causes) total += t;
  return total;
}

TEST(Clock, EveryThreadCycleHasOneCause) {
  for (const uint32_t threads : {1u, 2u, 5u, 16u, 32u}) {
    Maker maker(isa::Platform::XeHpg, kMixed);
    const Recording& r = mixed(maker, 40, threads, 6);
    for (const unsigned cores : {0u, 1u, 3u}) {
      Options o;
      o.cores = cores;
      const Result result = simulate(r, a770(), cores_only(), o);
      EXPECT_EQ(sum(result.causes), result.slot_ticks) << threads << " threads, " << cores << " cores";
      Ticks by_instruction = 0;
      for (const CauseTicks& causes : result.by_instruction) by_instruction += sum(causes);
      EXPECT_EQ(by_instruction + result.causes[static_cast<size_t>(Cause::Empty)] +
                    result.causes[static_cast<size_t>(Cause::Start)],
                result.slot_ticks);
      EXPECT_GT(result.kernel, 0);
    }
  }
}

TEST(Clock, ThreadsOfAPairThatGoDifferentWaysAreConservedToo) {
  Maker maker(isa::Platform::XeHpg, {"(W) add (8|M0) r10.0<1>:f r11.0<8;8,1>:f r12.0<8;8,1>:f {F@1}"});
  Recording& r = maker.make(10, 4, {0, 0, 0, 0});
  r.paths.push_back({0, 0, 0, 0, 0, 0, 0, 0, 1});
  for (size_t t = 1; t < r.threads.size(); t += 2) r.threads[t].path = 1;
  const Result result = simulate(r, a770(), cores_only(), {});
  EXPECT_EQ(sum(result.causes), result.slot_ticks);
  EXPECT_EQ(result.instructions, 10u * (2 * 5 + 2 * 9));
}

TEST(Clock, TheSameForAnyNumberOfHostThreads) {
  Maker maker(isa::Platform::XeHpg, kMixed);
  const Recording& r = mixed(maker, 300, 16, 8);
  Options o;
  const Result one = simulate(r, a770(), cores_only(), o);
  for (const unsigned threads : {2u, 8u}) {
    o.host_threads = threads;
    const Result more = simulate(r, a770(), cores_only(), o);
    EXPECT_EQ(one.kernel, more.kernel);
    EXPECT_EQ(one.causes, more.causes);
    EXPECT_EQ(one.by_instruction, more.by_instruction);
    EXPECT_EQ(one.traffic.l2_hits, more.traffic.l2_hits);
  }
}

TEST(Clock, ADependentChainTakesItsLatency) {
  Maker maker(isa::Platform::XeHpg, {"(W) add (8|M0) r10.0<1>:f r10.0<8;8,1>:f r12.0<8;8,1>:f {F@1}"});
  const Recording& r = maker.make(1, 2, std::vector<uint16_t>(1000, 0));
  EXPECT_NEAR(clocks(simulate(r, a770(), cores_only(), one_core())) / 1000, 10, 0.5);
}

TEST(Clock, ManyThreadsFillTheFloatPipe) {
  Maker maker(isa::Platform::XeHpg, {"(W) mad (16|M0) r10.0<1>:f r12.0<8;1>:f r14.0<8;1>:f r16.0<1>:f"});
  const Recording& r = maker.make(4, 32, std::vector<uint16_t>(500, 0));
  const Result result = simulate(r, a770(), cores_only(), one_core());
  // 16 lanes are two passes; 8 threads of each engine share the pipe.
  EXPECT_NEAR(clocks(result) / (8 * 500 * 2), 1, 0.05);
  EXPECT_GT(metrics_of(result, cores_only()).xve_active, 95);
}

TEST(Clock, TheMatrixEngineReachesItsPeak) {
  std::string block;
  for (int i = 0; i < 8; ++i)
    block += "(W) dpas.8x8 (8|M0) r" + std::to_string(40 + 8 * i) + ":f r" + std::to_string(40 + 8 * i) +
             ":f r20:bf r30.0:bf\n";
  Maker maker(isa::Platform::XeHpg, {block});
  const Recording& r = maker.make(4, 32, std::vector<uint16_t>(50, 0));
  const Parameters p = cores_only();
  const Result result = simulate(r, a770(), p, one_core());
  const double flops = 128.0 * 50 * 8 * 2048 / p.microseconds(result.kernel) * 1e6 * p.cores;
  EXPECT_LT(flops, 16.0 * 128 * 2.4e9 * 32);  // never above the roof
  EXPECT_GT(flops / 130.7e12, 0.9);
}

void expect_barrier_holds(const device::Device& device, const std::string& wait) {
  Maker maker(device.platform, {"(W) add (8|M0) r10.0<1>:f r10.0<8;8,1>:f r12.0<8;8,1>:f {F@1}",
                                "(W) send.gtwy (1|M0) null r6 null:0 0x0 0x02000004\n" + wait});
  Recording& r = maker.make(
      1, 8, {1}, [](uint64_t, uint32_t) { return std::vector<RecordedMessage>{other(Kind::BarrierSignal)}; });
  // Two threads work long before they signal.
  std::vector<uint16_t> slow(400, 0);
  slow.insert(slow.end(), {1, 2});
  r.paths.push_back(slow);
  r.threads[6].path = r.threads[7].path = 1;
  const Result result = simulate(r, device, parameters_of(device), one_core());
  EXPECT_GT(clocks(result), 4000);
  EXPECT_GT(result.causes[static_cast<size_t>(Cause::Barrier)], 6 * 3900 * kTicksPerClock);
}

TEST(Clock, ASyncWaitsForTheTokensThatItNames) {
  const auto time = [](const std::string& sync) {
    Maker maker(isa::Platform::XeHpg, {"(W) load.ugm.d32x16t.a64.ca.ca (1|M0) r20:2 [r4:1] {$0}\n"
                                       "(W) load.ugm.d32x16t.a64.ca.ca (1|M0) r30:2 [r5:1] {$1}\n" +
                                       sync});
    const Recording& r = maker.make(1, 2, {0}, [](uint64_t, uint32_t) {
      return std::vector<RecordedMessage>{lines(Kind::Load, 1000, 1), lines(Kind::Load, 9000, 1)};
    });
    Parameters p = cores_only();
    p.l2_latency = 2000;
    return clocks(simulate(r, a770(), p, one_core()));
  };
  EXPECT_GT(time("sync.allwr null"), 2000);
  EXPECT_GT(time("sync.allwr ($0,$1)"), 2000);
  EXPECT_GT(time("sync.allwr ($1)"), 2000);
  // Nobody has used these.
  EXPECT_LT(time("sync.allwr ($2,$3)"), 1000);
  // Payloads are read long before.
  EXPECT_LT(time("sync.allrd ($0,$1)"), 1000);
}

/// Bytes that a launch reads from memory where `turns` weights of `weight_lines` lines take turns beside
/// `shared_lines`.
double bytes_read(uint64_t weight_lines, uint64_t shared_lines, unsigned turns) {
  Maker maker(isa::Platform::Xe2, {"(W) load.ugm.d32x64t.a64.ca.ca (1|M0) r20:4 [r4:1] {$0}"});
  constexpr uint64_t kFirst = uint64_t{1} << 26;
  constexpr uint32_t kPart = 4;
  const uint64_t all = (weight_lines + shared_lines) / kPart;
  const Recording& r = maker.make(all / 64, 1, std::vector<uint16_t>(64, 0), [&](uint64_t g, uint32_t) {
    std::vector<RecordedMessage> messages;
    for (uint64_t i = 0; i < 64; ++i) messages.push_back(lines(Kind::Load, kFirst + (g * 64 + i) * kPart, kPart));
    return messages;
  });
  Options o;
  o.turns = turns;
  o.turn_first_line = kFirst;
  o.turn_lines = weight_lines;
  const device::Device& b60 = device::find_device("b60");
  return 64.0 * static_cast<double>(simulate(r, b60, parameters_of(b60), o).traffic.dram_read_lines);
}

TEST(Clock, WhatTakesTurnsIsFoundInTheL2OnlyIfAllOfItFits) {
  constexpr double kMiB = 1 << 20;
  constexpr uint64_t kLinesOfMiB = (1 << 20) / 64;
  // The L2 has 18 MiB.
  EXPECT_EQ(bytes_read(2 * kLinesOfMiB, kLinesOfMiB, 6), 0);
  EXPECT_NEAR(bytes_read(8 * kLinesOfMiB, kLinesOfMiB, 6), 8 * kMiB, 0.05 * kMiB);
  EXPECT_EQ(bytes_read(8 * kLinesOfMiB, kLinesOfMiB, 1), 0);
}

TEST(Clock, ABarrierHoldsTheGroupTogether) {
  expect_barrier_holds(a770(), "sync.bar null");
  expect_barrier_holds(device::find_device("b580"), "sync.bar 0x0");
}

// As oneDNN has it on Xe2 where threads share a sum over k: four of eight threads meet, also at barrier 0.
TEST(Clock, ANamedBarrierHoldsThoseThatItCounts) {
  const device::Device& b580 = device::find_device("b580");
  for (const uint32_t id : {0u, 3u}) {
    Maker maker(isa::Platform::Xe2, {"(W) add (8|M0) r10.0<1>:f r10.0<8;8,1>:f r12.0<8;8,1>:f {F@1}",
                                     "(W) send.gtwy (1|M0) null r6 null:0 0x0 0x02000004\n"
                                     "(W) sync.bar " +
                                         std::to_string(id),
                                     "(W) mov (1|M0) r1.0<1>:d r2.0<0;1,0>:d"});
    Recording& r = maker.make(1, 8, {1}, [id](uint64_t, uint32_t) {
      RecordedMessage signal = other(Kind::BarrierSignal);
      signal.barrier_payload = 4u << 24 | 4u << 16 | id;
      return std::vector<RecordedMessage>{signal};
    });
    std::vector<uint16_t> slow(400, 0);
    slow.insert(slow.end(), {1, 3});
    r.paths.push_back(slow);
    r.paths.push_back({2, 3});
    r.threads[0].path = 1;
    const uint64_t last = r.messages.size();
    observe::MessageWriter writer;
    writer.append(other(Kind::EndOfThread), r.messages);
    for (uint32_t t = 4; t < 8; ++t) r.threads[t] = {2, last};
    const Result result = simulate(r, b580, parameters_of(b580), one_core());
    const auto waited = static_cast<double>(result.causes[static_cast<size_t>(Cause::Barrier)]) / kTicksPerClock;
    EXPECT_GT(waited, 3 * 1200) << "three wait for the slow one, barrier " << id;
    EXPECT_LT(waited, 4 * 4500) << "the other four do not, barrier " << id;
  }
}

TEST(Clock, ABarrierThatNobodyCompletesIsReported) {
  Maker maker(isa::Platform::XeHpg, {"(W) send.gtwy (1|M0) null r6 null:0 0x0 0x02000004\nsync.bar null",
                                     "(W) mov (1|M0) r1.0<1>:d r2.0<0;1,0>:d"});
  Recording& r = maker.make(
      1, 4, {0}, [](uint64_t, uint32_t) { return std::vector<RecordedMessage>{other(Kind::BarrierSignal)}; });
  r.paths.push_back({1, 2});
  const uint64_t last = r.messages.size();
  observe::MessageWriter writer;
  writer.append(other(Kind::EndOfThread), r.messages);
  r.threads[2] = r.threads[3] = {1, last};
  EXPECT_THROW(
      {
        try {
          simulate(r, a770(), cores_only(), one_core());
        } catch (const StuckError& e) {
          EXPECT_THAT(e.what(), ::testing::HasSubstr("wait_barrier"));
          throw;
        }
      },
      StuckError);
}

TEST(Clock, FasterPartsNeverMakeItMuchSlower) {
  Maker maker(isa::Platform::XeHpg, kMixed);
  const Recording& r = mixed(maker, 64, 16, 10);
  const Parameters base = cores_only();
  const double before = clocks(simulate(r, a770(), base, one_core()));
  struct Change {
    const char* name;
    double factor;
  };
  for (const Change& change : {Change{"throughput.l1_bytes_per_clock", 4}, Change{"throughput.slm_bytes_per_clock", 4},
                               Change{"issue.int_clocks_per_pass", 0.5}, Change{"latency.lsc_l1", 0.5},
                               Change{"latency.barrier", 0.2}, Change{"issue.same_thread_clocks", 0.4},
                               Change{"throughput.l2_bytes_per_clock", 4}, Change{"l2.write_bytes_per_clock", 8}}) {
    Parameters p = base;
    parameter(p, change.name) *= change.factor;
    EXPECT_LT(clocks(simulate(r, a770(), p, one_core())), 1.03 * before) << change.name;
  }
  Parameters bigger = base;
  bigger.l1_bytes *= 2;
  EXPECT_LT(clocks(simulate(r, a770(), bigger, one_core())), 1.03 * before);
}

TEST(Clock, WhatIsExtrapolatedIsCloseToTheWhole) {
  Maker maker(isa::Platform::XeHpg, kMixed);
  const Recording& r = mixed(maker, 4800, 16, 10);
  Options o = one_core();
  const Result whole = simulate(r, a770(), cores_only(), o);
  o.most_instructions_per_core = 1;
  const Result sampled = simulate(r, a770(), cores_only(), o);
  EXPECT_LT(sampled.sampled, 0.5);
  EXPECT_NEAR(clocks(sampled) / clocks(whole), 1, 0.05);
}

/// Where and when the groups of a launch of 64 groups of 16 threads began.
std::vector<GroupSpan> group_spans(const Parameters& p, const Options& options) {
  Maker maker(isa::Platform::XeHpg, {"(W) add (8|M0) r10.0<1>:f r10.0<8;8,1>:f r12.0<8;8,1>:f {F@1}"});
  const Recording& r = maker.make(64, 16, std::vector<uint16_t>(2000, 0));
  std::vector<GroupSpan> spans = simulate(r, a770(), p, options).group_spans;
  std::sort(spans.begin(), spans.end(), [](const GroupSpan& a, const GroupSpan& b) { return a.group < b.group; });
  return spans;
}

TEST(Dispatch, GroupsInARowGoToOneCoreBeforeTheNextGetsSome) {
  Options o;
  o.traced_cores = a770().xe_cores();
  Parameters p = cores_only();
  for (const unsigned in_a_row : {1u, 2u, kFillACore}) {
    p.groups_in_a_row = in_a_row;
    const std::vector<GroupSpan> spans = group_spans(p, o);
    ASSERT_EQ(spans.size(), 64u);
    const unsigned run = std::min(in_a_row, 8u);  // eight groups of 16 threads fill a core
    for (const GroupSpan& span : spans) EXPECT_EQ(span.core, span.group / run % 32) << in_a_row;
  }
}

TEST(Dispatch, TheDriversSizeUsesAllCoresBeforeItFillsOne) {
  const device::Device& b60 = device::find_device("b60");
  const Parameters p = parameters_of(b60);
  ASSERT_EQ(p.groups_in_a_row, 0);
  Options o;
  o.traced_cores = b60.xe_cores();
  struct Case {
    uint64_t groups;
    uint32_t threads;
    unsigned run;  ///< groups dispatched to a core at once
  };
  // 20 cores, 32 threads of 256 registers in each.
  for (const Case& c : {Case{24, 16, 1}, Case{39, 16, 1}, Case{40, 16, 2}, Case{72, 8, 2}, Case{160, 4, 8},
                        Case{80, 16, 2}, Case{20, 32, 1}}) {
    Maker maker(isa::Platform::Xe2, {"(W) add (16|M0) r10.0<1>:f r10.0<1;1,0>:f r12.0<1;1,0>:f {F@1}"});
    Recording& r = maker.make(c.groups, c.threads, std::vector<uint16_t>(300, 0));
    r.grf = 256;
    std::vector<GroupSpan> spans = simulate(r, b60, p, o).group_spans;
    ASSERT_EQ(spans.size(), c.groups);
    for (const GroupSpan& span : spans) {
      if (span.group >= 20 * c.run) continue;
      EXPECT_EQ(span.core, span.group / c.run) << c.groups << " groups, " << span.group;
    }
  }
}

TEST(Dispatch, OneCoreStandsForTheOneThatGetsItsGroupsLast) {
  Options whole;
  whole.traced_cores = a770().xe_cores();
  Options one = one_core();
  one.traced_cores = 1;
  Parameters p = parameters_of(a770());
  p.dispatch = 8;
  const std::vector<GroupSpan> all = group_spans(p, whole), alone = group_spans(p, one);
  ASSERT_EQ(alone.size(), 2u);
  EXPECT_EQ(all[0].begin, ticks(p.launch_front_us * p.clock_mhz));
  EXPECT_EQ(alone[0].begin, all[31].begin);
  EXPECT_EQ(alone[1].begin, all[63].begin);
  EXPECT_EQ(all[31].begin - all[0].begin, 31 * 16 * ticks(8));
}

TEST(Clock, ALaunchEndsWhenItsLastStoreHasArrived) {
  Maker maker(isa::Platform::XeHpg, {"(W) store.ugm.d32x64t.a64 (1|M0) [r4:1] r52:8 {$4}"});
  const Recording& r = maker.make(32, 16, {0, 0, 0, 0}, [](uint64_t g, uint32_t t) {
    std::vector<RecordedMessage> messages;
    for (uint64_t i = 0; i < 4; ++i) messages.push_back(lines(Kind::Store, ((g * 16 + t) * 4 + i) * 4, 4));
    return messages;
  });
  Parameters p = cores_only();
  p.write_rate = 64;
  const Result result = simulate(r, a770(), p, {});
  // 32 groups x 16 threads x 4 messages of 256 bytes; the threads themselves do not wait.
  const double bytes = 32.0 * 16 * 4 * 256;
  EXPECT_GT(clocks(result), bytes / 64);
  EXPECT_LT(clocks(result), bytes / 64 + 2000);
  EXPECT_EQ(sum(result.causes), result.slot_ticks);
}

TEST(Clock, AStoreOfHalfALineTakesHalfItsTime) {
  const auto time = [](const char* store, uint32_t count) {
    Maker maker(isa::Platform::XeHpg, {store});
    const Recording& r = maker.make(32, 16, std::vector<uint16_t>(40, 0), [&](uint64_t g, uint32_t t) {
      std::vector<RecordedMessage> messages;
      for (uint64_t i = 0; i < 40; ++i) messages.push_back(lines(Kind::Store, ((g * 16 + t) * 40 + i) * 4, count));
      return messages;
    });
    Parameters p = cores_only();
    p.write_rate = 64;
    return clocks(simulate(r, a770(), p, {}));
  };
  const double half = time("(W) store.ugm.d32x8t.a64 (1|M0) [r4:1] r52:1 {$4}", 1);
  const double whole = time("(W) store.ugm.d32x16t.a64 (1|M0) [r4:1] r52:2 {$4}", 1);
  EXPECT_NEAR(half / whole, 0.5, 0.05);
}

TEST(Clock, ARecordingThatLacksGroupsIsRefused) {
  Maker maker(isa::Platform::XeHpg, {"(W) mov (8|M0) r10.0<1>:f r11.0<8;8,1>:f"});
  Recording& r = maker.make(64, 2, {0});
  r.groups.pop_back();
  EXPECT_THROW(simulate(r, a770(), cores_only(), {}), std::invalid_argument);
}

TEST(Clock, EveryDeviceHasAllParameters) {
  for (const std::string& id : device::device_ids()) EXPECT_NO_THROW(parameters_of(device::find_device(id))) << id;
  Parameters p = parameters_of(a770());
  EXPECT_THROW(parameter(p, "no.such"), std::invalid_argument);
}

}  // namespace
}  // namespace xeforge::timing::test
