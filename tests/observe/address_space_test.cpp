// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include <gtest/gtest.h>

#include "observe/recorder.h"

namespace xeforge::observe {
namespace {

machine::Allocation allocation(uint64_t id, uint64_t base, uint64_t size) {
  machine::Allocation a;
  a.id = id;
  a.base = base;
  a.size = size;
  return a;
}

TEST(AddressSpace, ArgumentsHaveTheSameAddressesWhateverWasAllocatedBefore) {
  // The same three buffers, once alone and once late in a program's life, at other places of the host.
  AddressSpace alone, late;
  alone.admit({allocation(1, 0x1000, 1 << 20), allocation(2, 0x900000, 3 << 20), allocation(3, 0x2000000, 6 << 20)},
              {0x900000, 0x1000, 0x2000040});
  late.admit({allocation(70, 0x100, 0x100), allocation(71, 0x50000000, 1 << 20), allocation(72, 0x7000000, 3 << 20),
              allocation(75, 0x10000000, 6 << 20), allocation(73, 0x90000000, 64 << 20)},
             {0x7000000, 0x50000000, 0x10000040});
  EXPECT_EQ(alone.base_of(2), late.base_of(72));
  EXPECT_EQ(alone.base_of(1), late.base_of(71));
  EXPECT_EQ(alone.base_of(3), late.base_of(75));
  EXPECT_LT(alone.base_of(2), alone.base_of(1));
  EXPECT_LT(alone.base_of(1), alone.base_of(3));
  // What is reached through memory lies behind, in the order of creation.
  EXPECT_LT(late.base_of(75), late.base_of(70));
  EXPECT_LT(late.base_of(70), late.base_of(73));
}

TEST(AddressSpace, AllocationsDoNotOverlap) {
  AddressSpace space;
  space.admit({allocation(1, 0x1000, (2 << 20) + 1), allocation(2, 0x900000, 1), allocation(3, 0x2000000, 5 << 20)},
              {0x1000, 0x1000, 0x900000, 0, 0xdead0000});
  EXPECT_GE(space.base_of(2), space.base_of(1) + (2 << 20) + 1);
  EXPECT_GT(space.base_of(3), space.base_of(2));
  EXPECT_FALSE(space.has(9));
  EXPECT_THROW(space.base_of(9), std::out_of_range);
  space.admit_own(allocation(9, 0x3000, 100));
  EXPECT_TRUE(space.has(9));
  EXPECT_NE(space.base_of(9), space.base_of(1));
}

}  // namespace
}  // namespace xeforge::observe
