// SPDX-License-Identifier: Apache-2.0
#include "bench.h"

namespace xeforge::machine::test {
namespace {

using ::testing::HasSubstr;

TEST(Gateway, EndOfThreadFinishes) {
  Bench b("a770");
  b.set_mask(0);
  b.run_ok("");
  EXPECT_EQ(b.thread().status, ThreadStatus::Finished);
}

TEST(Gateway, BarrierSignalCountsTheThread) {
  for (const char* device : {"a770", "b580"}) {
    Bench b(device);
    // A second thread of the group, so that one signal does not complete the barrier.
    b.group().threads.push_back(std::make_unique<Thread>());
    b.put(22, std::vector<uint32_t>{0, 0, 0x02020000});
    b.run_ok("(W) send.gtwy (1|M0) null r22 null:0 0x0 0x02000004");
    EXPECT_EQ(b.group().barrier_arrived, 1u);
    EXPECT_EQ(b.thread().barrier_signals, 1u);
  }
}

TEST(Gateway, NamedBarriersExistOnXe2Only) {
  Bench b("a770");
  b.put(22, std::vector<uint32_t>{0, 0, 0x02020003});
  const auto fault = b.run_fault("(W) send.gtwy (1|M0) null r22 null:0 0x0 0x02000004");
  EXPECT_EQ(fault.kind, FaultKind::UnsupportedOnDevice);
  EXPECT_THAT(fault.message, HasSubstr("barrier 3"));

  Bench x("b580");
  x.group().threads.push_back(std::make_unique<Thread>());
  x.put(22, std::vector<uint32_t>{0, 0, 0x02020003});
  x.run_ok("(W) send.gtwy (1|M0) null r22 null:0 0x0 0x02000004");
  EXPECT_EQ(x.group().barrier_arrived, 0u);
  EXPECT_EQ(x.group().named_barriers[3].producers_arrived, 1u);
  EXPECT_EQ(x.thread().named_signals, 1u << 3);
}

// The group's barrier is number 0 for all its threads; for other counts 0 is a number like any other.
TEST(Gateway, BarrierZeroForSomeThreadsIsANamedOne) {
  Bench b("b580");
  for (int others = 0; others < 3; ++others) b.group().threads.push_back(std::make_unique<Thread>());
  b.put(22, std::vector<uint32_t>{0, 0, 0x02020000});
  b.run_ok("(W) send.gtwy (1|M0) null r22 null:0 0x0 0x02000004");
  EXPECT_EQ(b.group().barrier_arrived, 0u);
  EXPECT_EQ(b.group().named_barriers[0].producers_arrived, 1u);
  EXPECT_EQ(b.thread().named_signals, 1u);

  Bench all("b580");
  for (int others = 0; others < 3; ++others) all.group().threads.push_back(std::make_unique<Thread>());
  all.put(22, std::vector<uint32_t>{0, 0, 0x04040000});
  all.run_ok("(W) send.gtwy (1|M0) null r22 null:0 0x0 0x02000004");
  EXPECT_EQ(all.group().barrier_arrived, 1u);
  EXPECT_EQ(all.thread().named_signals, 0u);
}

TEST(Gateway, SignalWithoutChannelDoesNothing) {
  Bench b("a770");
  b.group().threads.push_back(std::make_unique<Thread>());
  b.put(22, std::vector<uint32_t>{0, 0, 0x02020000});
  b.set_mask(0);
  b.run_ok("send.gtwy (1|M0) null r22 null:0 0x0 0x02000004");
  EXPECT_EQ(b.group().barrier_arrived, 0u);
}

TEST(Fence, ReturnsOneRegister) {
  for (const char* port : {"slm", "ugm", "tgm"}) {
    Bench b("a770");
    b.put(20, std::vector<uint32_t>(16, 7));
    // [5:0] fence, [11:9] scope group, [24:20] one register back, [28:25] one register of payload
    b.run_ok(std::string("(W) send.") + port + " (1|M0) r20 r0 null:0 0x0 0x0210001F");
    EXPECT_EQ(b.get<uint32_t>(20, 8), std::vector<uint32_t>(8, 0));
    EXPECT_EQ(b.element<uint32_t>(21, 0), 7u);
  }
}

TEST(DescriptorInRegister, DecodesWhatItFinds) {
  Bench b("a770");
  std::byte* m = b.allocate(256);
  fill_pattern(m, 256);
  b.put(4, std::vector<uint64_t>{address_of(m)});
  const std::string text = "(W) send.ugm (1|M0) r20 r4 null:0 0x0 a0.0";
  b.set_a0(0, 0x0218C580);  // load d32x8t a64
  b.run_ok(text);
  EXPECT_EQ(std::memcmp(b.thread().at(20 * 32), m, 32), 0);
  b.set_a0(0, 0x0228D580);  // d32x16t, two registers
  b.run_ok(text);
  EXPECT_EQ(std::memcmp(b.thread().at(20 * 32), m, 64), 0);
  b.set_a0(0, 0x0218C5BD);  // operation 0x3D does not exist
  const auto fault = b.run_fault(text);
  EXPECT_EQ(fault.kind, FaultKind::BadMessage);
  EXPECT_THAT(fault.message, HasSubstr("0x218c5bd"));
}

TEST(DescriptorInRegister, PayloadMustLieInTheRegisters) {
  Bench b("a770");
  std::byte* m = b.allocate(256);
  b.put(4, std::vector<uint64_t>{address_of(m)});
  b.set_a0(0, 0x0218C580);  // one register back
  b.run_ok("(W) send.ugm (1|M0) r127 r4 null:0 0x0 a0.0");
  b.set_a0(0, 0x0228D580);  // two
  EXPECT_EQ(b.run_fault("(W) send.ugm (1|M0) r127 r4 null:0 0x0 a0.0").kind, FaultKind::RegisterOutOfBounds);
}

TEST(UnknownMessages, AreRefusedWhenTranslated) {
  const Bench b("a770");
  EXPECT_THROW(b.translate_text("(W) send.ugm (1|M0) r20 r4 null:0 0x0 0x0218C5BD"), isa::DecodeError);
  EXPECT_THROW(b.translate_text("(W) send.smpl (8|M0) r20 r4 null:0 0x0 0x02100000"), isa::DecodeError);
  // Image messages of the typed port: their addresses are coordinates.
  EXPECT_THROW(b.translate_text("send.tgm (8|M0) r20 r4 null:0 0x0 0x6440F502"), isa::DecodeError);
}

}  // namespace
}  // namespace xeforge::machine::test
