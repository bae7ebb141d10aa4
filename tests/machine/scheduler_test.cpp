// SPDX-License-Identifier: Apache-2.0
//
// Groups, barriers and fused pairs under the scheduler, from assembled text.
#include "machine/scheduler.h"

#include "machine/worker_pool.h"
#include "support/launch_fixture.h"

namespace xeforge::machine::test {
namespace {

using ::testing::HasSubstr;

/// Every kernel here: r3.0 = thread in the group, r3.4 = byte offset of the thread's own dword in bti[0].
constexpr const char* kBegin = R"(
  (W) and (1|M0) r3.0<1>:ud r0.2<0;1,0>:ud 0xFF:ud
  (W) shr (1|M0) r3.1<1>:ud r0.2<0;1,0>:ud 24:ud
  (W) mul (1|M0) r3.3<1>:ud r0.1<0;1,0>:ud r3.2<0;1,0>:uw
  (W) add (1|M0) r3.4<1>:ud r3.3<0;1,0>:ud r3.0<0;1,0>:ud
  (W) shl (1|M0) r3.4<1>:ud r3.4<0;1,0>:ud 2:ud
  (W) shl (1|M0) r5.0<1>:ud r3.0<0;1,0>:ud 2:ud
)";
/// Stores r20.0 to the thread's own dword.
constexpr const char* kStoreR20 = R"(
  (W) mov (1|M0) r4.0<1>:ud r3.4<0;1,0>:ud
  (W) store.ugm.d32.a32 (1|M0) bti[0][r4:1] r20:1
)";
/// Payload of the group's barrier in r22 and its signal.
constexpr const char* kSignal = R"(
  (W) mov (1|M0) r22.2<1>:ud 0:ud
  (W) mov (2|M0) r22.10<1>:ub r0.11<0;1,0>:ub
  (W) send.gtwy (1|M0) null r22 null:0 0x0 0x02000004
)";

class SchedulerTest : public LaunchFixture {
 protected:
  std::shared_ptr<const Kernel> kernel(const std::string& device, const std::string& text,
                                       const std::function<void(binary::Kernel&)>& adjust = {}) {
    return prepare_text(device, kBegin + text, [&](binary::Kernel& k) {
      k.payload[0].addrmode = binary::AddrMode::Stateful;
      k.binding_table = {{0, 0}};
      k.slm_size = 1024;
      k.barrier_count = 1;
      if (adjust) adjust(k);
    });
  }
  static unsigned lanes(const std::string& device) { return device == "b580" ? 16 : 8; }
};

TEST_F(SchedulerTest, CountsEveryInstructionOfEveryThread) {
  const auto k = kernel("a770", std::string(R"(
    (W) mov (1|M0) r20.0<1>:ud 0:ud
  TOP:
    (W) add (1|M0) r20.0<1>:ud r20.0<0;1,0>:ud 1:ud
    nop
    (W) cmp (1|M0) (le)f0.0 null<1>:ud r20.0<0;1,0>:ud r3.0<0;1,0>:ud
    (W&f0.0) jmpi TOP
  )") + kStoreR20);
  constexpr uint32_t groups = 5, threads = 4;
  auto* out = buffer<uint32_t>(groups * threads);
  const LaunchResult result = run_everywhere(launch(k, {groups, 1, 1}, {threads * 8, 1, 1}, {pointer(out)}));
  for (uint32_t i = 0; i < groups * threads; ++i) EXPECT_EQ(out[i], i % threads + 1);
  std::map<std::string, uint64_t> by_name;
  const auto instructions = k->program->instructions();
  ASSERT_EQ(result.counts.executed.size(), instructions.size());
  for (size_t i = 0; i < instructions.size(); ++i)
    by_name[std::string(isa::name_of(instructions[i].op))] += result.counts.executed[i];
  const uint64_t trips = groups * (1 + 2 + 3 + 4);
  EXPECT_EQ(by_name["nop"], trips);
  EXPECT_EQ(by_name["jmpi"], trips);
  EXPECT_EQ(by_name["cmp"], trips);
  EXPECT_EQ(by_name["add"], trips + groups * threads);
  EXPECT_EQ(by_name["send"], 2u * groups * threads);
  EXPECT_EQ(result.counts.threads, groups * threads);
  EXPECT_EQ(result.counts.groups, groups);
}

TEST_F(SchedulerTest, SplitBarrierLetsThreadsWorkBetweenSignalAndWait) {
  for (const char* device : {"a770", "b580"}) {
    SCOPED_TRACE(device);
    const std::string wait = std::string(device) == "b580" ? "(W) sync.bar 0x0\n" : "(W) sync.bar null\n";
    const auto k = kernel(device, std::string("(W) add (1|M0) r20.0<1>:ud r3.0<0;1,0>:ud 100:ud\n"
                                              "(W) store.slm.d32.a32 (1|M0) [r5:1] r20:1\n") +
                                      kSignal + "(W) mov (1|M0) r30.0<1>:ud 7:ud\n" + wait + R"(
      (W) add (1|M0) r6.0<1>:ud r3.0<0;1,0>:ud 1:ud
      (W) and (1|M0) r6.0<1>:ud r6.0<0;1,0>:ud 3:ud
      (W) shl (1|M0) r6.0<1>:ud r6.0<0;1,0>:ud 2:ud
      (W) load.slm.d32.a32 (1|M0) r20:1 [r6:1]
      (W) add (1|M0) r20.0<1>:ud r20.0<0;1,0>:ud r30.0<0;1,0>:ud
    )" + kStoreR20);
    auto* out = buffer<uint32_t>(8 * 4);
    run_everywhere(launch(k, {8, 1, 1}, {4 * lanes(device), 1, 1}, {pointer(out)}));
    for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], 107 + (i + 1) % 4) << i;
  }
}

