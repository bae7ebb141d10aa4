// SPDX-License-Identifier: Apache-2.0
#include "lab/ladder_report.h"

#include <limits>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sample_report.h"

namespace {

using namespace xeforge::lab;
using testing::HasSubstr;
using testing::Not;
namespace data = xeforge::lab::testing_data;

RungResult result_of(const char* id) {
  RungResult result;
  result.rung = xeforge::gemm::find_rung(id);
  result.shape = {1024, 1536, 512};
  result.device = "a770";
  result.verified = {0, 1572864, 0, ""};
  result.report = parse_report(data::report(id));
  return result;
}

std::string table(LadderTable::Style style, const RungResult& result, unsigned width = 0) {
  std::ostringstream out;
  LadderTable table(out, style, width);
  table.heading();
  table.row(result);
  return out.str();
}

TEST(LadderTableTest, ShowsCountsBesideThePublishedOnes) {
  const std::string text = table(LadderTable::Style::Terminal, result_of("esimd_4buf"));
  EXPECT_THAT(text, HasSubstr("0/1572864"));
  EXPECT_THAT(text, HasSubstr("8580000"));
  EXPECT_THAT(text, HasSubstr("0.0628-0.0646"));
  EXPECT_THAT(text, HasSubstr("8.58 M 1.000"));
}

TEST(LadderTableTest, NothingPublishedForOtherShapesAndDevices) {
  RungResult other = result_of("esimd_4buf");
  other.shape.k = 1024;
  EXPECT_THAT(table(LadderTable::Style::Terminal, other), Not(HasSubstr("0.0628")));
  other = result_of("esimd_4buf");
  other.device = "b580";
  EXPECT_THAT(table(LadderTable::Style::Terminal, other), Not(HasSubstr("0.0628")));
}

TEST(LadderTableTest, FitsTheTerminal) {
  for (const unsigned width : {60U, 80U, 100U, 120U}) {
    std::istringstream lines(table(LadderTable::Style::Terminal, result_of("jm_no_slm_grf_pipeline.sg8"), width));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), width) << line;
  }
}

TEST(LadderTableTest, MarkdownAndCsv) {
  EXPECT_THAT(table(LadderTable::Style::Markdown, result_of("naive")), HasSubstr("| naive | 0/1572864 | 8580000 |"));
  EXPECT_THAT(table(LadderTable::Style::Csv, result_of("naive")), HasSubstr("\nnaive,0/1572864,8580000,"));
}

TEST(LadderTableTest, SimulatedTimeHasAColumnWhereItIsSimulated) {
  RungResult result = result_of("esimd_4buf");
  EXPECT_THAT(table(LadderTable::Style::Terminal, result), Not(HasSubstr("simulated")));
  EXPECT_THAT(table(LadderTable::Style::Csv, result), HasSubstr("simulated ms"));
  result.report->simulated_per_launch_us = 71.5;
  std::ostringstream out;
  LadderTable timed(out, LadderTable::Style::Terminal, 0, true);
  timed.heading();
  timed.row(result);
  EXPECT_THAT(out.str(), HasSubstr("simulated ms"));
  EXPECT_THAT(out.str(), HasSubstr(" 0.0715 "));
}

TEST(LadderTableTest, SaysWhatWasNotRun) {
  RungResult result = result_of("jm_basic");
  result.report.reset();
  result.not_run = "it is built for Xe-HPG";
  EXPECT_THAT(table(LadderTable::Style::Terminal, result), HasSubstr("not run"));
  EXPECT_FALSE(result.ok());
}

TEST(LadderJson, FollowsTheContract) {
  RungResult result = result_of("esimd_a_direct");
  result.report->counts = {{"instructions", 12000000}, {"barriers", 104448}};
  const auto document = nlohmann::json::parse(to_json(std::vector<RungResult>{result}));
  const auto& rung = document["rungs"][0];
  EXPECT_EQ(rung["id"], "esimd_a_direct");
  EXPECT_EQ(rung["mode"], "functional");
  EXPECT_EQ(rung["shape"]["n"], 1536);
  EXPECT_EQ(rung["shape"]["alpha"], 1);
  EXPECT_EQ(rung["verified"]["errors"], 0);
  EXPECT_EQ(rung["verified"]["total"], 1572864);
  EXPECT_EQ(rung["launch"]["threads"], 6144);
  EXPECT_EQ(rung["compiled"]["grf"], 128);
  EXPECT_EQ(rung["counts"]["instructions"], 12000000);
  EXPECT_TRUE(rung["time_us"]["simulated"].is_null());
  EXPECT_DOUBLE_EQ(rung["published_ms"]["low"], 0.0734);
  EXPECT_DOUBLE_EQ(rung["published_counts"]["instructions"], 12.15e6);
  EXPECT_NEAR(rung["published_counts"]["send_payload_grf"].get<double>() / 6144, 369.6, 0.1);
}

TEST(LadderJson, ResultsThatAreNoNumbers) {
  RungResult result = result_of("naive");
  result.verified = {5, 1572864, std::numeric_limits<double>::infinity(), "C[0][0] is nan, expected 3"};
  result.problem = "5 of 1572864 elements are wrong";
  const auto rung = nlohmann::json::parse(to_json(std::vector<RungResult>{result}))["rungs"][0];
  EXPECT_TRUE(rung["verified"]["max_abs_error"].is_null());
  EXPECT_EQ(rung["ok"], false);
  EXPECT_EQ(rung["problem"], "5 of 1572864 elements are wrong");
}

}  // namespace
