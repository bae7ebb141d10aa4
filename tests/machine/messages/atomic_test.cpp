// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cmath>
#include <limits>
#include <thread>

#include "bench.h"

namespace xeforge::machine::test {
namespace {

/// One row: old value, operands, what memory becomes. Values are bit patterns of the width.
struct Row {
  const char* op;
  unsigned bits;
  unsigned operands;
  uint64_t old, a, b, becomes;
};

uint64_t f32(float v) { return std::bit_cast<uint32_t>(v); }
uint64_t f64(double v) { return std::bit_cast<uint64_t>(v); }

std::vector<Row> rows() {
  const uint64_t nan = f32(std::numeric_limits<float>::quiet_NaN());
  const uint64_t top = 0xFFFFFFFFu, low = 0x80000000u;
  return {
      {"iinc", 32, 0, top, 0, 0, 0},
      {"iinc", 64, 0, 0xFFFFFFFFu, 0, 0, 0x100000000u},
      {"iinc", 16, 0, 0xFFFF, 0, 0, 0},
      {"idec", 32, 0, 0, 0, 0, top},
      {"idec", 16, 0, 0, 0, 0, 0xFFFF},
      {"load", 32, 0, 17, 0, 0, 17},
      {"load", 64, 0, 0x1234567890ABCDEFu, 0, 0, 0x1234567890ABCDEFu},
      {"store", 32, 1, 5, 9, 0, 9},
      {"store", 16, 1, 5, 9, 0, 9},
      {"iadd", 32, 1, top, 2, 0, 1},
      {"iadd", 64, 1, ~uint64_t{0}, 2, 0, 1},
      {"iadd", 16, 1, 0xFFFF, 2, 0, 1},
      {"isub", 32, 1, 3, 5, 0, static_cast<uint32_t>(-2)},
      {"isub", 64, 1, 3, 5, 0, static_cast<uint64_t>(-2)},
      {"smin", 32, 1, 1, top, 0, top},
      {"smin", 64, 1, 1, ~uint64_t{0}, 0, ~uint64_t{0}},
      {"smin", 16, 1, 1, 0xFFFF, 0, 0xFFFF},
      {"smax", 32, 1, 1, low, 0, 1},
      {"smax", 16, 1, 1, 0x8000, 0, 1},
      {"umin", 32, 1, 1, top, 0, 1},
      {"umax", 32, 1, 1, low, 0, low},
      {"umax", 64, 1, 1, uint64_t{1} << 63, 0, uint64_t{1} << 63},
      {"icas", 32, 2, 7, 7, 9, 9},
      {"icas", 32, 2, 8, 7, 9, 8},
      {"icas", 64, 2, 7, 7, 9, 9},
      {"icas", 64, 2, 8, 7, 9, 8},
      {"icas", 16, 2, 7, 7, 9, 9},
      {"and", 32, 1, 0b1100, 0b1010, 0, 0b1000},
      {"or", 32, 1, 0b1100, 0b1010, 0, 0b1110},
      {"xor", 32, 1, 0b1100, 0b1010, 0, 0b0110},
      {"xor", 64, 1, uint64_t{1} << 40, uint64_t{1} << 50, 0, (uint64_t{1} << 40) | (uint64_t{1} << 50)},
      {"fadd", 32, 1, f32(1.5F), f32(2.25F), 0, f32(3.75F)},
      {"fadd", 64, 1, f64(1.5), f64(1e-3), 0, f64(1.5 + 1e-3)},
      {"fadd", 16, 1, 0x3E00, 0x4080, 0, 0x4380},  // 1.5 + 2.25
      {"fsub", 32, 1, f32(1.5F), f32(2.25F), 0, f32(-0.75F)},
      {"fmin", 32, 1, f32(1.0F), f32(-2.0F), 0, f32(-2.0F)},
      {"fmin", 32, 1, f32(1.0F), nan, 0, f32(1.0F)},
      {"fmin", 32, 1, nan, f32(1.0F), 0, f32(1.0F)},
      {"fmax", 32, 1, f32(1.0F), f32(-2.0F), 0, f32(1.0F)},
      {"fmax", 16, 1, 0x3C00, 0xC000, 0, 0x3C00},  // 1, -2
      {"fcas", 32, 2, f32(2.0F), f32(2.0F), f32(5.0F), f32(5.0F)},
      {"fcas", 32, 2, f32(0.0F), f32(-0.0F), f32(5.0F), f32(5.0F)},
      {"fcas", 32, 2, nan, nan, f32(5.0F), nan},
  };
}

const char* data_type(unsigned bits) { return bits == 16 ? "d16u32" : bits == 32 ? "d32" : "d64"; }

class Atomics : public ::testing::TestWithParam<std::tuple<const char*, bool>> {};

TEST_P(Atomics, ResultTable) {
  const auto [device, slm] = GetParam();
  Bench b(device);
  const unsigned grf = b.grf_bytes();
  const unsigned n = grf == 64 ? 16 : 8;
  std::byte* m = b.allocate(1024);
  b.set_slm(1024);
  if (slm) m = b.group().slm.data();
  constexpr uint32_t kMask = 0xFFFB;  // channel 2 is off
  for (const Row& row : rows()) {
    const unsigned element = row.bits / 8, reg = row.bits == 64 ? 8 : 4;
    const unsigned part = (n * reg + grf - 1) / grf;
    const std::string dst = "r20:" + std::to_string(part);
    const std::string src = row.operands == 0 ? " null:0" : " r30:" + std::to_string(part * row.operands);
    const std::string address = "[r4:" + std::to_string((n * (slm ? 4 : 8) + grf - 1) / grf) + "]";
    for (const bool returns : {true, false}) {
      const std::string text = std::string("atomic_") + row.op + (slm ? ".slm." : ".ugm.") + data_type(row.bits) +
                               (slm ? ".a32" : ".a64") + " (" + std::to_string(n) + "|M0) " +
                               (returns ? dst : "null:0") + " " + address + src;
      SCOPED_TRACE(text);
      std::memset(m, 0xEE, 1024);
      std::vector<uint64_t> a64;
      std::vector<uint32_t> a32;
      for (unsigned i = 0; i < n; ++i) {
        std::memcpy(m + 16 * i, &row.old, element);
        a64.push_back(address_of(m) + 16 * i);
        a32.push_back(16 * i);
      }
      if (slm)
        b.put(4, a32);
      else
        b.put(4, a64);
      b.put(20, std::vector<uint8_t>(2 * grf, 0x5A));
      for (unsigned i = 0; i < n; ++i) {
        std::memcpy(b.thread().at(30 * grf + i * reg), &row.a, reg);
        std::memcpy(b.thread().at((30 + part) * grf + i * reg), &row.b, reg);
      }
      b.set_mask(kMask);
      b.run_ok(text);
      for (unsigned i = 0; i < n; ++i) {
        uint64_t now = 0, returned = 0;
        std::memcpy(&now, m + 16 * i, element);
        std::memcpy(&returned, b.thread().at(20 * grf + i * reg), reg);
        const bool active = (kMask >> i & 1) != 0;
        const uint64_t untouched = reg == 8 ? 0x5A5A5A5A5A5A5A5Au : 0x5A5A5A5Au;
        EXPECT_EQ(now, active ? row.becomes : row.old) << i;
        EXPECT_EQ(returned, active && returns ? row.old : untouched) << i;
        EXPECT_EQ(m[16 * i + element], std::byte{0xEE});
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Atomics, ::testing::Combine(::testing::Values("a770", "b580"), ::testing::Bool()),
                         [](const auto& row) {
                           return std::string(std::get<0>(row.param)) + (std::get<1>(row.param) ? "_slm" : "_global");
                         });

TEST(AtomicChannels, OfOneMessageOnOneAddressAllCount) {
  Bench b("a770");
  std::byte* m = b.allocate(64);
  std::memset(m, 0, 64);
  b.put(4, std::vector<uint64_t>(16, address_of(m)));
  b.put(30, std::vector<uint32_t>(16, 3));
  b.run_ok("(W) atomic_iadd.ugm.d32.a64 (16|M0) r20:2 [r4:4] r30:2");
  uint32_t sum;
  std::memcpy(&sum, m, 4);
  EXPECT_EQ(sum, 48u);
  for (unsigned i = 0; i < 16; ++i) EXPECT_EQ(b.element<uint32_t>(20, i), 3 * i);
}

TEST(AtomicChannels, SurfacesAndImmediateOffsets) {
  Bench b("b580");
  std::byte* m = b.allocate(256);
  std::memset(m, 0, 256);
  b.set_a0(2, b.add_surface(m, 256));
  b.put(4, std::vector<uint32_t>(16, 0));
  b.run_ok("(W) atomic_iinc.ugm.d32.a32 (16|M0) null:0 bss[a0.2][r4:1+0x20] null:0");
  uint32_t v;
  std::memcpy(&v, m + 0x20, 4);
  EXPECT_EQ(v, 16u);
}

/// Host threads that execute the same atomics on the same words lose no update.
TEST(ParallelAtomics, NothingIsLost) {
  constexpr unsigned kThreads = 4, kRounds = 2000;
  alignas(64) static std::byte shared[128];
  std::memset(shared, 0, sizeof shared);
  std::vector<std::thread> workers;
  for (unsigned w = 0; w < kThreads; ++w) {
    workers.emplace_back([] {
      Bench b("a770");
      b.observe(nullptr);
      b.add_memory(shared, sizeof shared);
      b.put(4, std::vector<uint64_t>(8, address_of(shared)));
      b.put(8, std::vector<uint64_t>(8, address_of(shared) + 8));
      b.put(12, std::vector<uint64_t>(8, address_of(shared) + 16));
      b.put(16, std::vector<uint64_t>(8, address_of(shared) + 24));
      b.put(30, std::vector<uint32_t>(8, 1));
      b.put(31, std::vector<float>(8, 1.0F));
      const auto code = b.translate_text(
          "(W) atomic_iinc.ugm.d32.a64 (8|M0) null:0 [r4:2] null:0\n"
          "(W) atomic_fadd.ugm.d32.a64 (8|M0) null:0 [r8:2] r31:1\n"
          "(W) atomic_isub.ugm.d32.a64 (8|M0) r40:1 [r12:2] r30:1\n"
          "(W) atomic_iinc.ugm.d16u32.a64 (8|M0) null:0 [r16:2] null:0\n");
      Thread& t = b.thread();
      t.worker->block_counts.assign(code->blocks.size(), 0);
      for (unsigned i = 0; i < kRounds; ++i) {
        t.next = 0;
        t.status = ThreadStatus::Ready;
        t.budget = 1000;
        run_thread(*code, t);
      }
    });
  }
  for (std::thread& w : workers) w.join();
  uint32_t counted, difference;
  float sum;
  uint16_t half_word;
  std::memcpy(&counted, shared, 4);
  std::memcpy(&sum, shared + 8, 4);
  std::memcpy(&difference, shared + 16, 4);
  std::memcpy(&half_word, shared + 24, 2);
  EXPECT_EQ(counted, kThreads * kRounds * 8);
  EXPECT_EQ(sum, static_cast<float>(kThreads * kRounds * 8));
  EXPECT_EQ(difference, 0u - kThreads * kRounds * 8);
  EXPECT_EQ(half_word, static_cast<uint16_t>(kThreads * kRounds * 8));
}

}  // namespace
}  // namespace xeforge::machine::test