TEST_F(SchedulerTest, SecondSignalBeforeTheWaitIsAFault) {
  const auto k = kernel("a770", std::string(kSignal) + "(W) send.gtwy (1|M0) null r22 null:0 0x0 0x02000004\n");
  const Fault fault =
      run_fault(launch(k, {1, 1, 1}, {16, 1, 1}, {pointer(buffer<int>(2))}), FaultKind::BarrierDivergence);
  EXPECT_THAT(fault.to_string(), HasSubstr("again"));
  EXPECT_THAT(fault.text, HasSubstr("signal barrier"));
}

// Thread 0 leaves the others alone at the barrier.
std::string one_thread_skips(const std::string& wait) {
  return std::string("(W) cmp (1|M0) (eq)f0.0 null<1>:ud r3.0<0;1,0>:ud 0:ud\n(W&f0.0) jmpi OUT\n") + kSignal + wait +
         "OUT:\n(W) mov (1|M0) r20.0<1>:ud 1:ud\n" + kStoreR20;
}

TEST_F(SchedulerTest, DivergentBarrierSaysWhoWaitsWhere) {
  const auto k = kernel("a770", one_thread_skips("(W) sync.bar null\n"));
  const Fault fault =
      run_fault(launch(k, {3, 1, 1}, {32, 1, 1}, {pointer(buffer<int>(12))}), FaultKind::BarrierDivergence);
  EXPECT_EQ(fault.group, (std::array<uint32_t, 3>{0, 0, 0}));
  EXPECT_THAT(fault.text, HasSubstr("sync.bar"));
  EXPECT_THAT(fault.message, HasSubstr("3 of 4 threads have come to the barrier"));
  EXPECT_THAT(fault.message, HasSubstr("3 threads (group 0,0,0: 1-3) wait for the barrier at 0x"));
  EXPECT_THAT(fault.message, HasSubstr("1 have ended"));
}

TEST_F(SchedulerTest, BarrierOfActiveThreadsOnly) {
  // Xe2 payload bit 8 (IGC generateSingleBarrier): threads that ended do not count.
  std::string text = one_thread_skips("(W) sync.bar 0x0\n");
  text.replace(text.find("r22.2<1>:ud 0:ud"), 16, "r22.2<1>:ud 256:ud");
  auto* out = buffer<uint32_t>(4);
  run_everywhere(launch(kernel("b580", text), {1, 1, 1}, {64, 1, 1}, {pointer(out)}));
  EXPECT_EQ(std::vector<uint32_t>(out, out + 4), std::vector<uint32_t>(4, 1));
  run_fault(launch(kernel("b580", one_thread_skips("(W) sync.bar 0x0\n")), {1, 1, 1}, {64, 1, 1}, {pointer(out)}),
            FaultKind::BarrierDivergence);
}

