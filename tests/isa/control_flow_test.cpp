// SPDX-License-Identifier: Apache-2.0
//
// Branch targets, and what belongs to a program: everything that a thread can reach and nothing else.
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "canonical.h"
#include "isa/decode.h"

namespace xeforge::isa {
namespace {

constexpr const char* kEnd = "(W) send.gtwy (1|M0) null r127 null:0 0x0 0x02000010 {EOT}\n";
constexpr const char* kAdd = "add (8|M0) r10.0<1>:d r10.0<1;1,0>:d 1:w\n";

Program decode_text(Platform platform, const std::string& text, std::vector<uint32_t> entries = {}) {
  return decode(platform, assemble(platform, text), entries);
}

const Instruction& at(const Program& program, uint32_t pc) {
  const int32_t index = program.index_of(pc);
  EXPECT_GE(index, 0) << "nothing at " << pc;
  return program.instructions()[index < 0 ? 0 : static_cast<size_t>(index)];
}

std::vector<uint32_t> positions(const Program& program) {
  std::vector<uint32_t> result;
  for (const auto& i : program.instructions()) result.push_back(i.pc);
  return result;
}

std::string error_of(Platform platform, const std::string& text, const std::vector<uint32_t>& entries = {}) {
  try {
    decode_text(platform, text, entries);
  } catch (const DecodeError& error) {
    return error.what();
  }
  return {};
}

// The first instruction's target: relative to the instruction, absolute for calla.
void patch_target(std::vector<std::byte>& code, int32_t target) {
  constexpr size_t kTargetOffset = 12;
  std::memcpy(code.data() + kTargetOffset, &target, sizeof target);
}

class ControlFlow : public ::testing::TestWithParam<Platform> {};

TEST_P(ControlFlow, TargetsAreAbsolute) {
  const auto program = decode_text(GetParam(), std::string() + "begin:\n" + kAdd +             // 0
                                                   "(f0.0) if (8|M0) other next\n" +           // 16
                                                   kAdd +                                      // 32
                                                   "other:\nelse (8|M0) next next\n" +         // 48
                                                   kAdd +                                      // 64
                                                   "next:\nendif (8|M0) after\n" +             // 80
                                                   "after:\n(f0.0) goto (8|M0) last last\n" +  // 96
                                                   "(~f0.1) goto.b (8|M0) begin begin\n" +     // 112
                                                   "(f0.0) break (8|M0) last last\n" +         // 128
                                                   "(f0.0) cont (8|M0) last last\n" +          // 144
                                                   "(f0.0) while (8|M0) begin\n" +             // 160
                                                   "(f0.0) halt (8|M0) last last\n" +          // 176
                                                   "(W&f0.0) jmpi (1|M0) begin\n" +            // 192
                                                   "(f0.0) brd (8|M0) last\n" +                // 208
                                                   "(f0.0) brc (8|M0) last last\n" +           // 224
                                                   "call (1|M0) r20.0 function\n" +            // 240
                                                   "last:\njoin (8|M0) end\n" +                // 256
                                                   "end:\n" + kEnd +                           // 272
                                                   "function:\nret (1|M0) r20.0\n");           // 288
  struct Row {
    uint32_t pc;
    Opcode op;
    int32_t jip, uip;
  };
  for (const auto& row : std::vector<Row>{{16, Opcode::If, 48, 80},
                                          {48, Opcode::Else, 80, 80},
                                          {80, Opcode::Endif, 96, -1},
                                          {96, Opcode::Goto, 256, 256},
                                          {112, Opcode::Goto, 0, 0},
                                          {128, Opcode::Break, 256, 256},
                                          {144, Opcode::Continue, 256, 256},
                                          {160, Opcode::While, 0, -1},
                                          {176, Opcode::Halt, 256, 256},
                                          {192, Opcode::Jmpi, 0, -1},
                                          {208, Opcode::Brd, 256, -1},
                                          {224, Opcode::Brc, 256, 256},
                                          {240, Opcode::Call, 288, -1},
                                          {256, Opcode::Join, 272, -1},
                                          {288, Opcode::Ret, -1, -1}}) {
    const auto& i = at(program, row.pc);
    EXPECT_EQ(i.op, row.op) << row.pc;
    EXPECT_EQ(i.jip, row.jip) << row.pc;
    EXPECT_EQ(i.uip, row.uip) << row.pc;
    EXPECT_EQ(i.num_src, row.op == Opcode::Ret ? 1 : 0) << row.pc;
  }
  EXPECT_FALSE(at(program, 96).branch_ctrl);
  EXPECT_TRUE(at(program, 112).branch_ctrl);
  EXPECT_TRUE(at(program, 112).pred_inverse);
  EXPECT_EQ(at(program, 288).src[0].reg, 20);
  EXPECT_EQ(at(program, 240).dst.reg, 20);
  // The listing of each of them says the same.
  for (const auto& i : program.instructions()) {
    EXPECT_EQ(testing::canonical_from_instruction(i), testing::canonical_from_line(program.text(i.pc)));
  }
}

TEST_P(ControlFlow, WhatLiesBehindTheEndIsNotDecoded) {
  auto code = assemble(GetParam(), std::string(kAdd) + kEnd);
  const size_t useful = code.size();
  code.resize(useful + 64, std::byte{0xFF});  // no instruction at all
  const auto program = decode(GetParam(), code);
  EXPECT_EQ(positions(program), (std::vector<uint32_t>{0, 16}));
  EXPECT_TRUE(program.instructions()[1].end_of_thread);
  EXPECT_EQ(program.index_of(static_cast<uint32_t>(useful)), -1);
}

TEST_P(ControlFlow, CodeOutOfStepBehindDataIsFound) {
  // A jump over eight bytes that look like the first half of a long instruction.
  auto code = assemble(GetParam(), std::string("(W) jmpi (1|M0) target\n") + kAdd + "target:\n" + kAdd + kEnd);
  code.erase(code.begin() + 24, code.begin() + 32);
  patch_target(code, 24);
  const auto program = decode(GetParam(), code);
  EXPECT_EQ(positions(program), (std::vector<uint32_t>{0, 24, 40}));
  EXPECT_EQ(at(program, 0).jip, 24);
  EXPECT_EQ(at(program, 24).op, Opcode::Add);
}

TEST_P(ControlFlow, UnconditionalJumpsLeaveGaps) {
  const auto program = decode_text(GetParam(), std::string("(W) jmpi (1|M0) over\n") + kAdd + "over:\n" + kEnd);
  EXPECT_EQ(positions(program), (std::vector<uint32_t>{0, 32}));
  EXPECT_EQ(program.index_of(16), -1);
  EXPECT_EQ(program.index_of(32), 1);
  EXPECT_EQ(program.index_of(33), -1);
  EXPECT_EQ(program.index_of(4096), -1);
}

TEST_P(ControlFlow, EveryEntryPointIsFollowed) {
  const std::string text = std::string(kEnd) + kAdd + kEnd;
  EXPECT_EQ(positions(decode_text(GetParam(), text)), (std::vector<uint32_t>{0}));
  EXPECT_EQ(positions(decode_text(GetParam(), text, {0, 16})), (std::vector<uint32_t>{0, 16, 32}));
  EXPECT_EQ(positions(decode_text(GetParam(), text, {16})), (std::vector<uint32_t>{16, 32}));
}

TEST_P(ControlFlow, AComputedJumpMayReachAllThatFollows) {
  const auto program = decode_text(GetParam(), std::string("(W) jmpi (1|M0) r10.0\n") +        // 0
                                                   "(W) jmpi (1|M0) a\n(W) jmpi (1|M0) b\n" +  // 16, 32
                                                   "a:\n" + kAdd + kEnd + "b:\n" + kEnd);      // 48, 64, 80
  EXPECT_EQ(positions(program), (std::vector<uint32_t>{0, 16, 32, 48, 64, 80}));
  const auto& jump = program.instructions()[0];
  EXPECT_EQ(jump.jip, -1);
  ASSERT_EQ(jump.num_src, 1);
  EXPECT_EQ(jump.src[0].reg, 10);
  EXPECT_EQ(jump.src[0].type, DataType::D);
}

TEST_P(ControlFlow, CompactedInstructionsAreEightBytes) {
  const auto program = decode_text(GetParam(), std::string("sync.nop null {Compacted}\n") + kAdd + kEnd);
  EXPECT_EQ(positions(program), (std::vector<uint32_t>{0, 8, 24}));
  EXPECT_EQ(program.instructions()[0].size, 8);
  EXPECT_EQ(program.instructions()[1].size, 16);
}

TEST_P(ControlFlow, ErrorsNameThePlace) {
  EXPECT_THAT(error_of(GetParam(), kAdd), ::testing::HasSubstr("the code ends at 16"));
  EXPECT_THAT(error_of(GetParam(), std::string(kAdd) + "illegal\n"), ::testing::HasSubstr("at 16 'illegal'"));
  auto outside = assemble(GetParam(), std::string("calla (1|M0) r10.0 16\n") + kEnd);
  patch_target(outside, 4096);
  try {
    decode(GetParam(), outside);
    ADD_FAILURE() << "an unresolved call was accepted";
  } catch (const DecodeError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("the instruction at 0 'calla' leads to 4096"));
  }
  EXPECT_THAT(error_of(GetParam(), kEnd, {160}), ::testing::HasSubstr("an entry point leads to 160"));
  EXPECT_THAT(error_of(GetParam(), kEnd, {4}), ::testing::HasSubstr("an entry point leads to 4"));
  EXPECT_THAT(error_of(GetParam(), std::string(kAdd) + kEnd, {0, 8}), ::testing::HasSubstr("8"));
  EXPECT_THROW(decode(GetParam(), {}), DecodeError);
  EXPECT_THROW(decode(GetParam(), std::array<std::byte, 7>{}), DecodeError);
  try {
    decode(GetParam(), std::vector<std::byte>(64, std::byte{0}));
    FAIL() << "zeros are no program";
  } catch (const DecodeError& error) {
    EXPECT_EQ(error.pc, 0U);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("illegal"));
  }
}

TEST_P(ControlFlow, AssemblyErrorsNameTheLine) {
  try {
    assemble(GetParam(), std::string(kAdd) + "frobnicate (8|M0) r1.0<1>:d\n");
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("line 2"));
  }
}

INSTANTIATE_TEST_SUITE_P(Both, ControlFlow, ::testing::Values(Platform::XeHpg, Platform::Xe2),
                         [](const auto& test) { return test.param == Platform::XeHpg ? "XeHpg" : "Xe2"; });

}  // namespace
}  // namespace xeforge::isa
