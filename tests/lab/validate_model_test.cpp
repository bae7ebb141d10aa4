// SPDX-License-Identifier: Apache-2.0
#include "lab/validate_model.h"

#include <gtest/gtest.h>

#include "lab/commands.h"

namespace xeforge::lab {
namespace {

ModelRow row(double us, double instructions, double sends, const char* half = "fit") {
  ModelRow r;
  r.id = "row";
  r.half = half;
  r.host_us = us;
  auto recording = std::make_shared<observe::Recording>();
  recording->instructions = static_cast<uint64_t>(instructions);
  recording->sends = static_cast<uint64_t>(sends);
  r.recording = std::move(recording);
  return r;
}

TEST(Score, CountsErrorsBothWays) {
  const Score s = score({109, 80, 300, 400}, {100, 100, 300, 200});
  EXPECT_EQ(s.rows, 4u);
  EXPECT_NEAR(s.mape, 100 * (0.09 + 0.2 + 0 + 1) / 4, 1e-9);
  EXPECT_NEAR(s.weighted_mape, 100 * 229.0 / 700, 1e-9);
  EXPECT_EQ(s.over, 2u);
  EXPECT_EQ(s.within_10, 2u);
  EXPECT_EQ(s.within_20, 3u);
}

TEST(Score, RanksShareTies) {
  EXPECT_NEAR(score({1, 2, 3, 4}, {10, 20, 30, 40}).spearman, 1, 1e-12);
  EXPECT_NEAR(score({4, 3, 2, 1}, {10, 20, 30, 40}).spearman, -1, 1e-12);
  EXPECT_NEAR(score({1, 1, 2, 2}, {1, 1, 2, 2}).spearman, 1, 1e-12);
  EXPECT_NEAR(score({10, 20, 30}, {1, 2, 3}).pearson, 1, 1e-12);
}

TEST(Baselines, FindTheCoefficientsOfExactData) {
  std::vector<ModelRow> rows;
  for (const auto& [instructions, sends] :
       {std::pair{10e6, 1e6}, {50e6, 9e6}, {200e6, 11e6}, {900e6, 100e6}, {70e6, 2e6}})
    rows.push_back(row(40 + 1.5 * instructions / 1e6 + 0.8 * sends / 1e6, instructions, sends));
  // Rows that are not fitted on are predicted all the same.
  rows.push_back(row(1e6, 100e6, 10e6, "test"));
  const auto all = baselines(rows, [](const ModelRow& r) { return r.half == "fit"; });
  ASSERT_EQ(all.size(), 4u);
  const Baseline& regression = all.back();
  ASSERT_EQ(regression.coefficients.size(), 3u);
  EXPECT_NEAR(regression.coefficients[0], 40, 0.1);
  EXPECT_NEAR(regression.coefficients[1], 1.5, 0.01);
  EXPECT_NEAR(regression.coefficients[2], 0.8, 0.1);
  EXPECT_NEAR(regression.predicted.back(), 40 + 150 + 8, 1);
}

TEST(FittedParameters, LieInsideTheirRangesOnEveryDevice) {
  for (const std::string& id : device::device_ids()) {
    const auto& device = device::find_device(id);
    const timing::Parameters parameters = timing::parameters_of(device);
    for (const std::string& name : fitted_parameters(device)) {
      const device::Sourced& p = device.parameter(name);
      EXPECT_LT(p.low, p.high) << id << ": " << name << " is fitted and has no range";
      EXPECT_GE(p.value, p.low) << id << ": " << name;
      EXPECT_LE(p.value, p.high) << id << ": " << name;
      timing::Parameters copy = parameters;
      EXPECT_EQ(timing::parameter(copy, name), p.value) << name << ": the clock uses another value";
    }
  }
}

TEST(SetParameter, ChangesWhatItNames) {
  timing::Parameters parameters;
  set_parameter(parameters, "memory.channels=8");
  EXPECT_EQ(parameters.channels, 8);
  set_parameter(parameters, "l1.fold_bits=0");
  EXPECT_EQ(parameters.l1_fold, 0);
}

TEST(SetParameter, RefusesWhatTheClockCannotComputeWith) {
  timing::Parameters parameters;
  for (const char* text : {"memory.channels", "memory.channel=8", "memory.channels=", "memory.channels=eight",
                           "memory.channels=8x", "memory.channels=nan", "memory.channels=inf", "memory.channels=1e999",
                           "memory.channels=-1", "memory.channels=0", "memory.channel_bytes=0", "l1.ways=0.5",
                           "l1.fold_bits=32", "clock_mhz=0", "throughput.l1_bytes_per_clock=0", "message.clocks=1e9"})
    EXPECT_THROW(set_parameter(parameters, text), UserError) << text;
}

// The ranges hold what the devices' files and fits use.
TEST(SetParameter, TakesEveryValueOfTheDevices) {
  for (const char* id : {"a770", "b580", "b60", "lnl"}) {
    const timing::Parameters parameters = timing::parameters_of(device::find_device(id));
    for (const timing::ParameterRow& row : timing::parameter_table()) {
      EXPECT_GE(parameters.*row.member, row.least) << id << ": " << row.name;
      EXPECT_LE(parameters.*row.member, row.most) << id << ": " << row.name;
    }
  }
}

TEST(FittedParameters, AreThoseThatTheFileMarks) {
  const auto& device = device::find_device("a770");
  const auto names = fitted_parameters(device);
  EXPECT_FALSE(names.empty());
  for (const std::string& name : names) {
    const device::Sourced& p = device.parameter(name);
    EXPECT_LT(p.low, p.high) << name << " is fitted and has no range";
  }
  EXPECT_TRUE(fitted_parameters(device::find_device("lnl")).empty());
}

}  // namespace
}  // namespace xeforge::lab