// Threads 0 and 1 produce, 2 and 3 consume; `counts` is the payload's [31:16].
std::string named_barrier(uint32_t counts, uint32_t id = 3) {
  return R"(
    (W) cmp (1|M0) (ge)f0.0 null<1>:ud r3.0<0;1,0>:ud 2:ud
    (W&f0.0) jmpi CONSUMER
    (W) add (1|M0) r20.0<1>:ud r3.0<0;1,0>:ud 50:ud
    (W) store.slm.d32.a32 (1|M0) [r5:1] r20:1
    (W) mov (1|M0) r22.2<1>:ud )" +
         std::to_string(counts << 16 | 1u << 14 | id) + R"(:ud
    (W) send.gtwy (1|M0) null r22 null:0 0x0 0x02000004
    (W) jmpi OUT
  CONSUMER:
    (W) mov (1|M0) r22.2<1>:ud )" +
         std::to_string(counts << 16 | 2u << 14 | id) + R"(:ud
    (W) send.gtwy (1|M0) null r22 null:0 0x0 0x02000004
    (W) sync.bar )" +
         std::to_string(id) + R"(
    (W) add (1|M0) r6.0<1>:ud r5.0<0;1,0>:d -8:d
    (W) load.slm.d32.a32 (1|M0) r20:1 [r6:1]
  OUT:
  )" + kStoreR20;
}

TEST_F(SchedulerTest, NamedBarrierOfProducersAndConsumers) {
  auto* out = buffer<uint32_t>(12);
  const uint32_t two_and_two = 2u << 8 | 2u;
  run_everywhere(launch(kernel("b580", named_barrier(two_and_two)), {3, 1, 1}, {64, 1, 1}, {pointer(out)}));
  for (uint32_t g = 0; g < 3; ++g) {
    EXPECT_EQ(out[4 * g + 2], 50u);
    EXPECT_EQ(out[4 * g + 3], 51u);
  }
  std::fill(out, out + 12, 0u);
  run_everywhere(launch(kernel("b580", named_barrier(two_and_two, 0)), {3, 1, 1}, {64, 1, 1}, {pointer(out)}));
  EXPECT_EQ(out[11], 51u);
  const Fault fault = run_fault(
      launch(kernel("b580", named_barrier(2u << 8 | 3u)), {1, 1, 1}, {64, 1, 1}, {pointer(out)}), FaultKind::Deadlock);
  EXPECT_THAT(fault.message, HasSubstr("named barrier 3 has the signals of 2 of 3 producers and 2 of 2 consumers"));
  EXPECT_THAT(fault.message, HasSubstr("2 threads (group 0,0,0: 2-3) wait for a named barrier"));
}

// Thread n has bf16 A rows of n + 1 and B = 1: row r of the product is 16 * (owner of the row + 1).
constexpr const char* kPairOperands = R"(
  (W) add (1|M0) r7.0<1>:ud r3.0<0;1,0>:ud 1:ud
  (W) and (1|M0) r7.1<1>:ud r0.1<0;1,0>:ud 1:ud
  (W) add (1|M0) r7.0<1>:ud r7.0<0;1,0>:ud r7.1<0;1,0>:ud
  (W) mov (1|M0) r7.2<1>:f r7.0<0;1,0>:ud
  (W) mov (8|M0) r30.0<1>:f r7.2<0;1,0>:f
  (W) and (8|M0) r30.0<1>:ud r30.0<1;1,0>:ud 0xFFFF0000:ud
  (W) shr (8|M0) r31.0<1>:ud r30.0<1;1,0>:ud 16:ud
  (W) or (8|M0) r60.0<1>:ud r30.0<1;1,0>:ud r31.0<1;1,0>:ud
  (W) mov (8|M0) r61.0<1>:ud r60.0<1;1,0>:ud
  (W) mov (8|M0) r62.0<1>:ud r60.0<1;1,0>:ud
  (W) mov (8|M0) r63.0<1>:ud r60.0<1;1,0>:ud
  (W) mov (8|M0) r40.0<1>:ud 0x3F803F80:ud
  (W) mov (8|M0) r41.0<1>:ud 0x3F803F80:ud
  (W) mov (8|M0) r42.0<1>:ud 0x3F803F80:ud
  (W) mov (8|M0) r43.0<1>:ud 0x3F803F80:ud
  (W) mov (8|M0) r44.0<1>:ud 0x3F803F80:ud
  (W) mov (8|M0) r45.0<1>:ud 0x3F803F80:ud
  (W) mov (8|M0) r46.0<1>:ud 0x3F803F80:ud
  (W) mov (8|M0) r47.0<1>:ud 0x3F803F80:ud
)";
constexpr const char* kDpasw = "(W) dpasw.8x8 (8|M0) r80:f null:f r40:bf r60.0:bf\n";
/// r20.0 = 100 * row 3 + row 4 of the product.
constexpr const char* kRows = R"(
  (W) mov (1|M0) r8.0<1>:d r83.0<0;1,0>:f
  (W) mov (1|M0) r8.1<1>:d r84.0<0;1,0>:f
  (W) mul (1|M0) r8.0<1>:d r8.0<0;1,0>:d 100:w
  (W) add (1|M0) r20.0<1>:d r8.0<0;1,0>:d r8.1<0;1,0>:d
)";

