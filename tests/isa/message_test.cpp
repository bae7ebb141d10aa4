// SPDX-License-Identifier: Apache-2.0
//
// Message descriptors: a sweep over what IGA can describe too, and a table of the messages that compilers and the
// vendor's libraries send.
#include "isa/message.h"

#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "canonical.h"
#include "isa/decode.h"

namespace xeforge::isa {
namespace {

constexpr const char* kEnd = "(W) send.gtwy (1|M0) null r127 null:0 0x0 0x02000010 {EOT}\n";

struct Descriptors {
  std::string port;
  uint32_t desc;
  uint32_t exdesc;
};

std::string hex(uint32_t value) {
  std::array<char, 16> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "0x%08X", value);
  return buffer.data();
}

// Each message as a send, decoded by us and described by IGA.
void compare_with_iga(Platform platform, const std::vector<Descriptors>& messages) {
  std::string text;
  for (const auto& m : messages) {
    text += "send." + m.port + " (8|M0) r10 r20 r30:1 " + hex(m.exdesc) + " " + hex(m.desc) + "\n";
  }
  const auto program = decode(platform, assemble(platform, text + kEnd));
  ASSERT_EQ(program.instructions().size(), messages.size() + 1);
  for (const auto& i : program.instructions()) {
    const auto line = program.text(i.pc);
    std::string expected;
    ASSERT_NO_THROW(expected = testing::canonical_from_line(line)) << line;
    EXPECT_EQ(testing::canonical_from_instruction(i), expected) << line;
  }
}

constexpr uint32_t kLengths = 2U << 25 | 4U << 20;

class Lsc : public ::testing::TestWithParam<Platform> {
 protected:
  bool xe2() const { return GetParam() == Platform::Xe2; }
};

TEST_P(Lsc, OperationsSizesAndAddresses) {
  std::vector<Descriptors> messages;
  for (const uint32_t operation : {0x00U, 0x04U}) {
    for (uint32_t data = 0; data < 7; ++data) {
      for (uint32_t vector = 0; vector < 8; ++vector) {
        for (const uint32_t transposed : {0U, 1U}) {
          for (const uint32_t address : {2U, 3U}) {
            messages.push_back(
                {"ugm", operation | address << 7 | data << 9 | vector << 12 | transposed << 15 | kLengths, 0});
          }
        }
      }
    }
  }
  for (uint32_t operation = 0x08; operation <= 0x1A; ++operation) {
    for (uint32_t data = 1; data < 4; ++data) {
      messages.push_back({"ugm", operation | 3U << 7 | data << 9 | kLengths, 0});
      messages.push_back({"slm", operation | 2U << 7 | data << 9 | kLengths, 0});
    }
  }
  for (const uint32_t operation : {0x02U, 0x06U}) {
    for (uint32_t mask = 1; mask < 16; ++mask) {
      messages.push_back({"ugm", operation | 3U << 7 | 2U << 9 | mask << 12 | kLengths, 0});
    }
  }
  for (uint32_t data = 0; data < 4; ++data) {
    for (const uint32_t order : {0U, 1U << 15, 1U << 7}) {
      messages.push_back({"ugm", 0x03 | data << 9 | order | kLengths, 0});
    }
    messages.push_back({"ugm", 0x07 | data << 9 | 2U << 25, 0});
  }
  messages.push_back({"slm", 0x00 | 1U << 7 | 2U << 9 | kLengths, 0});  // 16-bit addresses
  compare_with_iga(GetParam(), messages);
}

TEST_P(Lsc, Caching) {
  std::vector<Descriptors> messages;
  for (uint32_t policy = 0; policy < 8; ++policy) {
    for (const uint32_t operation : {0x00U, 0x04U, 0x0CU}) {
      messages.push_back({"ugm", operation | 3U << 7 | 2U << 9 | policy << 17 | kLengths, 0});
    }
  }
  if (xe2()) {
    for (const uint32_t policy : {0x5U, 0x9U, 0xEU}) {
      messages.push_back({"ugm", 3U << 7 | 2U << 9 | policy << 16 | kLengths, 0});
    }
  }
  compare_with_iga(GetParam(), messages);
}

TEST_P(Lsc, SurfacesAndOffsets) {
  const uint32_t access = 2U << 7 | 2U << 9 | kLengths;
  std::vector<Descriptors> messages{{"ugm", access | 3U << 29, 0x03000000}, {"ugm", access | 3U << 29, 0xFF000000}};
  if (xe2()) {
    for (const uint32_t offset : {0x040U, 0x7FFU, 0xFC0U})
      messages.push_back({"ugm", access | 3U << 29, 0x03000000 | offset << 12});
    for (const uint32_t offset : {0x00040U, 0x7FFFFU, 0xFFFC0U, 0x80000U}) {
      messages.push_back({"ugm", 3U << 7 | 2U << 9 | kLengths, offset << 12});
      messages.push_back({"slm", access, offset << 12});
    }
    for (const uint32_t x : {0U, 0x10U, 0x3F0U}) {
      for (const uint32_t y : {0x1U, 0x1FFU, 0x200U}) messages.push_back({"ugm", 0x203U | kLengths, y << 22 | x << 12});
    }
  }
  compare_with_iga(GetParam(), messages);
}

TEST_P(Lsc, SurfacesFromAnAddressRegister) {
  std::string text;
  text += "load.ugm.d32.a32.ca.ca (16|M0) r10:2 bss[a0.2][r20:2]\n";
  // On Xe-HPG it is an option that puts the length of the second payload into the instruction.
  text += std::string("store.ugm.d32x2.a32 (16|M0) ss[a0.4][r20:2] r30:4") + (xe2() ? "\n" : " {ExBSO}\n");
  if (xe2()) text += "load.ugm.d32.a32 (16|M0) r10:1 ss[a0.2][r20:1-0x10]\n";
  if (!xe2()) text += "store.ugm.d32x2.a32 (16|M0) ss[a0.4][r20:2] r30:4\n";
  const auto program = decode(GetParam(), assemble(GetParam(), text + kEnd));
  for (const auto& i : program.instructions()) {
    const auto line = program.text(i.pc);
    EXPECT_EQ(testing::canonical_from_instruction(i), testing::canonical_from_line(line)) << line;
  }
  const auto& m = program.instructions()[0].msg;
  EXPECT_EQ(m.model, AddressModel::Bss);
  EXPECT_TRUE(m.exdesc_in_reg);
  EXPECT_EQ(m.exdesc_a0_subreg, 2);
  EXPECT_EQ(m.src0_len, 2);
  EXPECT_EQ(m.dst_len, 2);
  EXPECT_FALSE(m.src1_len_in_reg);
  EXPECT_EQ(program.instructions()[1].msg.src1_len, 4);
  EXPECT_FALSE(program.instructions()[1].msg.returns_data);
  if (xe2()) {
    EXPECT_EQ(program.instructions()[2].msg.immediate_offset, -16);
  } else {
    EXPECT_TRUE(program.instructions()[1].msg.exbso);
    EXPECT_TRUE(program.instructions()[2].msg.src1_len_in_reg);
    EXPECT_EQ(program.instructions()[2].msg.src1_len, 0);
  }
}

TEST_P(Lsc, Fences) {
  std::vector<Descriptors> messages;
  for (const std::string port : {"ugm", "slm", "tgm"}) {
    for (uint32_t scope = 0; scope < 7; ++scope) {
      for (uint32_t flush = 0; flush < 6; ++flush) {
        messages.push_back({port, 0x1F | scope << 9 | flush << 12 | 1U << 25 | 1U << 20, 0});
      }
    }
  }
  compare_with_iga(GetParam(), messages);
}

INSTANTIATE_TEST_SUITE_P(Both, Lsc, ::testing::Values(Platform::XeHpg, Platform::Xe2),
                         [](const auto& test) { return test.param == Platform::XeHpg ? "XeHpg" : "Xe2"; });

struct Row {
  Sfid sfid;
  uint32_t desc;
  const char* text;
  uint8_t simd;
  bool header;
};

// Legacy data ports and the gateway, as Xe-HPG kernels use them.
const std::vector<Row> kLegacy{
    {Sfid::Dc0, 0x022842FD, "aligned_block_read.dc0.d32x8t.a32 bti[253]", 0, true},
    {Sfid::Dc0, 0x022844FD, "aligned_block_read.dc0.d32x32t.a32 bti[253]", 0, true},
    {Sfid::Dc0, 0x021860FE, "aligned_block_read.dc0.d32x8t.a32 bti[254]", 0, true},
    {Sfid::Dc0, 0x028845FE, "aligned_block_read.dc0.d32x64t.a32 bti[254]", 0, true},
    {Sfid::Dc0, 0x022803FE, "oword_block_read.dc0.d32x16t.a32 bti[254]", 0, true},
    {Sfid::Dc0, 0x020A03FE, "oword_block_write.dc0.d32x16t.a32 bti[254]", 0, true},
    {Sfid::Dc0, 0x020A0505, "oword_block_write.dc0.d32x64t.a32 bti[5]", 0, true},
    {Sfid::Dc0, 0x020A0005, "oword_block_write.dc0.d32x4t.a32 bti[5]", 0, true},
    {Sfid::Dc0, 0x022C1003, "scratch_block_read.dc0.d32x16t.a32 scratch+0x60", 0, true},
    {Sfid::Dc0, 0x024C3000, "scratch_block_read.dc0.d32x64t.a32 scratch", 0, true},
    {Sfid::Dc0, 0x020F10BE, "scratch_block_write.dc0.d32x16t.a32 scratch+0x17C0", 0, true},
    {Sfid::Dc0, 0x0210C2FE, "dword_scattered_read.dc0.d32.a32 bti[254]", 8, false},
    {Sfid::Dc0, 0x0220C3FE, "dword_scattered_read.dc0.d32.a32 bti[254]", 16, false},
    {Sfid::Dc0, 0x0402C703, "dword_scattered_write.dc0.d32x2.a32 bti[3]", 16, false},
    {Sfid::Dc0, 0x02110002, "byte_scattered_read.dc0.d8u32.a32 bti[2]", 8, false},
    {Sfid::Dc0, 0x02110502, "byte_scattered_read.dc0.d16u32.a32 bti[2]", 16, false},
    {Sfid::Dc0, 0x02030802, "byte_scattered_write.dc0.d32.a32 bti[2]", 8, false},
    {Sfid::Dc0, 0x02214202, "qword_scattered_read.dc0.d64.a32 bti[2]", 8, false},
    {Sfid::Dc0, 0x02034602, "qword_scattered_write.dc0.d64x2.a32 bti[2]", 8, false},
    {Sfid::Dc0, 0x0219E0FE, "memory_fence.dc0 bti[254]", 0, true},
    {Sfid::Dc0, 0x0219E000, "memory_fence.dc0 bti[0]", 0, true},
    {Sfid::Dc1, 0x04405803, "untyped_read.dc1.d32.xyz.a32 bti[3]", 16, false},
    {Sfid::Dc1, 0x02106E03, "untyped_read.dc1.d32.x.a32 bti[3]", 8, false},
    {Sfid::Dc1, 0x02026003, "untyped_write.dc1.d32.xyzw.a32 bti[3]", 8, false},
    {Sfid::Dc1, 0x04446EFF, "a64_untyped_read.dc1.d32.x.a64 flat", 8, false},
    {Sfid::Dc1, 0x04066EFF, "a64_untyped_write.dc1.d32.x.a64 flat", 8, false},
    {Sfid::Dc1, 0x044401FF, "a64_scattered_read.dc1.d32.a64 flat", 8, false},
    {Sfid::Dc1, 0x084415FF, "a64_scattered_read.dc1.d32x2.a64 flat", 16, false},
    {Sfid::Dc1, 0x044402FF, "a64_scattered_read.dc1.d64.a64 flat", 8, false},
    {Sfid::Dc1, 0x044400FF, "a64_scattered_read.dc1.d8u32.a64 flat", 8, false},
    {Sfid::Dc1, 0x040684FF, "a64_scattered_write.dc1.d16u32.a64 flat", 8, false},
    {Sfid::Dc1, 0x022D03FF, "a64_block_read.dc1.d32x16t.a64 flat", 0, true},
    {Sfid::Dc1, 0x022D1AFF, "a64_block_read.dc1.d32x16t.a64 flat", 0, true},
    {Sfid::Dc1, 0x028D1CFF, "a64_block_read.dc1.d32x64t.a64 flat", 0, true},
    {Sfid::Dc1, 0x020D43FF, "a64_block_write.dc1.d32x16t.a64 flat", 0, true},
    {Sfid::Dc1, 0x0210A7FE, "untyped_atomic_iadd.dc1.d32.a32 bti[254]", 16, false},
    {Sfid::Dc1, 0x0210B003, "untyped_atomic_icas.dc1.d64.a32 bti[3]", 8, false},
    {Sfid::Dc1, 0x0210BE03, "untyped_atomic_icas.dc1.d32.a32 bti[3]", 8, false},
    {Sfid::Dc1, 0x0210B403, "untyped_atomic_xchg.dc1.d32.a32 bti[3]", 8, false},
    {Sfid::Dc1, 0x0210B903, "untyped_atomic_irsub.dc1.d32.a32 bti[3]", 8, false},
    {Sfid::Dc1, 0x0210BF03, "untyped_atomic_ipdec.dc1.d32.a32 bti[3]", 8, false},
    {Sfid::Dc1, 0x0210F703, "untyped_atomic_iadd.dc1.d16u32.a32 bti[3]", 8, false},
    {Sfid::Dc1, 0x0414A7FF, "a64_untyped_atomic_iadd.dc1.d32.a64 flat", 8, false},
    {Sfid::Dc1, 0x0424BAFF, "a64_untyped_atomic_smax.dc1.d64.a64 flat", 8, false},
    {Sfid::Dc1, 0x0216F403, "untyped_atomic_fadd.dc1.d32.a32 bti[3]", 8, false},
    {Sfid::Dc1, 0x04176EFF, "a64_untyped_atomic_fadd.dc1.d64.a64 flat", 8, false},
    {Sfid::Dc1, 0x021733FE, "untyped_atomic_fcas.dc1.d16u32.a32 bti[254]", 8, false},
    {Sfid::DcRo, 0x02180302, "oword_block_read.dcro.d32x16t.a32 bti[2]", 0, true},
    {Sfid::DcRo, 0x02184302, "aligned_block_read.dcro.d32x16t.a32 bti[2]", 0, true},
    {Sfid::DcRo, 0x0210C202, "dword_scattered_read.dcro.d32.a32 bti[2]", 8, false},
    {Sfid::Gateway, 0x02000004, "signal_barrier.gtwy", 0, false},
    {Sfid::Gateway, 0x02000010, "eot.gtwy", 0, false},
};

TEST(Legacy, Table) {
  for (const auto& row : kLegacy) {
    const auto m = decode_message(Platform::XeHpg, row.sfid, row.desc, 0, {});
    EXPECT_EQ(describe(m), row.text) << hex(row.desc);
    EXPECT_EQ(m.simd, row.simd) << hex(row.desc);
    EXPECT_EQ(m.header, row.header) << hex(row.desc);
    EXPECT_EQ(m.src0_len, row.desc >> 25 & 0xF) << hex(row.desc);
    EXPECT_EQ(m.dst_len, row.desc >> 20 & 0x1F) << hex(row.desc);
    EXPECT_EQ(m.returns_data, m.dst_len != 0) << hex(row.desc);
  }
}

TEST(Unknown, MessagesAreNamedWithTheirBits) {
  for (const auto& row :
       std::vector<Row>{{Sfid::Sampler, 0x02420000, "unknown.smpl desc 0x2420000 exdesc 0x40", 0, false},
                        {Sfid::Gateway, 0x02000006, "unknown.gtwy desc 0x2000006 exdesc 0x40", 0, false},
                        {Sfid::Ugm, 0x0210001E, "unknown.ugm desc 0x210001E exdesc 0x40", 0, false},
                        {Sfid::Ugm, 0x02100E1F, "unknown.ugm desc 0x2100E1F exdesc 0x40", 0, false},
                        {Sfid::Ugm, 0x02100400, "unknown.ugm desc 0x2100400 exdesc 0x40", 0, false},
                        {Sfid::Ugm, 0x02100F80, "unknown.ugm desc 0x2100F80 exdesc 0x40", 0, false},
                        {Sfid::Ugm, 0x02100582, "unknown.ugm desc 0x2100582 exdesc 0x40", 0, false},
                        {Sfid::Ugm, 0x0210958C, "unknown.ugm desc 0x210958C exdesc 0x40", 0, false},
                        {Sfid::Dc0, 0x020A0105, "unknown.dc0 desc 0x20A0105 exdesc 0x40", 0, true},
                        {Sfid::Dc0, 0x0219E001, "unknown.dc0 desc 0x219E001 exdesc 0x40", 0, true},
                        {Sfid::Dc0, 0x02008000, "unknown.dc0 desc 0x2008000 exdesc 0x40", 0, false},
                        {Sfid::Dc1, 0x02106F03, "unknown.dc1 desc 0x2106F03 exdesc 0x40", 0, false},
                        {Sfid::Dc1, 0x02104003, "unknown.dc1 desc 0x2104003 exdesc 0x40", 0, false},
                        {Sfid::Dc1, 0x0216F003, "unknown.dc1 desc 0x216F003 exdesc 0x40", 0, false}}) {
    const auto m = decode_message(Platform::XeHpg, row.sfid, row.desc, 0x40, {});
    EXPECT_EQ(m.kind, MessageKind::Unknown) << row.text;
    EXPECT_EQ(describe(m), row.text);
  }
}

TEST(Descriptor, InARegisterIsDecodedAtRunTime) {
  const auto program = decode(
      Platform::XeHpg, assemble(Platform::XeHpg, std::string("send.dc0 (8|M0) r10 r20 null:0 0x0 a0.0\n") + kEnd));
  const auto& m = program.instructions()[0].msg;
  EXPECT_TRUE(m.desc_in_reg);
  EXPECT_EQ(m.desc_a0_subreg, 0);
  EXPECT_EQ(m.kind, MessageKind::Unknown);
  const auto known = decode_message(Platform::XeHpg, m.sfid, 0x022842FD, m.exdesc, m);
  EXPECT_EQ(known.kind, MessageKind::AlignedOwordBlockRead);
  EXPECT_TRUE(known.desc_in_reg);
  EXPECT_EQ(known.dst_len, 2);
}

TEST(Descriptor, EndOfThreadIsAPropertyOfTheInstruction) {
  const auto program =
      decode(Platform::Xe2, assemble(Platform::Xe2, "store.ugm.d32.a64 (16|M0) [r112:2] r120:1 {EOT}\n"));
  ASSERT_EQ(program.instructions().size(), 1U);
  EXPECT_TRUE(program.instructions()[0].end_of_thread);
  EXPECT_TRUE(program.instructions()[0].msg.end_of_thread);
  EXPECT_EQ(program.instructions()[0].msg.kind, MessageKind::Store);
}

TEST(Prefetch, IsALoadWithoutADestination) {
  const auto prefetch = decode_message(Platform::XeHpg, Sfid::Ugm, 0x02088580 | 5U << 12, 0, {});
  EXPECT_TRUE(prefetch.is_prefetch());
  EXPECT_FALSE(prefetch.returns_data);
  const auto load = decode_message(Platform::XeHpg, Sfid::Ugm, 0x02288580 | 5U << 12, 0, {});
  EXPECT_FALSE(load.is_prefetch());
}

TEST(DataSizes, InMemoryAndInRegisters) {
  struct Sizes {
    DataSize size;
    unsigned memory, registers;
  };
  for (const auto& row : std::vector<Sizes>{{DataSize::D8, 1, 1},
                                            {DataSize::D16, 2, 2},
                                            {DataSize::D32, 4, 4},
                                            {DataSize::D64, 8, 8},
                                            {DataSize::D8U32, 1, 4},
                                            {DataSize::D16U32, 2, 4},
                                            {DataSize::D16U32H, 2, 4}}) {
    EXPECT_EQ(memory_bytes(row.size), row.memory);
    EXPECT_EQ(register_bytes(row.size), row.registers);
  }
}

}  // namespace
}  // namespace xeforge::isa
