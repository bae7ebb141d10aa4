// SPDX-License-Identifier: Apache-2.0
#include "binary/elf.h"

#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "binary/zebin.h"
#include "zebin_builder.h"
#include "zebin_error.h"

namespace xeforge::binary {
namespace {

using test::Bytes;
using test::error_of;
using test::ZebinBuilder;
using ::testing::HasSubstr;

template <typename T>
Bytes patched(Bytes file, size_t offset, T value) {
  std::memcpy(file.data() + offset, &value, sizeof value);
  return file;
}

/// Offset of section header `index` in the file.
size_t header_at(const Bytes& file, size_t index) {
  uint64_t table = 0;
  std::memcpy(&table, file.data() + 40, sizeof table);
  return static_cast<size_t>(table) + 64 * index;
}

Bytes rich_file() {
  return test::minimal()
      .section(".data.const", ZebinBuilder::kProgBits, test::filled(16))
      .zero_section(".bss.global", 32)
      .note(6, test::filled(4, 1))
      .symbol("table", ".data.const")
      .symbol("k", ".text.k", 0, ZebinBuilder::kLocal, ZebinBuilder::kFunction)
      .relocations(".text.k", {{16, 2, "table"}, {32, 3, "table"}})
      .relocations(".data.const", {{8, 1, "table"}})
      .build();
}

TEST(ElfTest, RecognisesZebins) {
  EXPECT_TRUE(looks_like_zebin(test::minimal().build()));
  EXPECT_FALSE(looks_like_zebin(test::minimal().machine(62).build()));
  EXPECT_FALSE(
      looks_like_zebin(test::bytes_of("\x7f"
                                      "ELF")));
  EXPECT_FALSE(looks_like_zebin({}));
}

TEST(ElfTest, OtherFilesAreRefusedWithTheReason) {
  EXPECT_THAT(error_of({}), HasSubstr("no ELF header"));
  EXPECT_THAT(error_of(test::bytes_of(std::string(200, 'x'))), HasSubstr("no ELF header"));
  EXPECT_THAT(error_of(test::minimal().machine(62).build()), HasSubstr("machine 62"));
  EXPECT_THAT(error_of(patched<uint8_t>(test::minimal().build(), 4, 1)), HasSubstr("32-bit"));
  EXPECT_THAT(error_of(ZebinBuilder().text("k", test::filled(64)).build()), HasSubstr("no .ze_info"));
}

TEST(ElfTest, DamagedHeadersAreRefused) {
  const Bytes file = rich_file();
  EXPECT_THAT(error_of(patched<uint64_t>(file, 40, UINT64_MAX - 8)), HasSubstr("section table lies outside the file"));
  EXPECT_THAT(error_of(patched<uint16_t>(file, 60, 0)), HasSubstr("no section table"));
  EXPECT_THAT(error_of(patched<uint16_t>(file, 60, 0xffff)), HasSubstr("outside the file"));
  EXPECT_THAT(error_of(patched<uint16_t>(file, 58, 40)), HasSubstr("section headers of 40 bytes"));
  EXPECT_THAT(error_of(patched<uint16_t>(file, 62, 1000)), HasSubstr("section name table 1000"));
  EXPECT_THAT(error_of(patched<uint64_t>(file, header_at(file, 1) + 24, UINT64_MAX)),
              HasSubstr("section 1 lies outside the file"));
  EXPECT_THAT(error_of(patched<uint64_t>(file, header_at(file, 1) + 32, uint64_t{1} << 40)),
              HasSubstr("section 1 lies outside the file"));
  EXPECT_THAT(error_of(patched<uint32_t>(file, header_at(file, 1), 1u << 30)), HasSubstr("outside its string table"));
}

TEST(ElfTest, AZeroFillLargerThanAnyDeviceIsRefused) {
  EXPECT_THAT(error_of(test::minimal().zero_section(".bss.const", uint64_t{1} << 60).build()),
              HasSubstr("larger than any device's memory"));
}

TEST(ElfTest, OverlappingSectionsCannotMultiplyMemory) {
  ZebinBuilder builder = test::minimal();
  for (int i = 0; i < 3; ++i) builder.section(".text.f" + std::to_string(i), ZebinBuilder::kProgBits, test::filled(8));
  Bytes file = builder.build();
  for (size_t i = 3; i < 6; ++i) {
    file = patched<uint64_t>(file, header_at(file, i) + 24, 0);
    file = patched<uint64_t>(file, header_at(file, i) + 32, file.size());
  }
  EXPECT_THAT(error_of(file), HasSubstr("sections overlap"));
}

TEST(ElfTest, RelocationsMustPointAtSomething) {
  EXPECT_THAT(error_of(test::minimal().symbol("s", "").relocations(".text.k", {{128, 2, "s"}}).build()),
              HasSubstr("patches byte 128 of 128"));
  Bytes file = rich_file();
  // .text.k, .ze_info, .data.const, .bss.global, the note, then the first relocation section.
  const size_t relocation_header = header_at(file, 6);
  EXPECT_THAT(error_of(patched<uint32_t>(file, relocation_header + 44, 99)),
              HasSubstr("section 99, which does not exist"));
  EXPECT_THAT(error_of(patched<uint32_t>(file, relocation_header + 40, 1)), HasSubstr("does not use .symtab"));
  uint64_t entries = 0;
  std::memcpy(&entries, file.data() + relocation_header + 24, sizeof entries);
  EXPECT_THAT(error_of(patched<uint32_t>(file, static_cast<size_t>(entries) + 12, 77)), HasSubstr("names symbol 77"));
  EXPECT_THAT(error_of(patched<uint64_t>(file, relocation_header + 32, 15)),
              HasSubstr("not a whole number of relocations"));
}

// Whatever is cut off, the reader ends with a result or an error.
TEST(ElfTest, EveryTruncationIsAnError) {
  const Bytes file = rich_file();
  EXPECT_EQ(error_of(file), "no error");
  for (size_t size = 0; size < file.size(); ++size) {
    EXPECT_NE(error_of({file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size)}), "no error") << size;
  }
}

TEST(ElfTest, EveryByteMayBeWrong) {
  const Bytes file = rich_file();
  size_t refused = 0;
  for (size_t at = 0; at < file.size(); ++at) {
    for (const int value : {0x00, 0x01, 0x7f, 0x80, 0xff})
      refused += error_of(patched(file, at, static_cast<uint8_t>(value))) != "no error";
  }
  EXPECT_GT(refused, file.size() / 2);
}

TEST(ElfTest, NotesOfOddSizesArePadded) {
  ZebinBuilder builder = test::minimal();
  builder.note(4, test::bytes_of(std::string_view("1.73\0", 5)))
      .note(1, {std::byte{0xf6}, std::byte{4}, std::byte{0}, std::byte{0}});
  const Zebin zebin = read_zebin(builder.build());
  EXPECT_EQ(zebin.target.zebin_version, "1.73");
  EXPECT_EQ(zebin.target.product_family, 1270u);
}

}  // namespace
}  // namespace xeforge::binary
