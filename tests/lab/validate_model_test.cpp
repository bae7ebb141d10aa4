// SPDX-License-Identifier: Apache-2.0
#include "lab/validate_model.h"

#include <gtest/gtest.h>

#include "../timing/made_recording.h"
#include "lab/errors.h"

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

/// Rows whose measured time is what the model says with `parameters`: a stream through the L1, and a long chain of
/// additions.
std::vector<ModelRow> simulated_rows(const device::Device& device, const timing::Parameters& parameters,
                                     const timing::Options& options) {
  using namespace timing::test;
  Maker stream(isa::Platform::XeHpg, {"(W) load.ugm.d32x64t.a64.ca.ca (1|M0) r20:8 [r4:1] {$0}\nsync.allwr null"});
  const Recording& loads = stream.make(64, 16, std::vector<uint16_t>(200, 0), [](uint64_t, uint32_t t) {
    std::vector<RecordedMessage> messages;
    for (unsigned i = 0; i < 200; ++i)
      messages.push_back(lines(observe::RecordedMessage::Kind::Load, 1000 + t % 4 * 8, 4));
    return messages;
  });
  Maker chain(isa::Platform::XeHpg, {"(W) add (16|M0) r10.0<1>:d r10.0<8;8,1>:d r12.0<8;8,1>:d {I@1}"});
  const Recording& additions = chain.make(64, 16, std::vector<uint16_t>(800, 0));
  std::vector<ModelRow> rows;
  for (const Recording* recording : {&loads, &additions}) {
    ModelRow r = row(1, 1, 1);
    r.recording = std::make_shared<const Recording>(*recording);
    rows.push_back(std::move(r));
  }
  const std::vector<double> us =
      ModelRunner(device, rows, options, 1).predict(parameters, [](const ModelRow&) { return true; });
  for (size_t i = 0; i < rows.size(); ++i) rows[i].host_us = us[i];
  return rows;
}

TEST(FitSearch, FindsTheValueBehindTheTimesAndSaysWhatTellsIt) {
  const device::Device& device = device::find_device("a770");
  timing::Options options;
  options.cores = 1;
  const std::string l1 = "throughput.l1_bytes_per_clock", narrow = "slm.narrow_store_clocks";
  timing::Parameters truth = timing::parameters_of(device);
  const std::vector<ModelRow> rows = simulated_rows(device, truth, options);
  const ModelRunner runner(device, rows, options, 2);
  timing::Parameters start = truth;
  timing::parameter(start, l1) /= 1.35;
  const auto all = [](const ModelRow&) { return true; };
  const Fit found = fit(runner, start, {l1, narrow}, all, 3, [](const std::string&) {});
  EXPECT_GT(found.start, 0.05);
  EXPECT_LT(found.objective, 0.1 * found.start);
  timing::Parameters at = found.parameters;
  EXPECT_NEAR(timing::parameter(at, l1) / timing::parameter(truth, l1), 1, 0.01);
  EXPECT_EQ(timing::parameter(at, narrow), timing::parameter(truth, narrow)) << "nothing here depends on it";
  ASSERT_EQ(found.identified.size(), 2u);
  EXPECT_EQ(found.identified[0].rows, 1u);
  EXPECT_GT(found.identified[0].lower, found.objective);
  EXPECT_GT(found.identified[0].higher, found.objective);
  EXPECT_EQ(found.identified[1].rows, 0u);
  EXPECT_EQ(found.identified[1].lower, found.objective);

  const Fit again = fit(runner, found.parameters, {l1, narrow}, all, 2, [](const std::string&) {});
  EXPECT_EQ(again.objective, found.objective) << "a search from what one found moves nothing";
}

}  // namespace
}  // namespace xeforge::lab
