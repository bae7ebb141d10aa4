// SPDX-License-Identifier: Apache-2.0
#include "lab/run_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sample_report.h"

namespace {

using namespace xeforge::lab;
using testing::HasSubstr;
using testing::Not;
namespace data = xeforge::lab::testing_data;

std::vector<KernelReport> three_launches() {
  return {parse_report(data::report("gemm")), parse_report(data::report("axpy")),
          parse_report(data::report("gemm", data::kFault))};
}

TEST(RunReport, LaunchesOfAKernelAreOneRow) {
  const auto kernels = summarize(three_launches());
  ASSERT_EQ(kernels.size(), 2U);
  EXPECT_EQ(kernels[0].kernel, "gemm");
  EXPECT_EQ(kernels[0].launches, 2U);
  EXPECT_EQ(kernels[0].instructions, 2 * 8580000U);
}

TEST(RunReport, NamesTheProblem) {
  const std::string text = run_report_text("a770", three_launches(), "the program ended with 0");
  EXPECT_THAT(text, HasSubstr("3 launches of 2 kernels; the program ended with 0"));
  EXPECT_THAT(text, HasSubstr("OutOfBounds in kernel gemm"));
  EXPECT_THAT(text, HasSubstr("group (3, 1, 0), thread 5, lane 2, pc 0x1a0: store.ugm.d32"));
  EXPECT_THAT(text, HasSubstr("4 bytes past the end of device USM #7 (and 2 times more)"));
  EXPECT_THAT(text, HasSubstr("problems: 1 launch faulted"));
}

TEST(RunReport, EveryLineIsMarked) {
  const std::string text = run_report_text("a770", three_launches(), "the program ended with 0");
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
    EXPECT_EQ(text.compare(at, 11, "==xeforge=="), 0);
}

TEST(RunReport, WithoutProblemsOrLaunches) {
  EXPECT_THAT(run_report_text("b580", {}, "x"), HasSubstr("0 launches of 0 kernels; x"));
  const std::vector<KernelReport> one{parse_report(data::report("gemm"))};
  const std::string text = run_report_text("a770", one, "x");
  EXPECT_THAT(text, HasSubstr("1 launch of 1 kernel;"));
  EXPECT_THAT(text, HasSubstr("problems: none"));
  EXPECT_THAT(text, Not(HasSubstr("faulted")));
}

TEST(RunReport, AsJson) {
  const auto document = nlohmann::json::parse(run_report_json("a770", three_launches(), 7));
  EXPECT_EQ(document["exit_status"], 7);
  EXPECT_EQ(document["launches"], 3);
  EXPECT_EQ(document["faults"], 1);
  EXPECT_EQ(document["kernels"][0]["counts"]["dpas"], 2 * 786432);
  EXPECT_EQ(document["problems"][0]["thread"], 5);
}

}  // namespace