TEST_F(SchedulerTest, PairOfAGroupExchangesRows) {
  auto* out = buffer<uint32_t>(12);
  const auto k = kernel("a770", std::string(kPairOperands) + kDpasw + kRows + kStoreR20);
  run_everywhere(launch(k, {4, 1, 1}, {16, 1, 1}, {pointer(out)}));
  // Groups of odd number add 1 to both threads' rows.
  for (uint32_t i = 0; i < 8; ++i) EXPECT_EQ(out[i], i / 2 % 2 == 0 ? 1632u : 3248u) << i;
}

TEST_F(SchedulerTest, AnExchangedPairExchangesTheWrongRows) {
  auto* out = buffer<uint32_t>(2);
  const auto k = kernel("a770", std::string(kPairOperands) + kDpasw + kRows + kStoreR20);
  const Launch request = launch(k, {1, 1, 1}, {16, 1, 1}, {pointer(out)});
  RunOptions options;
  options.exchange_pairs = true;
  EXPECT_FALSE(run(request, options).fault);
  // Row 3 is now the odd thread's, row 4 the even one's.
  for (uint32_t i = 0; i < 2; ++i) EXPECT_EQ(out[i], 3216u) << i;
}

TEST_F(SchedulerTest, PairAcrossGroupsOfOneWorkItem) {
  auto* out = buffer<uint32_t>(8);
  // Every group an element of its own.
  const std::string row_of_groups = R"(
  (W) shl (1|M0) r4.0<1>:ud r0.6<0;1,0>:ud 4:ud
  (W) add (1|M0) r3.4<1>:ud r3.4<0;1,0>:ud r4.0<0;1,0>:ud
)";
  const auto k = kernel("a770", std::string(kPairOperands) + kDpasw + kRows + row_of_groups + kStoreR20);
  const LaunchResult result = run_everywhere(launch(k, {4, 2, 1}, {1, 1, 1}, {pointer(out)}));
  for (uint32_t i = 0; i < 8; ++i) EXPECT_EQ(out[i], 1632u) << i;
  EXPECT_EQ(result.counts.groups, 8u);
  const Fault odd = run_fault(launch(k, {3, 1, 1}, {1, 1, 1}, {pointer(out)}), FaultKind::FusedPair);
  EXPECT_THAT(odd.message, HasSubstr("odd number of groups"));
}

