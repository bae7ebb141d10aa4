// SPDX-License-Identifier: Apache-2.0
//
// Gather and scatter against a reference written from the payload description: every data size,
// vector size, address model, channel count and mask that the assembler accepts.
#include <map>
#include <random>

#include "bench.h"

namespace xeforge::machine::test {
namespace {

struct Format {
  const char* name;
  unsigned memory, reg, shift;
};
constexpr Format kFormats[] = {{"d8u32", 1, 4, 0}, {"d16u32", 2, 4, 0}, {"d32", 4, 4, 0}, {"d64", 8, 8, 0}};

enum class Space { A64, Bss, Bti, Slm };
constexpr const char* kSpaceNames[] = {"a64", "bss", "bti", "slm"};
enum class Pattern { Contiguous, Reversed, Random, Same };

struct Shape {
  const char* device;
  unsigned exec_size;
};
constexpr Shape kShapes[] = {{"a770", 1}, {"a770", 8}, {"a770", 16}, {"b580", 1}, {"b580", 16}, {"b580", 32}};

constexpr unsigned kAddressReg = 4, kDataReg = 20;

unsigned registers(unsigned elements, unsigned bytes, unsigned grf) { return (elements * bytes + grf - 1) / grf; }

/// "store.slm.d32x4.a32 (16|M0) [r4:2] r20:8" and the like.
std::string message_text(bool load, const Format& f, unsigned vector, Space space, unsigned exec_size, unsigned grf,
                         const std::string& immediate = {}) {
  const bool a64 = space == Space::A64;
  std::string data_type = f.name;
  if (vector > 1) data_type += "x" + std::to_string(vector);
  const std::string port = space == Space::Slm ? "slm" : "ugm";
  const std::string model = space == Space::Bss ? "bss[a0.2]" : space == Space::Bti ? "bti[7]" : "";
  const std::string address = model + "[r" + std::to_string(kAddressReg) + ":" +
                              std::to_string(registers(exec_size, a64 ? 8 : 4, grf)) + immediate + "]";
  const std::string data =
      "r" + std::to_string(kDataReg) + ":" + std::to_string(vector * registers(exec_size, f.reg, grf));
  const std::string op = std::string(load ? "load." : "store.") + port + "." + data_type + (a64 ? ".a64 (" : ".a32 (") +
                         std::to_string(exec_size) + "|M0) ";
  return load ? op + data + " " + address : op + address + " " + data;
}

class GatherScatter : public ::testing::TestWithParam<std::tuple<Shape, Space>> {
 protected:
  static constexpr size_t kBytes = 4096;

  void SetUp() override {
    const auto [shape, space] = GetParam();
    bench_ = std::make_unique<Bench>(shape.device);
    n_ = shape.exec_size;
    space_ = space;
    if (space == Space::Slm) {
      bench_->set_slm(kBytes);
      memory_ = bench_->group().slm.data();
    } else {
      memory_ = bench_->allocate(kBytes);
    }
    if (space == Space::Bss) {
      bench_->add_surface(memory_ + 64, 64);
      bench_->set_a0(2, surface_descriptor(bench_->add_surface(memory_, kBytes)));
    }
    if (space == Space::Bti) bench_->bind(7, memory_, kBytes);
  }

  /// Without ExBSO the surface offset lies in bits [31:12] on DG2.
  uint32_t surface_descriptor(uint32_t state_offset) const {
    return bench_->grf_bytes() == 64 ? state_offset : state_offset >> 6 << 12;
  }

  std::vector<uint64_t> offsets(Pattern pattern, unsigned span, unsigned alignment) {
    std::vector<uint64_t> out(n_);
    for (unsigned i = 0; i < n_; ++i) {
      switch (pattern) {
        case Pattern::Contiguous:
          out[i] = 128 + i * span;
          break;
        case Pattern::Reversed:
          out[i] = 128 + (n_ - 1 - i) * span;
          break;
        case Pattern::Same:
          out[i] = 192;
          break;
        case Pattern::Random:
          out[i] = random_() % (kBytes - span) / alignment * alignment;
          break;
      }
    }
    return out;
  }

  void put_addresses(const std::vector<uint64_t>& offsets) {
    if (space_ == Space::A64) {
      std::vector<uint64_t> a(offsets);
      for (uint64_t& v : a) v += address_of(memory_);
      bench_->put(kAddressReg, a);
    } else {
      // IGC's generic SLM addresses carry bit 28.
      std::vector<uint32_t> a;
      for (const uint64_t v : offsets)
        a.push_back(static_cast<uint32_t>(v | (space_ == Space::Slm ? 0x10000000u : 0u)));
      bench_->put(kAddressReg, a);
    }
  }

  uint64_t memory_element(uint64_t offset, unsigned bytes) const {
    uint64_t v = 0;
    std::memcpy(&v, memory_ + offset, bytes);
    return v;
  }

