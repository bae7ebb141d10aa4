// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "lab/bench_shapes.h"
#include "lab/experiment_prefetch.h"
#include "lab/svg_chart.h"

namespace xeforge::lab {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A kernel that makes `sends` messages and ten instructions for each.
BenchCase made_up(const std::string& provider, const BenchShape& shape, std::uint64_t sends) {
  BenchCase result{provider, shape, {}, {}, {}, {}};
  result.verified = {0, 64, 0, ""};
  KernelReport kernel;
  kernel.counts = {{"instructions", 10 * sends}, {"send", sends}, {"send_payload_grf", 2 * sends}};
  result.kernels.push_back(kernel);
  return result;
}

/// Prefetch adds 10 % of messages, 20 % where old C is read, and 4 % more of them at the larger shape.
BenchCase counted(const std::string& provider, const BenchShape& shape, const TestData&) {
  const bool large = shape.shape.m == 128;
  const unsigned off = large ? 2000 : 1000;
  if (provider == "xeforge.general") return made_up(provider, shape, off);
  const unsigned percent = (shape.beta == 0 ? 10 : 20) + (large ? 4 : 0);
  return made_up(provider, shape, off + off * percent / 100);
}

PrefetchDesign small_design() {
  PrefetchDesign design;
  design.shapes = {{64, 64, 64}, {128, 64, 64}};
  design.distances = {0, 1};
  return design;
}

TEST(PrefetchExperiment, VariesOneThingAtATimeAndAlternates) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<float>> inputs;
  const auto result = run_prefetch_experiment(
      small_design(), [&](const std::string& provider, const BenchShape& shape, const TestData& data) {
        order.push_back(provider + " " + to_string(shape));
        inputs[gemm::to_string(shape.shape)] = data.product;
        return counted(provider, shape, data);
      });
  ASSERT_EQ(order.size(), 16U);
  const std::vector<std::string> first(order.begin(), order.begin() + 8);
  std::vector<std::string> second(order.begin() + 8, order.end());
  std::reverse(second.begin(), second.end());
  EXPECT_EQ(first, second);
  EXPECT_EQ(first[0], "xeforge.general 64x64x64");
  EXPECT_EQ(first[1], "xeforge.prefetch=1 64x64x64");
  EXPECT_EQ(first[2], "xeforge.general 64x64x64:1:1");
  EXPECT_EQ(first[7], "xeforge.prefetch=1 128x64x64:1:1");
  EXPECT_TRUE(result.problems.empty());
  EXPECT_EQ(result.cells.size(), 8U);
}

TEST(PrefetchExperiment, EffectsAndInteractions) {
  const auto result = run_prefetch_experiment(small_design(), counted);
  const auto effects = result.effects([](const PrefetchChange& change) { return change.sends; });
  ASSERT_EQ(effects.size(), 1U);
  EXPECT_EQ(effects[0].distance, 1U);
  EXPECT_NEAR(effects[0].all, 17, 1e-9);
  EXPECT_NEAR(effects[0].beta_interaction, 10, 1e-9);
  EXPECT_NEAR(effects[0].shape_interaction, 4, 1e-9);
}

TEST(PrefetchExperiment, SaysWhatWentWrong) {
  unsigned calls = 0;
  const auto result = run_prefetch_experiment(
      small_design(), [&](const std::string& provider, const BenchShape& shape, const TestData&) {
        BenchCase run = made_up(provider, shape, 100 + ++calls);
        if (calls == 1) run.problem = "wrong elements";
        if (calls == 2) run.not_run = "no such device";
        return run;
      });
  EXPECT_THAT(result.problems, testing::Contains(HasSubstr("xeforge.general 64x64x64: wrong elements")));
  EXPECT_THAT(result.problems, testing::Contains(HasSubstr("was not run: no such device")));
  EXPECT_THAT(result.problems, testing::Contains(HasSubstr("its counts differ between batches")));
}

TEST(PrefetchExperiment, NeedsSomethingToCompareWith) {
  PrefetchDesign design = small_design();
  design.distances = {1, 2};
  EXPECT_THROW(run_prefetch_experiment(design, counted), std::logic_error);
}

TEST(PrefetchExperiment, TimeIsShownWhereThereIsSome) {
  const auto untimed = run_prefetch_experiment(small_design(), counted);
  EXPECT_THAT(prefetch_table(untimed, TableStyle::Csv), Not(HasSubstr("time_us.simulated")));
  EXPECT_THAT(prefetch_summary(untimed), HasSubstr("not decided by counts"));
  const auto timed = run_prefetch_experiment(
      small_design(), [](const std::string& provider, const BenchShape& shape, const TestData& data) {
        BenchCase run = counted(provider, shape, data);
        run.kernels[0].simulated_us = provider == "xeforge.general" ? 50 : 45;
        return run;
      });
  EXPECT_THAT(prefetch_table(timed, TableStyle::Csv), HasSubstr("time_us.simulated"));
  EXPECT_THAT(prefetch_summary(timed), HasSubstr("simulated time     distance 1: -10.00 %"));
  EXPECT_THAT(prefetch_plot("a770", timed), HasSubstr("not measured on hardware"));
  const auto json = nlohmann::json::parse(prefetch_json("a770", timed));
  EXPECT_EQ(json["cells"][1]["time_us"]["simulated"], 45);
  EXPECT_EQ(json["cells"][1]["shape"]["pf_dist"], 1);
  EXPECT_NEAR(json["effects"]["time_us.simulated"][0]["mean_percent"].get<double>(), -10, 1e-9);
}

TEST(BarChartTest, HasABarForEachValueAndEscapesText) {
  const std::string svg = to_svg({"a < b & c", "note", "%", {"one", "two"}, {{"g1", {1, -2}}, {"g2", {0, 12}}}});
  EXPECT_THAT(svg, HasSubstr("a &lt; b &amp; c"));
  EXPECT_THAT(svg, Not(HasSubstr("a < b")));
  std::size_t bars = 0;
  for (std::size_t at = svg.find("<rect"); at != std::string::npos; at = svg.find("<rect", at + 1)) ++bars;
  EXPECT_EQ(bars, 1 + 4 + 2U);  // background, bars, legend
  EXPECT_THAT(svg, testing::EndsWith("</svg>\n"));
}

TEST(BarChartTest, RefusesWhatIsNoChart) {
  EXPECT_THROW(to_svg({"", "", "", {}, {}}), std::invalid_argument);
  EXPECT_THROW(to_svg({"", "", "", {"one", "two"}, {{"g", {1}}}}), std::invalid_argument);
}

}  // namespace
}  // namespace xeforge::lab