TEST_F(SchedulerTest, PairFaults) {
  auto* out = buffer<uint32_t>(8);
  const auto k = kernel("a770", std::string(kPairOperands) + kDpasw + kRows + kStoreR20);
  const Fault alone = run_fault(launch(k, {1, 1, 1}, {8, 1, 1}, {pointer(out)}), FaultKind::FusedPair);
  EXPECT_THAT(alone.message, HasSubstr("its group has no thread 1"));
  EXPECT_THAT(alone.text, HasSubstr("dpasw"));
  const Fault odd = run_fault(launch(k, {1, 1, 1}, {15, 1, 1}, {pointer(out)}), FaultKind::FusedPair);
  EXPECT_THAT(odd.message, HasSubstr("odd number of work-items"));

  const std::string if_odd = "(W) cmp (1|M0) (eq)f0.0 null<1>:ud r3.0<0;1,0>:ud 1:ud\n(W&f0.0) jmpi OTHER\n";
  const auto diverged =
      kernel("a770", kPairOperands + if_odd + kDpasw + "OTHER:\n(W) mov (1|M0) r9.0<1>:ud 0:ud\n" + kDpasw);
  const Fault apart = run_fault(launch(diverged, {1, 1, 1}, {16, 1, 1}, {pointer(out)}), FaultKind::FusedPair);
  EXPECT_THAT(apart.message, HasSubstr("different instructions"));
  const auto left = kernel("a770", kPairOperands + if_odd + kDpasw + "OTHER:\n");
  EXPECT_THAT(run_fault(launch(left, {1, 1, 1}, {16, 1, 1}, {pointer(out)}), FaultKind::FusedPair).message,
              HasSubstr("already ended"));
  const auto waits = kernel("a770", kPairOperands + if_odd + kDpasw + "OTHER:\n" + kSignal + "(W) sync.bar null\n");
  EXPECT_THAT(run_fault(launch(waits, {1, 1, 1}, {16, 1, 1}, {pointer(out)}), FaultKind::FusedPair).message,
              HasSubstr("thread 1 waits for the barrier"));
}

TEST_F(SchedulerTest, PairsRunBeyondOneTimeSlice) {
  // Thread 1 comes to the dpasw 100,000 instructions after thread 0.
  const auto k = kernel("a770", std::string(kPairOperands) + R"(
    (W) mul (1|M0) r9.0<1>:ud r3.0<0;1,0>:ud 50000:uw
  TOP:
    (W) add (1|M0) r9.0<1>:d r9.0<0;1,0>:d -1:d
    (W) cmp (1|M0) (gt)f0.0 null<1>:d r9.0<0;1,0>:d 0:d
    (W&f0.0) jmpi TOP
  )" + kDpasw + kRows + kStoreR20);
  auto* out = buffer<uint32_t>(2);
  run_everywhere(launch(k, {1, 1, 1}, {16, 1, 1}, {pointer(out)}));
  EXPECT_EQ(out[1], 1632u);
}

TEST_F(SchedulerTest, EmptyGridRunsNothing) {
  const auto k = kernel("a770", kStoreR20);
  const LaunchResult result = run_ok(launch(k, {0, 1, 1}, {8, 1, 1}, {pointer(buffer<int>(1))}));
  EXPECT_EQ(result.counts.threads, 0u);
}

TEST(WorkerPool, RunsAllAtOnceAndPassesExceptionsOn) {
  WorkerPool pool;
  std::atomic<unsigned> arrived{0};
  pool.run(4, [&](unsigned) {
    // Returns only if all four are inside at the same time.
    ++arrived;
    while (arrived.load() < 4) std::this_thread::yield();
  });
  EXPECT_EQ(arrived.load(), 4u);
  std::atomic<unsigned> finished{0};
  EXPECT_THROW(pool.run(3,
                        [&](unsigned index) {
                          if (index == 0) throw std::runtime_error("first");
                          ++finished;
                        }),
               std::runtime_error);
  EXPECT_LE(finished.load(), 2u);
  pool.run(1, [&](unsigned index) { EXPECT_EQ(index, 0u); });
}

TEST(FaultText, OneParagraph) {
  Fault fault;
  fault.kind = FaultKind::OutOfBounds;
  fault.kernel = "gemm";
  fault.group = {1, 2, 3};
  fault.thread = 4;
  fault.lane = 5;
  fault.pc = 0x1a0;
  fault.text = "send.ugm ...";
  fault.message = "reads behind device USM #3";
  fault.occurrences = 2;
  EXPECT_EQ(fault.to_string(),
            "kernel 'gemm': out-of-bounds access to global memory in group 1,2,3, thread 4, lane 5, at pc 0x1a0 "
            "`send.ugm ...`: "
            "reads behind device USM #3 (2 times)");
  fault.kind = FaultKind::InvalidLaunch;
  EXPECT_EQ(fault.to_string(), "kernel 'gemm': invalid launch: reads behind device USM #3 (2 times)");
}

}  // namespace
}  // namespace xeforge::machine::test
