// SPDX-License-Identifier: Apache-2.0
#include "binary/zebin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "zebin_builder.h"
#include "zebin_error.h"

namespace xeforge::binary {
namespace {

using test::error_of;
using test::ZebinBuilder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

test::Bytes word(uint32_t value) {
  test::Bytes out(4);
  for (size_t i = 0; i < 4; ++i) out[i] = static_cast<std::byte>(value >> (8 * i));
  return out;
}

TEST(ZebinTest, TheSmallestZebin) {
  const Zebin zebin = read_zebin(test::minimal("only").build());
  ASSERT_EQ(zebin.kernels.size(), 1u);
  EXPECT_EQ(zebin.kernels[0].code.size(), 128u);
  EXPECT_EQ(zebin.find_kernel("only"), &zebin.kernels[0]);
  EXPECT_EQ(zebin.find_kernel("other"), nullptr);
  EXPECT_THAT(zebin.spirv, IsEmpty());
  EXPECT_THAT(zebin.debug_line_source_elf, IsEmpty());
  EXPECT_THAT(zebin.warnings, IsEmpty());
}

TEST(ZebinTest, CollectsSections) {
  const test::Bytes file = test::minimal()
                               .section(".data.const", ZebinBuilder::kProgBits, test::filled(16, 1))
                               .section(".data.const.string", ZebinBuilder::kProgBits, test::bytes_of("hello\n"))
                               .section(".data.global", ZebinBuilder::kProgBits, test::filled(8, 2))
                               .zero_section(".bss.global", 4096)
                               .section(".spv", ZebinBuilder::kSpirv, test::filled(20, 7))
                               .section(".misc.buildOptions", 0xff000014, test::filled(3))
                               .build();
  const Zebin zebin = read_zebin(file);
  ASSERT_EQ(zebin.data.size(), 4u);
  EXPECT_EQ(zebin.data[1].name, ".data.const.string");
  EXPECT_EQ(zebin.data[1].bytes, test::bytes_of("hello\n"));
  EXPECT_EQ(zebin.data[3].zero_fill, 4096u);
  EXPECT_THAT(zebin.data[3].bytes, IsEmpty());
  EXPECT_EQ(zebin.spirv, test::filled(20, 7));
}

TEST(ZebinTest, KeepsTheWholeFileForLineTables) {
  const test::Bytes file = test::minimal().section(".debug_line", ZebinBuilder::kProgBits, test::filled(40)).build();
  EXPECT_EQ(read_zebin(file).debug_line_source_elf, file);
}

TEST(ZebinTest, FunctionsAreNoKernels) {
  const std::string void_program = "Intel_Symbol_Table_Void_Program";
  const std::string info = std::string(test::kMinimalInfo).substr(0, std::string(test::kMinimalInfo).find("...")) +
                           "  - name: " + void_program +
                           "\n    execution_env:\n      grf_count: 128\n      simd_size: 8\n";
  const Zebin zebin =
      read_zebin(ZebinBuilder().text("k", test::filled(64)).text(void_program, test::filled(192)).info(info).build());
  ASSERT_EQ(zebin.kernels.size(), 1u);
  EXPECT_EQ(zebin.kernels[0].name, "k");
  ASSERT_EQ(zebin.functions.size(), 1u);
  EXPECT_EQ(zebin.functions[0].name, ".text." + void_program);
  EXPECT_EQ(zebin.functions[0].bytes.size(), 192u);
}

TEST(ZebinTest, SymbolsAndRelocationsKeepTheirSection) {
  const Zebin zebin =
      read_zebin(test::minimal()
                     .section(".data.const", ZebinBuilder::kProgBits, test::filled(32))
                     .symbol("table", ".data.const", 16, ZebinBuilder::kGlobal, ZebinBuilder::kObject, 8)
                     .symbol("outside", "", 0, ZebinBuilder::kGlobal, ZebinBuilder::kNoType)
                     .symbol("", ".data.const", 0, ZebinBuilder::kLocal, ZebinBuilder::kSectionSymbol)
                     .relocations(".text.k", {{8, 2, "table"}, {16, 3, "outside"}, {24, 77, ""}})
                     .relocations(".data.const", {{0, 1, "table"}, {8, 1, "table", 24}}, true)
                     .build());
  ASSERT_EQ(zebin.symbols.size(), 2u);
  EXPECT_EQ(zebin.symbols[0].section, ".data.const");
  EXPECT_TRUE(zebin.symbols[0].is_global);
  EXPECT_TRUE(zebin.symbols[1].undefined());
  const auto& relocations = zebin.kernels[0].relocations;
  ASSERT_EQ(relocations.size(), 3u);
  EXPECT_EQ(relocations[0].type, RelocType::SymAddr32);
  EXPECT_EQ(relocations[0].symbol_section, ".data.const");
  EXPECT_EQ(relocations[0].symbol_value, 16u);
  EXPECT_EQ(relocations[1].type, RelocType::SymAddr32Hi);
  EXPECT_EQ(relocations[1].symbol_section, "");
  EXPECT_EQ(relocations[2].type, RelocType::Unknown);
  EXPECT_EQ(relocations[2].raw_type, 77u);
  EXPECT_EQ(relocations[2].symbol, ".data.const");
  ASSERT_EQ(zebin.data[0].relocations.size(), 2u);
  EXPECT_EQ(zebin.data[0].relocations[1].addend, 24);
  EXPECT_FALSE(zebin.data[0].relocations[1].addend_in_place);
}

TEST(ZebinTest, RelocationsOfDebugInformationAreLeftOut) {
  const Zebin zebin = read_zebin(test::minimal()
                                     .section(".debug_info", ZebinBuilder::kProgBits, test::filled(32))
                                     .symbol("k", ".text.k", 0, ZebinBuilder::kLocal, ZebinBuilder::kFunction)
                                     .relocations(".debug_info", {{0, 1, "k", 8}}, true)
                                     .build());
  EXPECT_THAT(zebin.kernels[0].relocations, IsEmpty());
}

TEST(ZebinTest, SaysWhatItWasBuiltFor) {
  const Zebin zebin = read_zebin(test::minimal()
                                     .note(1, word(1270))
                                     .note(2, word(0xc07))
                                     .note(3, word(2u << 21))
                                     .note(4, test::bytes_of("1.8"))
                                     .note(6, word(0x030dc008))
                                     .build());
  EXPECT_EQ(zebin.target.ip_version, 0x030dc008u);
  EXPECT_EQ(zebin.target.gfx_core, 0xc07u);
  EXPECT_EQ(zebin.target.generator, "ngen");
  EXPECT_EQ(zebin.target.zebin_version, "1.8");
  EXPECT_EQ(zebin.product_note, "ip 12.55.8, product family 1270, core family 3079, by ngen");
}

TEST(ZebinTest, KnowsKernelsOfAnAssembler) {
  EXPECT_TRUE(read_zebin(test::minimal().build()).kernels[0].from_compiler) << "no note at all";
  EXPECT_TRUE(
      read_zebin(test::minimal().note(2, word(0xc07)).note(3, word(1u << 21)).build()).kernels[0].from_compiler);
  EXPECT_FALSE(
      read_zebin(test::minimal().note(2, word(0xc07)).note(3, word(2u << 21)).build()).kernels[0].from_compiler);
  EXPECT_FALSE(read_zebin(test::minimal().note(2, word(0xc07)).build()).kernels[0].from_compiler) << "as in oneDNN";
}

TEST(ZebinTest, RowsOfLocalIdsDependOnTheRegisterSize) {
  const std::string info = R"(kernels:
  - name: k
    execution_env: { grf_count: 128, simd_size: 16 }
    per_thread_payload_arguments:
      - { arg_type: local_id, offset: 0, size: 128 }
)";
  const auto rows = [&](uint32_t ip_version) {
    return read_zebin(ZebinBuilder().text("k", test::filled(64)).info(info).note(6, word(ip_version)).build())
        .kernels[0]
        .work_dimensions;
  };
  EXPECT_EQ(rows(0x05004000), 2u);  // Xe2: 64 bytes a row
  EXPECT_EQ(rows(0x030dc008), 3u);  // DG2: 32 bytes a row, at most three
}

TEST(ZebinTest, PlatformOfATarget) {
  const auto platform = [](uint32_t ip_version, uint32_t gfx_core) {
    Target target;
    target.ip_version = ip_version;
    target.gfx_core = gfx_core;
    return target.platform();
  };
  EXPECT_EQ(platform(0x030dc008, 0), isa::Platform::XeHpg);
  EXPECT_EQ(platform(0x05010004, 0), isa::Platform::Xe2);
  EXPECT_EQ(platform(0, 0xc07), isa::Platform::XeHpg);
  EXPECT_EQ(platform(0, 0xc09), isa::Platform::Xe2);
  EXPECT_EQ(platform(12u << 22 | 60u << 14, 0xc07), std::nullopt);  // PVC
  EXPECT_EQ(platform(0, 0), std::nullopt);
}

TEST(ZebinTest, AKernelNeedsItsCode) {
  EXPECT_THAT(error_of(ZebinBuilder().info(test::kMinimalInfo).build()),
              HasSubstr("kernel 'k' has no section .text.k"));
  EXPECT_THAT(error_of(test::minimal().text("k", test::filled(8)).build()), HasSubstr("two sections .text.k"));
  const std::string late = std::string(test::kMinimalInfo)
                               .replace(std::string(test::kMinimalInfo).find("simd_size: 8"), 12,
                                        "simd_size: 8\n      offset_to_skip_per_thread_data_load: 128");
  EXPECT_THAT(error_of(ZebinBuilder().text("k", test::filled(128)).info(late).build()),
              HasSubstr("entered at 128, behind its end"));
}

TEST(ZebinTest, TrailingZerosOfTheInformationAreIgnored) {
  std::string info = test::kMinimalInfo;
  info.append(5, '\0');
  EXPECT_EQ(read_zebin(ZebinBuilder().text("k", test::filled(64)).info(info).build()).kernels.size(), 1u);
}

TEST(ZebinTest, ArgumentsWithoutPayloadAreStillArguments) {
  const std::string info = R"(kernels:
  - name: k
    execution_env: { grf_count: 128, simd_size: 16 }
kernels_misc_info:
  - name: k
    args_info:
      - { index: 0, name: unused, address_qualifier: __private, type_name: 'int;4' }
      - { index: 1, name: tile, address_qualifier: __local, type_name: 'float*;8' }
  - name: gone
)";
  const Zebin zebin = read_zebin(ZebinBuilder().text("k", test::filled(64)).info(info).build());
  EXPECT_EQ(zebin.kernels[0].argument_count(), 2u);
  EXPECT_EQ(zebin.kernels[0].argument_size(0), 4u);
  EXPECT_EQ(zebin.kernels[0].argument_size(1), 0u);
  EXPECT_THAT(zebin.warnings, ElementsAre(HasSubstr("'gone', which is no kernel")));
}

}  // namespace
}  // namespace xeforge::binary
