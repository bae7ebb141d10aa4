// SPDX-License-Identifier: Apache-2.0
#include "driver/printf_output.h"

#include <cstring>
#include <map>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace xeforge::driver {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// Type tags as compute-runtime's decoder numbers them.
constexpr uint32_t kInt = 3, kFloat = 4, kString = 5, kLong = 6, kPointer = 7, kDouble = 8, kChars = 9, kInts = 11;

class PrintfOutput : public testing::Test {
 public:
  uint64_t string(const std::string& text) {
    const uint64_t address = 0x1000 * (strings_.size() + 1);
    strings_[address] = text;
    return address;
  }
  template <class T>
  PrintfOutput& put(T value) {
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    buffer_.insert(buffer_.end(), bytes, bytes + sizeof value);
    return *this;
  }
  PrintfOutput& format(const std::string& text) { return put(string(text)); }
  std::string text() const {
    return printf_text(buffer_, [this](uint64_t address) -> std::optional<std::string> {
      const auto found = strings_.find(address);
      if (found == strings_.end()) return std::nullopt;
      return found->second;
    });
  }

 private:
  std::map<uint64_t, std::string> strings_;
  std::vector<std::byte> buffer_;
};

TEST_F(PrintfOutput, ScalarsOfEveryType) {
  const uint64_t word = string("word");
  format("%d %5.2f|%-6s|%ld %p %g %c%%\\n").put(kInt).put(-7).put(kFloat).put(2.5f).put(kString).put(word);
  put(kLong).put(int64_t{-1} << 40).put(kPointer).put(uint64_t{0xABC0}).put(kDouble).put(0.125).put(kInt).put(int{'z'});
  EXPECT_EQ(text(), "-7  2.50|word  |-1099511627776 0xabc0 0.125 z%\n");
}

TEST_F(PrintfOutput, UnsignedConversionsKeepTheWidthOfTheirValue) {
  format("%u %#x %o").put(kInt).put(-1).put(kInt).put(-1).put(kInt).put(8);
  EXPECT_EQ(text(), "4294967295 0xffffffff 10");
}

TEST_F(PrintfOutput, VectorsAndWhatFollowsThem) {
  format("%v4hld;%v2hhd;%d").put(kInts).put(4).put(1).put(-2).put(3).put(4);
  put(kChars).put(2).put(int8_t{-1}).put(int8_t{2}).put(uint32_t{0}).put(uint16_t{0}).put(kInt).put(5);
  EXPECT_EQ(text(), "1,-2,3,4;-1,2;5");
}

TEST_F(PrintfOutput, RecordsFollowOneAnother) {
  format("a%d\n").put(kInt).put(1).format("b\n").format("c%d\n").put(kInt).put(2);
  EXPECT_EQ(text(), "a1\nb\nc2\n");
}

TEST_F(PrintfOutput, WhatCannotBeDecodedIsSaid) {
  format("fine\n").format("%d").put(kInt);
  EXPECT_THAT(text(), StartsWith("fine\n"));
  EXPECT_THAT(text(), HasSubstr("cannot be decoded: a record is cut off"));
}

TEST_F(PrintfOutput, ForeignFormatsAndTagsAreRefused) {
  format("%n").put(kInt).put(1);
  EXPECT_THAT(text(), HasSubstr("not OpenCL's: %n"));
}
TEST_F(PrintfOutput, AStarIsNotPassedOn) {
  format("%*d").put(kInt).put(1);
  EXPECT_THAT(text(), HasSubstr("not OpenCL's"));
}
TEST_F(PrintfOutput, UnknownTag) {
  format("%d").put(uint32_t{99}).put(1);
  EXPECT_THAT(text(), HasSubstr("type tag 99 is unknown"));
}
TEST_F(PrintfOutput, AValueOfAnotherType) {
  format("%f").put(kInt).put(1);
  EXPECT_THAT(text(), HasSubstr("does not have the type of its conversion 'f'"));
}
TEST_F(PrintfOutput, AFormatOutsideMemory) {
  put(uint64_t{0xDEAD});
  EXPECT_THAT(text(), HasSubstr("outside the device's memory"));
}

}  // namespace
}  // namespace xeforge::driver
