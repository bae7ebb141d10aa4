// SPDX-License-Identifier: Apache-2.0
//
// The data ports before LSC, on DG2. Descriptors: [28:25] message length, [24:20] response length,
// [19] header, [18:14] type, [7:0] binding table index; the rest per message.
#include <cstdio>

#include "bench.h"

namespace xeforge::machine::test {
namespace {

constexpr uint32_t kHeader = 1u << 19;
constexpr uint32_t kSlm = 0xFE, kStateless = 0xFD;

uint32_t desc(unsigned mlen, unsigned rlen, unsigned type, uint32_t control, uint32_t bti) {
  return mlen << 25 | rlen << 20 | type << 14 | control | bti;
}

/// "(W) send.dc0 (8|M0) r20 r4 null 0x0 0x02184100"
std::string send_text(const char* port, unsigned exec_size, const std::string& dst, const std::string& data, uint32_t d,
                      bool no_mask = true) {
  char bits[16];
  std::snprintf(bits, sizeof bits, "0x%08X", d);
  return std::string(no_mask ? "(W) " : "") + "send." + port + " (" + std::to_string(exec_size) + "|M0) " + dst +
         " r4 " + data + " 0x0 " + bits;
}

std::string load(const char* port, unsigned n, uint32_t d, bool no_mask = true) {
  return send_text(port, n, "r20", "null:0", d, no_mask);
}
std::string store(const char* port, unsigned n, unsigned regs, uint32_t d, bool no_mask = true) {
  return send_text(port, n, "null", "r20:" + std::to_string(regs), d, no_mask);
}

struct OwordSize {
  unsigned code, owords;
};
constexpr OwordSize kOwordSizes[] = {{0, 1}, {2, 2}, {3, 4}, {4, 8}, {5, 16}};

class LegacyBlock : public ::testing::TestWithParam<OwordSize> {};

TEST_P(LegacyBlock, SurfaceBlocksCountInOwordsAlignedOnesInBytes) {
  const auto [code, owords] = GetParam();
  const unsigned bytes = owords * 16, regs = (bytes + 31) / 32;
  Bench b("a770");
  std::byte* m = b.allocate(1024);
  fill_pattern(m, 1024);
  b.bind(3, m, 1024);
  b.put(4, std::vector<uint32_t>{0, 0, 5});
  b.run_ok(load("dc0", 8, desc(1, regs, 0x00, kHeader | code << 8, 3)));
  EXPECT_EQ(std::memcmp(b.thread().at(20 * 32), m + 80, bytes), 0);
  b.put(4, std::vector<uint32_t>{0, 0, 84});
  b.run_ok(load("dc0", 8, desc(1, regs, 0x01, kHeader | code << 8, 3)));
  EXPECT_EQ(std::memcmp(b.thread().at(20 * 32), m + 84, bytes), 0);
  b.put(4, std::vector<uint32_t>{0, 0, 7});
  b.put(20, std::vector<uint8_t>(bytes, 0xC3));
  b.run_ok(store("dc0", 8, regs, desc(1, 0, 0x08, kHeader | code << 8, 3)));
  for (unsigned i = 0; i < 1024; ++i) {
    const bool written = i >= 112 && i < 112 + bytes;
    ASSERT_EQ(m[i], written ? std::byte{0xC3} : static_cast<std::byte>(i % 251)) << i;
  }
}

TEST_P(LegacyBlock, SharedLocalMemory) {
  const auto [code, owords] = GetParam();
  const unsigned bytes = owords * 16, regs = (bytes + 31) / 32;
  Bench b("a770");
  b.set_slm(1024);
  b.put(4, std::vector<uint32_t>{0, 0, 4});
  b.put(20, std::vector<uint8_t>(bytes, 0x77));
  b.run_ok(store("dc0", 8, regs, desc(1, 0, 0x08, kHeader | code << 8, kSlm)));
  EXPECT_EQ(b.group().slm[63], std::byte{0xEE});
  EXPECT_EQ(b.group().slm[64], std::byte{0x77});
  EXPECT_EQ(b.group().slm[64 + bytes - 1], std::byte{0x77});
  EXPECT_EQ(b.group().slm[64 + bytes], std::byte{0xEE});
  b.put(20, std::vector<uint8_t>(bytes, 0));
  b.run_ok(load("dc0", 8, desc(1, regs, 0x00, kHeader | code << 8, kSlm)));
  EXPECT_EQ(b.element<uint8_t>(20, bytes - 1), 0x77);
  b.put(4, std::vector<uint32_t>{0, 0, 64});
  EXPECT_EQ(b.run_fault(load("dc0", 8, desc(1, regs, 0x00, kHeader | code << 8, kSlm))).kind,
            FaultKind::SlmOutOfBounds);
}

TEST_P(LegacyBlock, A64) {
  const auto [code, owords] = GetParam();
  const unsigned bytes = owords * 16, regs = (bytes + 31) / 32;
  Bench b("a770");
  std::byte* m = b.allocate(512);
  fill_pattern(m, 512);
  b.put(4, std::vector<uint64_t>{address_of(m) + 12});
  b.run_ok(load("dc1", 8, desc(1, regs, 0x14, kHeader | code << 8, 0xFF)));
  EXPECT_EQ(std::memcmp(b.thread().at(20 * 32), m + 12, bytes), 0);
  b.put(20, std::vector<uint8_t>(bytes, 0x77));
  b.run_ok(store("dc1", 8, regs, desc(1, 0, 0x15, kHeader | code << 8, 0xFF)));
  EXPECT_EQ(m[12], std::byte{0x77});
  EXPECT_EQ(m[11 + bytes], std::byte{0x77});
  EXPECT_EQ(m[12 + bytes], static_cast<std::byte>((12 + bytes) % 251));
  b.put(4, std::vector<uint64_t>{address_of(m) + 512 - bytes + 4});
  EXPECT_EQ(b.run_fault(load("dc1", 8, desc(1, regs, 0x14, kHeader | code << 8, 0xFF))).kind, FaultKind::OutOfBounds);
}

INSTANTIATE_TEST_SUITE_P(All, LegacyBlock, ::testing::ValuesIn(kOwordSizes),
                         [](const auto& row) { return "x" + std::to_string(row.param.owords); });

TEST(LegacyBlockEdges, ArgumentsComeFromIndirectData) {
  Bench b("a770");
  b.context().indirect_base = 0x2000;
  b.context().indirect_data.resize(192);
  fill_pattern(b.context().indirect_data.data(), 192);
  b.put(4, std::vector<uint32_t>{0, 0, 0x2000 + 32});
  b.run_ok(load("dc0", 8, desc(1, 4, 0x01, kHeader | 4u << 8, kStateless)));
  EXPECT_EQ(std::memcmp(b.thread().at(20 * 32), b.context().indirect_data.data() + 32, 128), 0);
}

TEST(LegacyBlockEdges, StraddlingTheEndGivesTheValidDwords) {
  Bench b("a770");
  std::byte* m = b.allocate(256);
  fill_pattern(m, 256);
  b.bind(3, m, 100);
  b.put(4, std::vector<uint32_t>{0, 0, 4});
  b.run_ok(load("dc0", 8, desc(1, 2, 0x00, kHeader | 3u << 8, 3)));
  EXPECT_EQ(std::memcmp(b.thread().at(20 * 32), m + 64, 36), 0);
  for (unsigned i = 9; i < 16; ++i) EXPECT_EQ(b.element<uint32_t>(20, i), 0u);
}

TEST(LegacyBlockEdges, ByteOffsetsNeedDwordAlignment) {
  Bench b("a770");
  b.bind(3, b.allocate(256), 256);
  b.put(4, std::vector<uint32_t>{0, 0, 6});
  EXPECT_EQ(b.run_fault(load("dc0", 8, desc(1, 1, 0x01, kHeader | 2u << 8, 3))).kind, FaultKind::Misaligned);
}

TEST(LegacyScratch, SpillAndFill) {
  for (const unsigned code : {0u, 1u, 2u, 3u}) {
    const unsigned regs = 1u << code;
    Bench b("a770");
    b.set_scratch(1024);
    std::vector<uint32_t> data(regs * 8);
    for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<uint32_t>(i + 1);
    b.put(20, data);
    const uint32_t base = 1u << 18 | code << 12 | 9u;  // 9 hwords from the start
    b.run_ok(store("dc0", 16, regs, 1u << 25 | kHeader | 1u << 17 | base));
    EXPECT_EQ(b.thread().scratch[287], std::byte{0xEE});
    EXPECT_EQ(std::memcmp(b.thread().scratch.data() + 288, data.data(), regs * 32), 0);
    b.put(20, std::vector<uint32_t>(regs * 8, 0));
    b.run_ok(load("dc0", 16, 1u << 25 | regs << 20 | kHeader | base));
    EXPECT_EQ(b.get<uint32_t>(20, regs * 8), data);
    b.set_scratch(288);
    EXPECT_EQ(b.run_fault(load("dc0", 16, 1u << 25 | regs << 20 | kHeader | base)).kind, FaultKind::ScratchOutOfBounds);
  }
}

TEST(LegacyScattered, DwordAddressesCountDwords) {
  for (const unsigned n : {8u, 16u}) {
    Bench b("a770");
    std::byte* m = b.allocate(1024);
    fill_pattern(m, 1024);
    b.bind(3, m, 1024);
    std::vector<uint32_t> at;
    for (unsigned i = 0; i < n; ++i) at.push_back((i * 5) % 16 * 3);
    b.put(4, at);
    const uint32_t simd = n == 16 ? 0x300u : 0x200u;
    b.set_mask(0xFFF7);
    b.put(20, std::vector<uint32_t>(16, 1));
    b.run_ok(load("dc0", n, desc(n / 8, n / 8, 0x03, simd, 3), false));
    for (unsigned i = 0; i < n; ++i) {
      uint32_t expected = 1;
      if (i != 3) std::memcpy(&expected, m + 4 * at[i], 4);
      EXPECT_EQ(b.element<uint32_t>(20, i), expected) << i;
    }
    b.put(20, std::vector<uint32_t>(16, 0xABABABABu));
    b.run_ok(store("dc0", n, n / 8, desc(n / 8, 0, 0x0B, simd, 3), false));
    for (unsigned i = 0; i < n; ++i) EXPECT_EQ(m[4 * at[i]] == std::byte{0xAB}, i != 3) << i;
  }
}

TEST(LegacyScattered, BytesAndWordsTakeDwordsOfRegisters) {
  Bench b("a770");
  std::byte* m = b.allocate(256);
  fill_pattern(m, 256);
  b.bind(3, m, 256);
  std::vector<uint32_t> at;
  for (unsigned i = 0; i < 8; ++i) at.push_back(3 + i * 17);
  b.put(4, at);
  b.run_ok(load("dc0", 8, desc(1, 1, 0x04, 0u << 10, 3)));
  for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(b.element<uint32_t>(20, i), at[i] % 251);
  b.run_ok(load("dc0", 8, desc(1, 1, 0x04, 1u << 10, 3)));
  for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(b.element<uint32_t>(20, i), at[i] % 251 | (at[i] + 1) % 251 << 8);
  b.put(20, std::vector<uint32_t>(8, 0x11223344u));
  b.run_ok(store("dc0", 8, 1, desc(1, 0, 0x0C, 0u << 10, 3)));
  EXPECT_EQ(m[3], std::byte{0x44});
  EXPECT_EQ(m[4], std::byte{4});
}

TEST(LegacyUntyped, EnabledComponentsAreTheClearBits) {
  Bench b("a770");
  std::byte* m = b.allocate(1024);
  fill_pattern(m, 1024);
  b.bind(3, m, 1024);
  std::vector<uint32_t> at;
  for (unsigned i = 0; i < 16; ++i) at.push_back(i * 32);
  b.put(4, at);
  // SIMD16 (code 1 in [13:12]), components x and z: disable mask 0b1010.
  b.run_ok(load("dc1", 16, desc(2, 4, 0x01, 1u << 12 | 0xAu << 8, 3)));
  for (unsigned i = 0; i < 16; ++i) {
    uint32_t row[4];
    std::memcpy(row, m + at[i], 16);
    EXPECT_EQ(b.element<uint32_t>(20, i), row[0]);
    EXPECT_EQ(b.element<uint32_t>(22, i), row[2]);
  }
  b.put(20, std::vector<uint32_t>(16, 0xAAAAAAAAu));
  b.put(22, std::vector<uint32_t>(16, 0xBBBBBBBBu));
  b.run_ok(store("dc1", 16, 4, desc(2, 0, 0x09, 1u << 12 | 0x3u << 8, 3)));  // z and w
  uint32_t row[4];
  std::memcpy(row, m + 32, 16);
  EXPECT_EQ(row[2], 0xAAAAAAAAu);
  EXPECT_EQ(row[3], 0xBBBBBBBBu);
  EXPECT_NE(row[0], 0xAAAAAAAAu);
}

TEST(LegacyUntyped, A64) {
  Bench b("a770");
  std::byte* m = b.allocate(1024);
  fill_pattern(m, 1024);
  std::vector<uint64_t> at;
  for (unsigned i = 0; i < 8; ++i) at.push_back(address_of(m) + i * 64);
  b.put(4, at);
  b.run_ok(load("dc1", 8, desc(2, 4, 0x11, 2u << 12, 0xFF)));
  for (unsigned c = 0; c < 4; ++c) {
    uint32_t v;
    std::memcpy(&v, m + 3 * 64 + 4 * c, 4);
    EXPECT_EQ(b.element<uint32_t>(20 + c, 3), v);
  }
}

TEST(LegacyScattered, A64DwordsAndQwords) {
  Bench b("a770");
  std::byte* m = b.allocate(1024);
  fill_pattern(m, 1024);
  std::vector<uint64_t> at;
  for (unsigned i = 0; i < 8; ++i) at.push_back(address_of(m) + (7 - i) * 40);
  b.put(4, at);
  b.run_ok(load("dc1", 8, desc(2, 1, 0x10, 1u << 8, 0xFF)));
  for (unsigned i = 0; i < 8; ++i) {
    uint32_t v;
    std::memcpy(&v, m + (7 - i) * 40, 4);
    EXPECT_EQ(b.element<uint32_t>(20, i), v);
  }
  b.run_ok(load("dc1", 8, desc(2, 2, 0x10, 2u << 8, 0xFF)));
  for (unsigned i = 0; i < 8; ++i) {
    uint64_t v;
    std::memcpy(&v, m + (7 - i) * 40, 8);
    EXPECT_EQ(b.element<uint64_t>(20, i), v);
  }
  at[2] = address_of(m) + 1024;
  b.put(4, at);
  EXPECT_EQ(b.run_fault(load("dc1", 8, desc(2, 1, 0x10, 1u << 8, 0xFF))).lane, 2);
}

TEST(LegacyAtomics, IntegerFloatAndPreDecrement) {
  Bench b("a770");
  std::byte* m = b.allocate(256);
  std::memset(m, 0, 256);
  b.bind(3, m, 256);
  std::vector<uint32_t> at;
  for (unsigned i = 0; i < 8; ++i) at.push_back(i * 4);
  b.put(4, at);
  constexpr uint32_t kSimd8 = 1u << 12, kReturn = 1u << 13;
  const auto atomic = [&](unsigned type, unsigned code, unsigned regs) {
    return send_text("dc1", 8, "r40", "r20:" + std::to_string(regs), desc(1, 1, type, kSimd8 | kReturn | code << 8, 3));
  };
  b.put(20, std::vector<uint32_t>(8, 5));
  b.run_ok(atomic(0x02, 0x7, 1));  // add
  EXPECT_EQ(b.element<uint32_t>(40, 3), 0u);
  b.run_ok(send_text("dc1", 8, "r40", "null:0", desc(1, 1, 0x02, kSimd8 | kReturn | 0xFu << 8, 3)));  // pre-decrement
  EXPECT_EQ(b.element<uint32_t>(40, 3), 4u);
  b.put(20, std::vector<uint32_t>(8, 10));
  b.run_ok(atomic(0x02, 0x9, 1));  // reverse subtract: 10 - 4
  EXPECT_EQ(b.element<uint32_t>(40, 3), 4u);
  b.put(21, std::vector<uint32_t>(8, 77));
  b.put(20, std::vector<uint32_t>(8, 6));
  b.run_ok(atomic(0x02, 0xE, 2));  // compare with 6, write 77
  EXPECT_EQ(b.element<uint32_t>(40, 3), 6u);
  uint32_t now;
  std::memcpy(&now, m + 12, 4);
  EXPECT_EQ(now, 77u);
  const float one = 1.5F;
  for (unsigned i = 0; i < 8; ++i) std::memcpy(m + 4 * i, &one, 4);
  b.put(20, std::vector<float>(8, 2.0F));
  b.run_ok(atomic(0x1B, 0x4, 1));  // float add
  float sum;
  std::memcpy(&sum, m + 12, 4);
  EXPECT_EQ(sum, 3.5F);
}

TEST(LegacyAtomics, A64) {
  Bench b("a770");
  std::byte* m = b.allocate(256);
  std::memset(m, 0, 256);
  b.put(4, std::vector<uint64_t>(8, address_of(m) + 8));
  b.put(20, std::vector<uint64_t>(8, 0x100000001ull));
  b.run_ok(send_text("dc1", 8, "null", "r20:2", desc(2, 0, 0x12, 1u << 12 | 0x7u << 8, 0xFF)));
  uint64_t sum;
  std::memcpy(&sum, m + 8, 8);
  EXPECT_EQ(sum, 0x800000008ull);
}

}  // namespace
}  // namespace xeforge::machine::test
