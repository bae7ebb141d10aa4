// SPDX-License-Identifier: Apache-2.0
#include "observe/counters.h"

#include <set>
#include <stdexcept>

#include <gtest/gtest.h>

#include "isa/decode.h"

namespace xeforge::observe {
namespace {

using isa::Platform;

isa::Program program_of(const std::string& text, Platform platform = Platform::XeHpg) {
  const auto code = isa::assemble(platform, text);
  return isa::decode(platform, code);
}

// Every instruction executed `times` times.
Counters count_all(const isa::Program& program, uint64_t times = 1) {
  machine::ExecutionCounts executed;
  executed.executed.assign(program.instructions().size(), times);
  return count(program, executed);
}

uint64_t sum_of_classes(const Counters& c) {
  return c.send + c.dpas + c.alu_int + c.alu_float + c.mov + c.math + c.sync + c.control + c.other;
}

const char* const kEnd = "(W) send.gtwy (8|M0) null r127 null 0x0 0x02000010 {EOT}\n";

TEST(Counters, ClassesAreDisjointAndSumToTheTotal) {
  const auto program = program_of(std::string(R"(
         mov (8|M0)    r10.0<1>:f    r11.0<8;8,1>:f
         add (8|M0)    r12.0<1>:d    r13.0<8;8,1>:d   r14.0<8;8,1>:d
         mul (8|M0)    r12.0<1>:f    r13.0<8;8,1>:f   r14.0<8;8,1>:f
         mad (8|M0)    r12.0<1>:f    r13.0<8;1>:f     r14.0<8;1>:f   r15.0<1>:f
         and (8|M0)    r12.0<1>:ud   r13.0<8;8,1>:ud  r14.0<8;8,1>:ud
         cmp (8|M0)    (lt)f0.0      null<1>:f        r13.0<8;8,1>:f   r14.0<8;8,1>:f
         cmp (8|M0)    (eq)f0.0      null<1>:d        r13.0<8;8,1>:d   r14.0<8;8,1>:d
         math.inv (8|M0) r12.0<1>:f  r13.0<8;8,1>:f
         sync.nop      null
         nop
  )") + kEnd);
  const Counters c = count_all(program, 3);
  EXPECT_EQ(3U * 11, c.instructions);
  EXPECT_EQ(c.instructions, sum_of_classes(c));
  EXPECT_EQ(3U, c.mov);
  EXPECT_EQ(3U * 3, c.alu_int);
  EXPECT_EQ(3U * 3, c.alu_float);
  EXPECT_EQ(3U, c.math);
  EXPECT_EQ(3U, c.sync);
  EXPECT_EQ(3U, c.other);
  EXPECT_EQ(3U, c.send);
}

TEST(Counters, TheSourcesDecideThePipe) {
  // The destination's type is a conversion at the end of the pipe.
  const auto program = program_of(std::string(R"(
         add (8|M0)    r12.0<1>:d    r13.0<8;8,1>:f   r14.0<8;8,1>:f
         add (8|M0)    r12.0<1>:f    r13.0<8;8,1>:d   r14.0<8;8,1>:d
         sel (8|M0)    (ge)f0.0      r12.0<1>:f       r13.0<8;8,1>:f   r14.0<8;8,1>:f
  )") + kEnd);
  const Counters c = count_all(program);
  EXPECT_EQ(2U, c.alu_float);
  EXPECT_EQ(1U, c.alu_int);
}

TEST(Counters, OnlyWhatRanCounts) {
  const auto program = program_of(
      std::string("mov (8|M0) r10.0<1>:f r11.0<8;8,1>:f\nadd (8|M0) r12.0<1>:d r13.0<8;8,1>:d r14.0<8;8,1>:d\n") +
      kEnd);
  machine::ExecutionCounts executed;
  executed.executed = {5, 0, 1};
  const Counters c = count(program, executed);
  EXPECT_EQ(6U, c.instructions);
  EXPECT_EQ(5U, c.mov);
  EXPECT_EQ(0U, c.alu_int);
  // A launch that never began.
  EXPECT_EQ(0U, count(program, {}).instructions);
  executed.executed = {1};
  EXPECT_THROW(count(program, executed), std::invalid_argument);
}

TEST(Counters, MessagesBySpaceAndPayload) {
  const auto program = program_of(std::string(R"(
         load.ugm.d32.a64 (8|M0)     r20:1   [r10:2]
         store.ugm.d32.a64 (8|M0)    [r10:2] r20:1
         load.slm.d32.a32 (8|M0)     r21:1   [r12:1]
         store.slm.d32.a32 (8|M0)    [r12:1] r21:1
         (W) load.ugm.d32x16t.a64 (1|M0)    null    [r10:1]
         (W) send.slm (1|M0)         r22     r0      null    0x0    0x0210011F
  )") + kEnd);
  const Counters c = count_all(program);
  EXPECT_EQ(1U, c.global_loads);
  EXPECT_EQ(1U, c.global_stores);
  EXPECT_EQ(1U, c.slm_loads);
  EXPECT_EQ(1U, c.slm_stores);
  EXPECT_EQ(1U, c.prefetches) << "a load without a destination";
  EXPECT_EQ(1U, c.fences);
  EXPECT_EQ(0U, c.scratch);
  EXPECT_EQ(7U, c.send);
  // Loads: 2 + 1 + 1 address registers; stores: addresses and data, 2 + 1 and 1 + 1; the fence's and the end's headers.
  uint64_t payload = 0;
  for (const auto& instruction : program.instructions()) {
    payload += instruction.is_send() ? instruction.msg.src0_len + instruction.msg.src1_len : 0U;
  }
  EXPECT_EQ(payload, c.send_payload_grf);
  EXPECT_GE(c.send_payload_grf, 9U);
  EXPECT_GE(c.send_return_grf, 2U);
}

TEST(Counters, BarriersAreSignalsToTheGateway) {
  const auto program = program_of(std::string("(W) send.gtwy (1|M0) null r22 null 0x0 0x02000004\n") + kEnd);
  const Counters c = count_all(program, 4);
  EXPECT_EQ(4U, c.barriers) << "the end of the thread is none";
  EXPECT_EQ(8U, c.send);
}

TEST(Counters, DummyDpasOnlyBeforeTheOneItProtects) {
  const std::string dummy = "dpas.8x8 (8|M0) r50:f null:f r30:bf r20.0:bf {Atomic}\n";
  const std::string real = "dpas.8x8 (8|M0) r50:f r50:f r30:bf r20.0:bf\n";
  const std::string other = "dpas.8x8 (8|M0) r70:f r70:f r30:bf r20.0:bf\n";
  const Counters c = count_all(program_of(dummy + real + other + kEnd), 2);
  EXPECT_EQ(6U, c.dpas);
  EXPECT_EQ(2U, c.dpas_dummy);
  EXPECT_EQ(0U, count_all(program_of(dummy + other + kEnd)).dpas_dummy) << "another destination: it computes";
  const std::string pair = "dpasw.8x8 (8|M0) r50:f null:f r50:bf r50.0:bf {Atomic}\n";
  EXPECT_EQ(1U, count_all(program_of(pair + "dpasw.8x8 (8|M0) r50:f r50:f r30:bf r20.0:bf\n" + kEnd)).dpas_dummy);
  EXPECT_EQ(0U, count_all(program_of(pair + real + kEnd)).dpas_dummy) << "another instruction";
  const std::string first = "dpas.8x8 (8|M0) r50:f null:f r30:bf r20.0:bf\n";
  EXPECT_EQ(0U, count_all(program_of(first + real + kEnd)).dpas_dummy) << "not Atomic: the first product of a sum";
}

TEST(Counters, SlotsAreRegisterWidePasses) {
  const Counters c = count_all(program_of(std::string(R"(
         mov (16|M0)   r10.0<1>:f    r12.0<8;8,1>:f
         add (8|M0)    r12.0<1>:d    r13.0<8;8,1>:d   r14.0<8;8,1>:d
         add (1|M0)    r12.0<1>:d    r13.0<0;1,0>:d   4:w
         mov (16|M0)   r12.0<1>:uw   r14.0<8;8,1>:ud
         mov (16|M0)   r12.0<2>:ub   r14.0<16;16,1>:uw
         math.inv (16|M0) r12.0<1>:f r14.0<8;8,1>:f
         (W) send.gtwy (1|M0) null r20 null:0 0x0 0x02000004
  )") + kEnd),
                               10);
  EXPECT_EQ(10U * (2 + 2), c.alu0_slots);
  EXPECT_EQ(10U * (1 + 1 + 2 + 1), c.alu1_slots);
  EXPECT_EQ(10U * (1 + 1 + 1), c.send_slots);  // two payloads of one register, one barrier
}

TEST(Counters, TheMatrixEngineTakesTwoSlotsForEachRow) {
  const Counters c = count_all(program_of(std::string(R"(
         dpas.8x8 (8|M0)  r20:f r20:f r30:bf r40.0:bf
         dpas.8x3 (8|M0)  r20:f r20:f r30:bf r40.0:bf
         dpasw.8x8 (8|M0) r20:f r20:f r30:bf r40.0:bf
  )") + kEnd));
  EXPECT_EQ(16U + 6 + 16, c.xmx_slots);
  EXPECT_EQ(0U, c.alu0_slots + c.alu1_slots);
}

TEST(Counters, AddUp) {
  const auto program = program_of(std::string("mov (8|M0) r10.0<1>:f r11.0<8;8,1>:f\n") + kEnd);
  Counters total = count_all(program, 2);
  total += count_all(program, 3);
  EXPECT_EQ(10U, total.instructions);
  EXPECT_EQ(5U, total.mov);
}

TEST(CounterTable, NamesEveryFieldOnce) {
  std::set<std::string_view> names;
  for (const CounterRow& row : counter_table()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_FALSE(row.meaning.empty());
  }
  EXPECT_EQ(sizeof(Counters) / sizeof(uint64_t), counter_table().size()) << "a counter without a row";
}

}  // namespace
}  // namespace xeforge::observe
