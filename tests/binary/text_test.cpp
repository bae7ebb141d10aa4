// SPDX-License-Identifier: Apache-2.0
#include "binary/text.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "zebin_builder.h"
#include "zebin_error.h"

namespace xeforge::binary {
namespace {

using test::error_of;
using ::testing::HasSubstr;

TEST(Text, CharactersOfEveryLengthAreText) {
  EXPECT_TRUE(is_text(""));
  EXPECT_TRUE(is_text("_ZTS6kernel~ "));
  EXPECT_TRUE(is_text("\xc2\xa0 \xc3\xa9 \xe2\x82\xac \xed\x9f\xbf \xee\x80\x80 \xf0\x9f\x98\x80 \xf4\x8f\xbf\xbf"));
}

TEST(Text, ControlCharactersAndDamagedSequencesAreNot) {
  for (const std::string bytes :
       {"\n", "\x1b[2J", "\x7f", "\xc2\x9b", "\x80", "\xbf", "\xc3", "\xc3(", "\xc0\xaf", "\xc1\xbf", "\xe2\x82",
        "\xe0\x9f\xbf", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff"}) {
    EXPECT_FALSE(is_text(bytes)) << printable(bytes);
    EXPECT_FALSE(is_text("a" + bytes + "b")) << printable(bytes);
    EXPECT_TRUE(is_text(printable("a" + bytes + "b")));
  }
  EXPECT_FALSE(is_text(std::string_view("\0", 1)));
}

TEST(Text, PrintableKeepsTextAndShowsTheRest) {
  EXPECT_EQ(printable("caf\xc3\xa9 \xc8 \x1b[0m"), "caf\xc3\xa9 \\xc8 \\x1b[0m");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
}

TEST(Text, ABinaryWithOtherNamesIsRefused) {
  const auto named = [](const std::string& kernel, const std::string& in_yaml) {
    return test::ZebinBuilder()
        .text(kernel, test::filled(128))
        .info("kernels:\n  - name: " + in_yaml + "\n    execution_env:\n      simd_size: 8\n      grf_count: 128\n")
        .build();
  };
  EXPECT_THAT(error_of(named("gemm", "gemm")), HasSubstr("no error"));
  EXPECT_THAT(error_of(named("ge\xc8m", "ge\xc8m")), HasSubstr("ge\\xc8m' is not text"));
  EXPECT_THAT(error_of(named("gemm", "ge\xc8m")), HasSubstr("line 2: 'ge\\xc8m' is not text"));
  EXPECT_THAT(error_of(named("gemm", "\"\\e[2Jgemm\"")), HasSubstr("'\\x1b[2Jgemm' is not text"));
  EXPECT_THAT(error_of(test::minimal().symbol("\x1b[2J", ".text.k").build()), HasSubstr("'\\x1b[2J' is not text"));
}

}  // namespace
}  // namespace xeforge::binary
