// SPDX-License-Identifier: Apache-2.0
#include "driver/spirv_constants.h"

#include <cstring>
#include <stdexcept>

#include <gtest/gtest.h>

namespace xeforge::driver {
namespace {

std::vector<std::byte> module_of(const std::vector<uint32_t>& body) {
  std::vector<uint32_t> words{0x07230203, 0x00010500, 0, 100, 0};
  words.insert(words.end(), body.begin(), body.end());
  std::vector<std::byte> bytes(words.size() * 4);
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

uint32_t word(const std::vector<std::byte>& bytes, size_t index_in_body) {
  uint32_t value = 0;
  std::memcpy(&value, bytes.data() + 4 * (5 + index_in_body), 4);
  return value;
}

constexpr uint32_t op(uint32_t opcode, uint32_t words) { return words << 16 | opcode; }

// OpDecorate %10 SpecId 7; %11 SpecId 8; %12 SpecId 9; int and 64-bit float types; three constants.
const std::vector<uint32_t> kBody{
    op(71, 4), 10, 1,  7,     // 0
    op(71, 4), 11, 1,  8,     // 4
    op(71, 4), 12, 1,  9,     // 8
    op(21, 4), 1,  32, 0,     // 12: %1 = OpTypeInt 32 0
    op(22, 3), 2,  64,        // 16: %2 = OpTypeFloat 64
    op(50, 4), 1,  10, 5,     // 19: %10 = OpSpecConstant %1 5
    op(50, 5), 2,  11, 0, 0,  // 23: %11 = OpSpecConstant %2 0.0
    op(48, 3), 3,  12,        // 28: %12 = OpSpecConstantTrue %3
    op(43, 4), 1,  13, 5,     // 31: an ordinary constant
};

TEST(SpirvConstants, TakeTheValuesOfTheirIds) {
  auto spirv = module_of(kBody);
  const uint32_t number = 42;
  const double real = 1.5;
  const unsigned char no = 0;
  specialize(spirv, {{7, &number}, {8, &real}, {9, &no}, {77, &number}});
  EXPECT_EQ(42U, word(spirv, 22));
  double read = 0;
  std::memcpy(&read, spirv.data() + 4 * (5 + 26), sizeof read);
  EXPECT_EQ(1.5, read);
  EXPECT_EQ(op(49, 3), word(spirv, 28)) << "true became false";
  EXPECT_EQ(5U, word(spirv, 34)) << "not a specialisation constant";
}

TEST(SpirvConstants, WithoutValuesNothingChanges) {
  auto spirv = module_of(kBody);
  const auto before = spirv;
  specialize(spirv, {{1, &before}});
  EXPECT_EQ(before, spirv);
}

TEST(SpirvConstants, BrokenModulesAreErrors) {
  std::vector<std::byte> empty;
  EXPECT_THROW(specialize(empty, {}), std::invalid_argument);
  std::vector<std::byte> text(40, std::byte{'x'});
  EXPECT_THROW(specialize(text, {}), std::invalid_argument);
  auto cut = module_of({op(71, 9), 1});
  EXPECT_THROW(specialize(cut, {}), std::invalid_argument);
  auto endless = module_of({0, 0});
  EXPECT_THROW(specialize(endless, {}), std::invalid_argument);
}

}  // namespace
}  // namespace xeforge::driver
