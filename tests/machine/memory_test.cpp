// SPDX-License-Identifier: Apache-2.0
#include "machine/memory.h"

#include <stdexcept>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace xeforge::machine {
namespace {

using ::testing::HasSubstr;

TEST(MemoryMap, FindsEveryByteAndNothingElse) {
  MemoryMap map;
  map.add(0x10000, 0x100, MemoryKind::Device);
  map.add(0x20000, 1, MemoryKind::Host);
  const auto s = map.snapshot();
  EXPECT_EQ(s->find(0xFFFF), nullptr);
  ASSERT_NE(s->find(0x10000), nullptr);
  EXPECT_EQ(s->find(0x100FF), s->find(0x10000));
  EXPECT_EQ(s->find(0x10100), nullptr);
  ASSERT_NE(s->find(0x20000), nullptr);
  EXPECT_EQ(s->find(0x20000)->kind, MemoryKind::Host);
  EXPECT_EQ(s->find(0x20001), nullptr);
  EXPECT_EQ(map.find(0x100FF)->base, 0x10000u);
  EXPECT_FALSE(map.find(0x10100).has_value());
}

TEST(MemoryMap, KeepsAllocationsSortedWhateverTheOrderOfArrival) {
  MemoryMap map;
  for (const uint64_t base : {0x50000u, 0x10000u, 0x30000u, 0x20000u, 0x40000u})
    map.add(base, 0x1000, MemoryKind::Device);
  const auto s = map.snapshot();
  ASSERT_EQ(s->allocations().size(), 5u);
  for (size_t i = 1; i < 5; ++i) EXPECT_LT(s->allocations()[i - 1].base, s->allocations()[i].base);
}

TEST(MemoryMap, RefusesOverlapAndEmptyRanges) {
  MemoryMap map;
  map.add(0x1000, 0x100, MemoryKind::Device);
  EXPECT_THROW(map.add(0x10FF, 1, MemoryKind::Device), std::logic_error);
  EXPECT_THROW(map.add(0x0F00, 0x101, MemoryKind::Device), std::logic_error);
  EXPECT_THROW(map.add(0x0F00, 0x1000, MemoryKind::Device), std::logic_error);
  EXPECT_THROW(map.add(0x1000, 0x100, MemoryKind::Device), std::logic_error);
  EXPECT_THROW(map.add(0x5000, 0, MemoryKind::Device), std::logic_error);
  EXPECT_THROW(map.add(~uint64_t{0} - 4, 16, MemoryKind::Device), std::logic_error);
  EXPECT_NO_THROW(map.add(0x1100, 1, MemoryKind::Device));
  EXPECT_NO_THROW(map.add(0x0F00, 0x100, MemoryKind::Device));
}

TEST(MemoryMap, RemoveFreesTheRangeAndNumbersAreNotReused) {
  MemoryMap map;
  const uint64_t first = map.add(0x1000, 0x100, MemoryKind::Device);
  map.remove(0x1000);
  EXPECT_FALSE(map.find(0x1000).has_value());
  EXPECT_THROW(map.remove(0x1000), std::logic_error);
  const uint64_t second = map.add(0x1000, 0x100, MemoryKind::Device);
  EXPECT_NE(first, second);
  EXPECT_THROW(map.remove(0x1001), std::logic_error);
}

TEST(MemoryMap, SnapshotIsThePictureOfItsMoment) {
  MemoryMap map;
  map.add(0x1000, 0x100, MemoryKind::Device);
  const auto before = map.snapshot();
  EXPECT_EQ(map.snapshot(), before);
  map.remove(0x1000);
  map.add(0x9000, 0x100, MemoryKind::Shared);
  EXPECT_NE(before->find(0x1000), nullptr);
  EXPECT_EQ(before->find(0x9000), nullptr);
  EXPECT_NE(map.snapshot()->find(0x9000), nullptr);
}

TEST(MemoryMap, SnapshotsWhileOthersAllocate) {
  MemoryMap map;
  std::thread writer([&] {
    for (uint64_t i = 1; i <= 200; ++i) map.add(i << 16, 0x1000, MemoryKind::Device);
  });
  size_t last = 0;
  for (int i = 0; i < 200; ++i) {
    const size_t n = map.snapshot()->allocations().size();
    EXPECT_GE(n, last);
    last = n;
  }
  writer.join();
  EXPECT_EQ(map.snapshot()->allocations().size(), 200u);
}

struct Miss {
  uint64_t address, bytes;
  const char* text;
};

class DescribeMiss : public ::testing::TestWithParam<Miss> {};

TEST_P(DescribeMiss, NamesTheNearestAllocationAndTheDistance) {
  MemoryMap map;
  map.add(0x100000, 0x1000, MemoryKind::Device);            // #1
  map.add(0x200000, 0x1000, MemoryKind::Host);              // #2
  map.add(0x300000, 0x10, MemoryKind::Shared, "buffer C");  // #3
  EXPECT_THAT(map.snapshot()->describe_miss(GetParam().address, GetParam().bytes), HasSubstr(GetParam().text));
}

INSTANTIATE_TEST_SUITE_P(
    All, DescribeMiss,
    ::testing::Values(Miss{0x101004, 4, "4 bytes past the end of device USM #1 (4096 bytes)"},
                      Miss{0x101000, 4, "directly behind the end of device USM #1 (4096 bytes)"},
                      Miss{0x100FFE, 4,
                           "crosses the end of device USM #1 (4096 bytes): the last 2 bytes lie beyond it"},
                      Miss{0x100FFF, 2, "the last 1 byte lie"},
                      Miss{0x1FFFF0, 4, "16 bytes before the start of host USM #2 (4096 bytes)"},
                      Miss{0x0FFFFF, 1, "1 byte before the start of device USM #1"},
                      Miss{0x400000, 4, "past the end of buffer C"}, Miss{0, 4, "the pointer is null (address 0x0)"},
                      Miss{0x10, 4, "the pointer is null (address 0x10)"}, Miss{0x100010, 4, "inside device USM #1"}));

TEST(DescribeMissOfAnEmptyMap, SaysSo) {
  EXPECT_EQ(MemoryMap().snapshot()->describe_miss(0x10000, 4), "no memory is allocated");
}

}  // namespace
}  // namespace xeforge::machine
