// SPDX-License-Identifier: Apache-2.0
#include "binary/relocate.h"

#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "zebin_builder.h"
#include "zebin_error.h"

namespace xeforge::binary {
namespace {

using test::Bytes;
using test::ZebinBuilder;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr uint64_t kBase = 0x123456789abc0000;

template <typename T>
T at(const Bytes& bytes, size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

Relocation entry(uint64_t offset, RelocType type, const std::string& symbol, const std::string& section = {},
                 uint64_t value = 0) {
  Relocation relocation;
  relocation.offset = offset;
  relocation.type = type;
  relocation.raw_type = static_cast<uint32_t>(type);
  relocation.symbol = symbol;
  relocation.symbol_section = section;
  relocation.symbol_value = value;
  return relocation;
}

std::string error_of(const std::vector<Relocation>& relocations, RelocationPlan plan = {}) {
  Bytes bytes = test::filled(64);
  plan.where = "kernel 'k'";
  return test::error_of_reading([&] { relocate(bytes, relocations, plan); });
}

TEST(RelocateTest, WidthsOfAnAddress) {
  Bytes bytes = test::filled(64, 0xee);
  RelocationPlan plan{"kernel 'k'", {{".data.const", kBase}}, {}, 0, 0};
  relocate(bytes,
           std::vector{
               entry(0, RelocType::Sym, "t", ".data.const", 8), entry(16, RelocType::SymAddr32, "t", ".data.const", 8),
               entry(24, RelocType::SymAddr32Hi, "t", ".data.const", 8),
               entry(32, RelocType::SymAddr16, "t", ".data.const", 8), entry(40, RelocType::None, "t", ".data.const")},
           plan);
  EXPECT_EQ(at<uint64_t>(bytes, 0), kBase + 8);
  EXPECT_EQ(at<uint32_t>(bytes, 16), 0x9abc0008u);
  EXPECT_EQ(at<uint32_t>(bytes, 20), 0xeeeeeeeeu);
  EXPECT_EQ(at<uint32_t>(bytes, 24), 0x12345678u);
  EXPECT_EQ(at<uint32_t>(bytes, 32), 0xeeee0008u);
  EXPECT_EQ(at<uint32_t>(bytes, 40), 0xeeeeeeeeu);
}

TEST(RelocateTest, NumbersOfTheLaunch) {
  Bytes bytes = test::filled(16, 0xee);
  RelocationPlan plan;
  plan.implicit_args_bytes = 128;
  plan.per_thread_payload_offset = 64;
  relocate(bytes,
           std::vector{entry(0, RelocType::SymAddr32, "__INTEL_PATCH_CROSS_THREAD_OFFSET_OFF_R0"),
                       entry(4, RelocType::PerThreadPayloadOffset32, "x"),
                       entry(8, RelocType::SymAddr32, "__INTEL_PER_THREAD_OFF")},
           plan);
  EXPECT_EQ(at<uint32_t>(bytes, 0), 128u);
  EXPECT_EQ(at<uint32_t>(bytes, 4), 64u);
  EXPECT_EQ(at<uint32_t>(bytes, 8), 64u);
}

TEST(RelocateTest, DataAddToWhatIsThere) {
  const Zebin zebin = read_zebin(test::minimal()
                                     .section(".data.global", ZebinBuilder::kProgBits, test::filled(16, 4))
                                     .symbol("counter", ".data.global", 8)
                                     .relocations(".data.global", {{0, 1, "counter"}})
                                     .build());
  Bytes bytes = zebin.data[0].bytes;
  relocate(bytes, zebin.data[0].relocations, {"section .data.global", {{".data.global", 0x1000}}, {}, 0, 0});
  EXPECT_EQ(at<uint64_t>(bytes, 0), 0x0404040404040404u + 0x1008);
}

TEST(RelocateTest, AddendsOfRela) {
  Bytes bytes = test::filled(8, 0xee);
  Relocation relocation = entry(0, RelocType::Sym, "s", ".data.const", 4);
  relocation.addend = -2;
  relocate(bytes, std::vector{relocation}, {"", {{".data.const", 0x100}}, {}, 0, 0});
  EXPECT_EQ(at<uint64_t>(bytes, 0), 0x102u);
}

TEST(RelocateTest, AsksTheResolverForTheRest) {
  Bytes bytes = test::filled(8);
  RelocationPlan plan;
  plan.resolve = [](const std::string& symbol) -> std::optional<uint64_t> {
    if (symbol == "elsewhere") return 0x55;
    return std::nullopt;
  };
  relocate(bytes, std::vector{entry(0, RelocType::Sym, "elsewhere")}, plan);
  EXPECT_EQ(at<uint64_t>(bytes, 0), 0x55u);
}

TEST(RelocateTest, UnresolvedSymbolsAreAllNamed) {
  const std::string error = error_of(
      {entry(8, RelocType::Sym, "first"), entry(16, RelocType::Sym, "second"), entry(24, RelocType::Sym, "first")});
  EXPECT_THAT(error, HasSubstr("kernel 'k': unresolved symbols 'first' (at offset 8), 'second' (at offset 16)"));
  EXPECT_THAT(error, Not(HasSubstr("devicelib")));
}

TEST(RelocateTest, ADeviceLibraryCallSaysWhatToDo) {
  const std::string error = error_of({entry(8, RelocType::SymAddr32, "__devicelib_ConvertBF16ToFINTEL")});
  EXPECT_THAT(error, HasSubstr("'__devicelib_ConvertBF16ToFINTEL'"));
  EXPECT_THAT(error, HasSubstr("device library"));
  EXPECT_THAT(error, HasSubstr("SYCL_EXTERNAL"));
}

TEST(RelocateTest, UnknownTypesAndBadOffsetsAreErrors) {
  Relocation unknown = entry(8, RelocType::Unknown, "s");
  unknown.raw_type = 42;
  EXPECT_THAT(error_of({unknown}), HasSubstr("relocation type 42 for 's' at offset 8 is not understood"));
  EXPECT_THAT(error_of({entry(8, RelocType::Send, "s")}), HasSubstr("relocation type 6"));
  RelocationPlan plan;
  plan.resolve = [](const std::string&) { return std::optional<uint64_t>(1); };
  EXPECT_THAT(error_of({entry(60, RelocType::Sym, "s")}, plan), HasSubstr("offset 60 lies outside its 64 bytes"));
  EXPECT_THAT(error_of({entry(UINT64_MAX, RelocType::Sym, "s")}, plan), HasSubstr("lies outside"));
}

Zebin with_two_functions() {
  return read_zebin(test::minimal()
                        .text("f", test::filled(70, 1))
                        .text("g", test::filled(64, 2))
                        .text("unused", test::filled(64, 3))
                        .symbol("f_entry", ".text.f", 16, ZebinBuilder::kGlobal, ZebinBuilder::kFunction)
                        .symbol("g_entry", ".text.g", 0, ZebinBuilder::kGlobal, ZebinBuilder::kFunction)
                        .symbol("outside", "")
                        .relocations(".text.k", {{8, 2, "f_entry"}, {24, 2, "outside"}})
                        .relocations(".text.f", {{4, 2, "g_entry"}, {12, 2, "outside"}})
                        .build());
}

TEST(RelocateTest, FunctionsFollowTheKernelThatReachesThem) {
  const Zebin zebin = with_two_functions();
  const Kernel kernel = with_functions(zebin, zebin.kernels[0]);
  // 128 bytes of kernel, f at 128, g at the next multiple of 64.
  ASSERT_EQ(kernel.code.size(), 256u + 64);
  EXPECT_EQ(kernel.code[128], std::byte{1});
  EXPECT_EQ(kernel.code[256], std::byte{2});
  EXPECT_EQ(at<uint32_t>(kernel.code, 8), 128u + 16);
  EXPECT_EQ(at<uint32_t>(kernel.code, 128 + 4), 256u);
  ASSERT_EQ(kernel.relocations.size(), 2u);
  EXPECT_EQ(kernel.relocations[0].offset, 24u);
  EXPECT_EQ(kernel.relocations[1].offset, 128u + 12);
  EXPECT_EQ(zebin.kernels[0].relocations.size(), 2u);
}

TEST(RelocateTest, AKernelWithoutCallsStaysAsItIs) {
  const Zebin zebin = read_zebin(test::minimal().text("f", test::filled(64, 1)).build());
  EXPECT_EQ(with_functions(zebin, zebin.kernels[0]).code, zebin.kernels[0].code);
}

TEST(RelocateTest, OffsetsOfAllFunctions) {
  const auto offsets = function_offsets(with_two_functions(), 100);
  EXPECT_EQ(offsets.at(".text.f"), 128u);
  EXPECT_EQ(offsets.at(".text.g"), 256u);
  EXPECT_EQ(offsets.at(".text.unused"), 320u);
}

}  // namespace
}  // namespace xeforge::binary
