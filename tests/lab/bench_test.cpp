// SPDX-License-Identifier: Apache-2.0
//
// What `xeforge bench` understands, and how it shows what it found.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "lab/bench_report.h"
#include "lab/bench_shapes.h"
#include "lab/errors.h"
#include "lab/provider_operands.h"
#include "lab/provider_session.h"

namespace xeforge::lab {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> shapes(const std::string& text) {
  std::vector<std::string> result;
  for (const BenchShape& shape : parse_bench_shapes(text)) result.push_back(to_string(shape));
  return result;
}

TEST(BenchShapes, SizesFactorsAndRanges) {
  EXPECT_THAT(shapes("64x32x16"), ElementsAre("64x32x16"));
  EXPECT_THAT(shapes("64x32x16:2:0.5,8x8x8"), ElementsAre("64x32x16:2:0.5", "8x8x8"));
  EXPECT_THAT(shapes("1024:2048:512"), ElementsAre("1024x1024x1024", "1536x1536x1536", "2048x2048x2048"));
  EXPECT_THAT(shapes("100:250:100"), ElementsAre("100x100x100", "200x200x200"));
}

TEST(BenchShapes, RangesOfOneSize) {
  EXPECT_THAT(shapes("8x7-9x6"), ElementsAre("8x7x6", "8x8x6", "8x9x6"));
  EXPECT_THAT(shapes("16-48/16x1x5"), ElementsAre("16x1x5", "32x1x5", "48x1x5"));
}

TEST(BenchShapes, Words) {
  EXPECT_THAT(shapes("8x8x8:2:1:s8:nt:b4:col"), ElementsAre("8x8x8:2:1:s8:nt:b4:col"));
  EXPECT_THAT(shapes("8x8x8:f16,8x8x8:u8s8:tt"), ElementsAre("8x8x8:f16", "8x8x8:u8s8:tt"));
  EXPECT_THAT(shapes("8:16:8:f32"), ElementsAre("8x8x8:f32", "16x16x16:f32"));
}

TEST(BenchShapes, VariantsAreForWhatAShapeDoesNotSay) {
  BenchVariants variants;
  variants.types = {"bf16", "s8"};
  variants.transposes = {"tn"};
  variants.factors = {"2:1"};
  variants.batch = 3;
  std::vector<std::string> result;
  for (const BenchShape& shape : parse_bench_shapes("8x8x8,9x9x9:1:0:f32:nn:b2", variants))
    result.push_back(to_string(shape));
  EXPECT_THAT(result, ElementsAre("8x8x8:2:1:tn:b3", "8x8x8:2:1:s8:tn:b3", "9x9x9:f32:b2"));
}

TEST(BenchShapes, BuiltInSetsCanBeRead) {
  EXPECT_THAT(bench_shape_sets(), ::testing::IsSupersetOf({"llm", "residues", "skinny", "squares", "tails"}));
  for (const std::string& name : bench_shape_sets()) EXPECT_FALSE(parse_bench_shapes(name).empty()) << name;
  EXPECT_EQ(parse_bench_shapes("residues,8x8x8").size(), 3 * 64 + 1U);
}

TEST(BenchShapes, Files) {
  const std::string file = ::testing::TempDir() + "xeforge_bench_shapes.csv";
  std::ofstream(file) << "# m,n,k,ms\nm,n,k,ms\n1,4096,512,0.03\n\n16x32x64:1:1  # with C\n";
  EXPECT_THAT(shapes(file), ElementsAre("1x4096x512", "16x32x64:1:1"));
}

TEST(BenchShapes, WrongOnesAreNamed) {
  for (const char* text : {"64x32", "64x32x16:2", "0x1x1", "1024:512:64", "64x32x16:a:0", "64x32x16:0.3:0", "8:16:0",
                           "8x8x8:s4", "8x8x8:b0", "8x8x8:s8:f16", "8x8x8:nx", "8x8x8:0.5:1:s8", "9-8x8x8", "8-9/0x8x8",
                           "8-x8x8", "8x8x8:col:row", ""}) {
    EXPECT_THROW(parse_bench_shapes(text), UserError) << text;
  }
}

TEST(BenchShapes, TheExpectedResultHasBothFactors) {
  const TestData data = make_test_data({4, 3, 2});
  const BenchShape shape{{4, 3, 2}, 2, -0.5};
  const auto expected = shape.expected(data);
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(expected[i], 2 * data.product[i] - 0.5F * data.old_c[i]);
}

BenchCase made_up(const std::string& provider, std::uint64_t instructions) {
  BenchCase result{provider, {{64, 32, 16}}, {}, {}, {}, {}};
  KernelReport copy, main;
  copy.kernel = "copy";
  copy.counts = {{"instructions", 100}, {"send", 7}};
  main.kernel = "gemm";
  main.groups = {4, 2, 1};
  main.compiled.grf = 256;
  main.counts = {{"instructions", instructions - 100}, {"send", 20}};
  result.kernels = {copy, main};
  result.verified.total = 2048;
  return result;
}

TEST(BenchReport, CountsOverAllKernelsAndRatiosToTheFirst) {
  const BenchCase first = made_up("onednn", 1000), second = made_up("onemkl", 1500);
  std::ostringstream out;
  BenchTable table(out, BenchStyle::Csv, {});
  table.heading();
  table.row(second, &first);
  EXPECT_THAT(out.str(), HasSubstr(",user s,instructions_ratio,packing_ratio,send_ratio,"));
  EXPECT_THAT(out.str(), HasSubstr("64x32x16,onemkl,0/2048,1500,100,27,"));
  EXPECT_THAT(out.str(), HasSubstr(",256,8,2,"));
  EXPECT_THAT(out.str(), HasSubstr(",1.500,1.000,1.000,,,,,,\n"));
}

TEST(BenchReport, RatiosHaveALineOfTheirOwnInTables) {
  const BenchCase first = made_up("onednn", 1000), second = made_up("onemkl", 1500);
  std::ostringstream out;
  BenchTable table(out, BenchStyle::Markdown, {});
  table.row(first, &first);
  table.row(second, &first);
  EXPECT_THAT(out.str(), HasSubstr("|   / onednn |  | 1.500 | 1.000 | 1.000 |"));
  EXPECT_EQ(std::ranges::count(out.str(), '\n'), 3);
}

TEST(Operands, AreStoredAsTheShapeSays) {
  BenchShape shape{{2, 3, 2}};
  TestData data = make_test_data(shape.shape);
  for (std::size_t i = 0; i < data.a.size(); ++i) data.a[i] = gemm::to_bf16(static_cast<float>(i) - 1);
  using Words = std::vector<std::uint16_t>;
  const auto words = [&] {
    const auto bytes = stored_a(shape, data);
    Words result(bytes.size() / 2);
    std::memcpy(result.data(), bytes.data(), bytes.size());
    return result;
  };
  EXPECT_EQ(words(), (Words{0xBF80, 0x0000, 0x3F80, 0x4000}));
  shape.transpose_a = true;
  EXPECT_EQ(words(), (Words{0xBF80, 0x3F80, 0x0000, 0x4000}));
  shape.column_major = true;
  EXPECT_EQ(words(), (Words{0xBF80, 0x0000, 0x3F80, 0x4000}));
  shape.a = Element::F16;
  EXPECT_EQ(words(), (Words{0xBC00, 0x0000, 0x3C00, 0x4000}));
  shape.a = Element::S8;
  EXPECT_EQ(stored_a(shape, data), (std::vector{std::byte{0xFF}, std::byte{0}, std::byte{1}, std::byte{2}}));
}

TEST(Operands, TheResultComesBackByRows) {
  for (const bool by_columns : {false, true}) {
    for (const Element element : {Element::Bf16, Element::S8}) {
      BenchShape shape{{2, 3, 4}, 1, 1};
      shape.batch = 2;
      shape.column_major = by_columns;
      shape.a = shape.b = element;
      const TestData data = shape.data();
      EXPECT_EQ(result_by_rows(shape, stored_c(shape, data)), data.old_c);
      shape.beta = 0;
      for (const float value : result_by_rows(shape, stored_c(shape, data)))
        EXPECT_FALSE(std::abs(value) < 1e9F) << "what no product can be, where the old values do not count";
    }
  }
}

TEST(HelperSessions, AnswersJobsAndSaysHowTheProgramEnded) {
  const std::filesystem::path directory = ::testing::TempDir() + "xeforge_session";
  std::filesystem::create_directories(directory);
  const std::filesystem::path program = directory / "helper";
  std::ofstream(program) << "#!/bin/sh\necho began >&2\nwhile read -r line; do case $line in\n"
                            "  die) echo killed >&2; kill -9 $$;;\n  leave) exit 3;;\n"
                            "  *) echo \"$NAME $line\";; esac; done\n";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  HelperSession session(program, {{"NAME", "ok"}}, directory / "log");
  EXPECT_EQ(session.ask("1").text, "ok 1");
  EXPECT_EQ(session.ask("2").text, "ok 2");
  const auto killed = session.ask("die");
  EXPECT_TRUE(killed.ended);
  EXPECT_THAT(killed.text, AllOf(HasSubstr("signal Killed"), HasSubstr("killed")));
  EXPECT_EQ(session.ask("3").text, "ok 3") << "it is started again";
  EXPECT_THAT(session.ask("leave").text, HasSubstr("ended with 3"));
}

TEST(BenchReport, JsonAndJUnitSayWhatFailed) {
  BenchCase wrong = made_up("onednn", 1000), absent;
  wrong.problem = "3 of 2048 elements are wrong & \"more\"";
  absent.provider = "onemkl";
  absent.shape = {{64, 32, 16}};
  absent.not_run = "not installed";
  const std::vector<BenchCase> cases{wrong, absent};
  const auto json = nlohmann::json::parse(bench_json("a770", cases));
  ASSERT_EQ(json["cases"].size(), 2U);
  EXPECT_EQ(json["cases"][0]["counts"]["instructions"], 1000);
  EXPECT_EQ(json["cases"][0]["ok"], false);
  EXPECT_EQ(json["cases"][0]["launch"]["groups"], (nlohmann::json{4, 2, 1}));
  EXPECT_EQ(json["cases"][1]["not_run"], "not installed");
  EXPECT_TRUE(json["cases"][1]["counts"].is_null());
  const std::string junit = bench_junit("a770", cases);
  EXPECT_THAT(junit, HasSubstr("failures=\"1\" skipped=\"1\""));
  EXPECT_THAT(junit, HasSubstr("wrong &amp; &quot;more&quot;"));
}

}  // namespace
}  // namespace xeforge::lab
