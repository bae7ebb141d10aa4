// SPDX-License-Identifier: Apache-2.0
//
// What `xeforge bench` understands, and how it shows what it found.
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "lab/bench_report.h"
#include "lab/bench_shapes.h"
#include "lab/commands.h"

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

TEST(BenchShapes, Files) {
  const std::string file = ::testing::TempDir() + "xeforge_bench_shapes.csv";
  std::ofstream(file) << "# m,n,k,ms\nm,n,k,ms\n1,4096,512,0.03\n\n16x32x64:1:1  # with C\n";
  EXPECT_THAT(shapes(file), ElementsAre("1x4096x512", "16x32x64:1:1"));
}

TEST(BenchShapes, WrongOnesAreNamed) {
  for (const char* text :
       {"64x32", "64x32x16:2", "0x1x1", "1024:512:64", "64x32x16:a:0", "64x32x16:0.3:0", "8:16:0", ""}) {
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
  BenchTable table(out, BenchStyle::Csv);
  table.row(second, &first);
  EXPECT_THAT(out.str(), HasSubstr("64x32x16,onemkl,0/2048,1500,1.500,27,"));
  EXPECT_THAT(out.str(), HasSubstr(",256,8,2,"));
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
