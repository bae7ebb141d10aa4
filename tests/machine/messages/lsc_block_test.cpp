// SPDX-License-Identifier: Apache-2.0
#include "bench.h"

namespace xeforge::machine::test {
namespace {

struct Shape {
  const char* device;
  const char* element;
  unsigned element_bytes;
};

class Block : public ::testing::TestWithParam<Shape> {};

TEST_P(Block, EverySizeInEverySpace) {
  const Shape shape = GetParam();
  Bench b(shape.device);
  const unsigned grf = b.grf_bytes();
  std::byte* m = b.allocate(2048);
  b.set_slm(2048);
  b.set_scratch(2048);
  const uint32_t state_offset = b.add_surface(m, 2048);
  b.set_a0(2, grf == 64 ? state_offset : state_offset >> 6 << 12);
  b.bind(3, m, 2048);
  struct Space {
    const char *port, *model, *width;
    std::byte* memory;
  };
  const Space spaces[] = {{"ugm", "", "a64", m},
                          {"ugm", "bss[a0.2]", "a32", m},
                          {"ugm", "bti[3]", "a32", m},
                          {"ugm", "ss[a0.4]", "a32", b.thread().scratch.data()},
                          {"slm", "", "a32", b.group().slm.data()}};
  for (const Space& space : spaces) {
    for (const unsigned count : {1u, 2u, 3u, 4u, 8u, 16u, 32u, 64u}) {
      const unsigned bytes = count * shape.element_bytes;
      const unsigned regs = (bytes + grf - 1) / grf;
      const std::string type = std::string(shape.element) + "x" + std::to_string(count) + "t." + space.width;
      const std::string address = std::string(space.model) + "[r4:1]";
      const std::string data = "r20:" + std::to_string(regs);
      constexpr uint64_t kOffset = 1000;
      fill_pattern(space.memory, 2048);
      b.put(4, std::vector<uint64_t>{space.width[1] == '6' ? address_of(space.memory) + kOffset : kOffset});
      b.put(20, std::vector<uint8_t>(20 * grf, 0x5A));
      const std::string load = "(W) load." + std::string(space.port) + "." + type + " (1|M0) " + data + " " + address;
      SCOPED_TRACE(load);
      b.run_ok(load);
      ASSERT_EQ(std::memcmp(b.thread().at(20 * grf), space.memory + kOffset, bytes), 0);
      std::vector<std::byte> expected(space.memory, space.memory + 2048);
      b.put(20, std::vector<uint8_t>(bytes, 0xC3));
      std::memset(expected.data() + kOffset, 0xC3, bytes);
      b.run_ok("(W) store." + std::string(space.port) + "." + type + " (1|M0) " + address + " " + data);
      ASSERT_EQ(std::memcmp(space.memory, expected.data(), 2048), 0);
    }
  }
}

TEST_P(Block, WithoutChannelItDoesNothing) {
  Bench b(GetParam().device);
  b.put(4, std::vector<uint64_t>{0});
  b.set_mask(0);
  const std::string type = std::string(GetParam().element) + "x4t.a64";
  b.put(20, std::vector<uint32_t>{7});
  b.run_ok("load.ugm." + type + " (1|M0) r20:1 [r4:1]");
  b.run_ok("store.ugm." + type + " (1|M0) [r4:1] r20:1");
  EXPECT_EQ(b.element<uint32_t>(20, 0), 7u);
}

INSTANTIATE_TEST_SUITE_P(All, Block,
                         ::testing::Values(Shape{"a770", "d32", 4}, Shape{"a770", "d64", 8}, Shape{"b580", "d32", 4},
                                           Shape{"b580", "d64", 8}),
                         [](const auto& row) { return std::string(row.param.device) + "_" + row.param.element; });

TEST(BlockEdges, RegistersBehindAShortBlockKeepTheirContent) {
  Bench b("a770");
  std::byte* m = b.allocate(64);
  fill_pattern(m, 64);
  b.put(4, std::vector<uint64_t>{address_of(m)});
  b.put(21, std::vector<uint32_t>(8, 0xAAAAAAAAu));
  b.run_ok("(W) load.ugm.d32x8t.a64 (1|M0) r20:1 [r4:1]");
  EXPECT_EQ(b.element<uint32_t>(21, 0), 0xAAAAAAAAu);
}

}  // namespace
}  // namespace xeforge::machine::test