  uint64_t register_element(const Format& f, unsigned v, unsigned lane) {
    const unsigned reg = kDataReg + v * registers(n_, f.reg, bench_->grf_bytes());
    return f.reg == 8 ? bench_->element<uint64_t>(reg, lane) : bench_->element<uint32_t>(reg, lane);
  }

  std::unique_ptr<Bench> bench_;
  unsigned n_ = 0;
  Space space_ = Space::A64;
  std::byte* memory_ = nullptr;
  std::mt19937 random_{7};
};

bool fits(const Format& f, unsigned vector, unsigned n, unsigned grf) {
  return vector * registers(n, f.reg, grf) <= 31;
}

TEST_P(GatherScatter, Loads) {
  for (const Format& f : kFormats) {
    for (const unsigned vector : {1u, 2u, 3u, 4u}) {
      if ((f.memory < 4 && vector > 1) || !fits(f, vector, n_, bench_->grf_bytes())) continue;
      for (const Pattern pattern : {Pattern::Contiguous, Pattern::Reversed, Pattern::Random, Pattern::Same}) {
        for (const uint32_t mask : {0xFFFFFFFFu, 0xA5A5A5A5u, 0x00000001u, 0x80008000u, 0u}) {
          const std::string text = message_text(true, f, vector, space_, n_, bench_->grf_bytes());
          SCOPED_TRACE(text + " pattern " + std::to_string(static_cast<int>(pattern)) + " mask " +
                       std::to_string(mask));
          fill_pattern(memory_, kBytes);
          bench_->put(kDataReg, std::vector<uint8_t>(31 * bench_->grf_bytes(), 0x5A));
          const auto at = offsets(pattern, vector * f.memory, f.memory);
          put_addresses(at);
          bench_->set_mask(mask);
          bench_->run_ok(text);
          for (unsigned i = 0; i < n_; ++i) {
            for (unsigned v = 0; v < vector; ++v) {
              const uint64_t untouched = f.reg == 8 ? 0x5A5A5A5A5A5A5A5Au : 0x5A5A5A5Au;
              const bool active = (mask >> i & 1) != 0;
              ASSERT_EQ(register_element(f, v, i), active ? memory_element(at[i] + v * f.memory, f.memory) : untouched)
                  << "channel " << i << " component " << v;
            }
          }
        }
      }
    }
  }
}

TEST_P(GatherScatter, Stores) {
  for (const Format& f : kFormats) {
    for (const unsigned vector : {1u, 2u, 3u, 4u}) {
      if ((f.memory < 4 && vector > 1) || !fits(f, vector, n_, bench_->grf_bytes())) continue;
      for (const Pattern pattern : {Pattern::Contiguous, Pattern::Reversed, Pattern::Random, Pattern::Same}) {
        for (const uint32_t mask : {0xFFFFFFFFu, 0xA5A5A5A5u, 0x00000001u, 0u}) {
          const std::string text = message_text(false, f, vector, space_, n_, bench_->grf_bytes());
          SCOPED_TRACE(text + " pattern " + std::to_string(static_cast<int>(pattern)) + " mask " +
                       std::to_string(mask));
          std::memset(memory_, 0xEE, kBytes);
          std::vector<uint8_t> data(31 * bench_->grf_bytes());
          for (uint8_t& b : data) b = static_cast<uint8_t>(random_());
          bench_->put(kDataReg, data);
          const auto at = offsets(pattern, vector * f.memory, f.memory);
          put_addresses(at);
          std::vector<std::byte> expected(kBytes, std::byte{0xEE});
          for (unsigned i = 0; i < n_; ++i) {
            if ((mask >> i & 1) == 0) continue;
            for (unsigned v = 0; v < vector; ++v) {
              const uint64_t value = register_element(f, v, i);
              std::memcpy(expected.data() + at[i] + v * f.memory, &value, f.memory);
            }
          }
          bench_->set_mask(mask);
          bench_->run_ok(text);
          ASSERT_EQ(std::memcmp(memory_, expected.data(), kBytes), 0);
        }
      }
    }
  }
}

std::string parameter_name(const ::testing::TestParamInfo<std::tuple<Shape, Space>>& row) {
  const auto [shape, space] = row.param;
  return std::string(shape.device) + "_simd" + std::to_string(shape.exec_size) + "_" +
         kSpaceNames[static_cast<int>(space)];
}

INSTANTIATE_TEST_SUITE_P(All, GatherScatter,
                         ::testing::Combine(::testing::ValuesIn(kShapes),
                                            ::testing::Values(Space::A64, Space::Bss, Space::Bti, Space::Slm)),
                         parameter_name);

TEST(Gather, DestinationMayBeTheAddressPayload) {
  Bench b("a770");
  std::byte* m = b.allocate(4096);
  fill_pattern(m, 4096);
  std::vector<uint64_t> addresses;
  for (unsigned i = 0; i < 16; ++i) addresses.push_back(address_of(m) + (i * 7 % 16) * 12);
  b.put(4, addresses);
  b.run_ok("(W) load.ugm.d32.a64 (16|M0) r5:2 [r4:4]");
  for (unsigned i = 0; i < 16; ++i) {
    uint32_t expected;
    std::memcpy(&expected, m + (i * 7 % 16) * 12, 4);
    EXPECT_EQ(b.element<uint32_t>(5, i), expected) << i;
  }
}

TEST(Gather, ComponentMaskSkipsElementsInMemoryButNotInRegisters) {
  Bench b("a770");
  std::byte* m = b.allocate(4096);
  fill_pattern(m, 4096);
  b.bind(3, m, 4096);
  std::vector<uint32_t> offsets;
  for (unsigned i = 0; i < 8; ++i) offsets.push_back(i * 48);
  b.put(4, offsets);
  b.run_ok("(W) load_quad.ugm.d32.xw.a32 (8|M0) r20:2 bti[3][r4:1]");
  for (unsigned i = 0; i < 8; ++i) {
    uint32_t x, w;
    std::memcpy(&x, m + i * 48, 4);
    std::memcpy(&w, m + i * 48 + 12, 4);
    EXPECT_EQ(b.element<uint32_t>(20, i), x);
    EXPECT_EQ(b.element<uint32_t>(21, i), w);
  }
  b.put(30, std::vector<uint32_t>(8, 0x11111111u));
  b.put(31, std::vector<uint32_t>(8, 0x22222222u));
  b.run_ok("(W) store_quad.ugm.d32.yz.a32 (8|M0) bti[3][r4:1] r30:2");
  for (unsigned i = 0; i < 8; ++i) {
    uint32_t row[4];
    std::memcpy(row, m + i * 48, 16);
    EXPECT_EQ(row[1], 0x11111111u);
    EXPECT_EQ(row[2], 0x22222222u);
    EXPECT_EQ(row[0], b.element<uint32_t>(20, i));
    EXPECT_EQ(row[3], b.element<uint32_t>(21, i));
  }
}

TEST(Gather, ImmediateOffsets) {
  Bench b("b580");
  std::byte* m = b.allocate(4096);
  fill_pattern(m, 4096);
  b.put(4, std::vector<uint64_t>(16, address_of(m) + 256));
  b.run_ok("(W) load.ugm.d32.a64 (16|M0) r20:1 [r4:2+0x40]");
  EXPECT_EQ(std::memcmp(b.thread().at(20 * 64), m + 320, 4), 0);
  b.run_ok("(W) load.ugm.d32.a64 (16|M0) r20:1 [r4:2-0x40]");
  EXPECT_EQ(std::memcmp(b.thread().at(20 * 64), m + 192, 4), 0);
  // Scratch addresses are based on 0x10000 in compiled code; the sum wraps at 32 bits.
  b.set_scratch(512);
  fill_pattern(b.thread().scratch.data(), 512);
  b.put(4, std::vector<uint32_t>(16, 0x10000u + 36));
  b.run_ok("(W) load.ugm.d32.a32 (16|M0) r20:1 ss[a0.4][r4:1-0x10000]");
  EXPECT_EQ(std::memcmp(b.thread().at(20 * 64), b.thread().scratch.data() + 36, 4), 0);
}

TEST(Gather, PrefetchTouchesNothingAndFaultsOnNothing) {
  Bench b("a770");
  b.put(4, std::vector<uint64_t>(16, 0x123456789ull));
  b.run_ok("(W) load.ugm.d32.a64.ca.ca (16|M0) null:0 [r4:4]");
  b.run_ok("(W) load.ugm.d32x64t.a64.ca.ca (1|M0) null:0 [r4:1]");
}

TEST(Gather, PredicateSelectsChannels) {
  Bench b("a770");
  std::byte* m = b.allocate(256);
  fill_pattern(m, 256);
  std::vector<uint64_t> addresses;
  for (unsigned i = 0; i < 16; ++i) addresses.push_back(i % 2 == 0 ? address_of(m) + 4 * i : 0xDEAD0000ull);
  b.put(4, addresses);
  const uint32_t flag = 0x5555;
  std::memcpy(b.thread().at(regspace::kFlag), &flag, 4);
  b.put(20, std::vector<uint32_t>(16, 1));
  b.run_ok("(W&f0.0) load.ugm.d32.a64 (16|M0) r20:2 [r4:4]");
  for (unsigned i = 0; i < 16; ++i) {
    uint32_t expected = 1;
    if (i % 2 == 0) std::memcpy(&expected, m + 4 * i, 4);
    EXPECT_EQ(b.element<uint32_t>(20, i), expected);
  }
}

}  // namespace
}  // namespace xeforge::machine::test
