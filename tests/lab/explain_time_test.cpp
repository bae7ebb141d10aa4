// SPDX-License-Identifier: Apache-2.0
#include "lab/explain_time.h"

#include <cmath>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "../timing/made_recording.h"

namespace xeforge::lab {
namespace {

using timing::test::lines;
using timing::test::Maker;
using timing::test::other;
using timing::test::slm;
using Kind = observe::RecordedMessage::Kind;
using Messages = std::vector<observe::RecordedMessage>;

/// A kernel that is known to be held back by one thing.
struct Made {
  const char* bound;
  std::string block;
  uint64_t groups;
  uint32_t threads;
  unsigned rounds;
  std::function<Messages(uint64_t group, uint32_t thread)> round;  ///< messages of one round
  const char* waited_for = "";                                     ///< what the most waited for instruction contains
};

std::string chain() {
  std::string text;
  for (int i = 0; i < 50; ++i) text += "(W) add (8|M0) r10.0<1>:f r10.0<8;8,1>:f r12.0<8;8,1>:f {F@1}\n";
  return text;
}

std::string matrix() {
  std::string text;
  for (int i = 0; i < 8; ++i) {
    const std::string to = "r" + std::to_string(40 + 8 * i);
    text.append("(W) dpas.8x8 (8|M0) ").append(to).append(":f ").append(to).append(":f r20:bf r30.0:bf\n");
  }
  return text;
}

Messages none(uint64_t, uint32_t) { return {}; }

const std::vector<Made>& made() {
  static const std::vector<Made> all{
      {"XMX", matrix(), 128, 32, 20, none},
      {"ALU", "(W) mad (16|M0) r10.0<1>:f r12.0<8;1>:f r14.0<8;1>:f r16.0<1>:f", 128, 32, 400, none},
      {"latency", chain(), 32, 2, 40, none, "add"},
      {"L1",
       "(W) load.ugm.d32x64t.a64.ca.ca (1|M0) r20:8 [r4:1] {$0}\n(W) load.ugm.d32x64t.a64.ca.ca (1|M0) r30:8 [r4:1] "
       "{$1}",
       128, 32, 50, [](uint64_t, uint32_t t) { return Messages(2, lines(Kind::Load, 5000 + 4 * t, 4)); }},
      {"SLM", "(W) load.slm.d32x64t.a32 (1|M0) r30:8 [r5:1] {$0}", 128, 32, 50,
       [](uint64_t, uint32_t) { return Messages{slm(Kind::Load, 0, 64, 4)}; }},
      {"DRAM", "(W) load.ugm.d32x64t.a64.ca.ca (1|M0) r20:8 [r4:1] {$0}", 512, 32, 40,
       [](uint64_t, uint32_t) { return Messages{lines(Kind::Load, 0, 4)}; }},
      {"barrier", "(W) send.gtwy (1|M0) null r6 null:0 0x0 0x02000004\nsync.bar null", 128, 32, 50,
       [](uint64_t, uint32_t) { return Messages{other(Kind::BarrierSignal)}; }},
      {"launch", "(W) mov (8|M0) r10.0<1>:f r11.0<8;8,1>:f", 1, 2, 1, none},
  };
  return all;
}

KernelProfile profile_of(const Made& one) {
  Maker maker(isa::Platform::XeHpg, {one.block});
  maker.recording().barriers = 1;
  uint64_t line = 100'000;
  const bool streams = std::string(one.bound) == "DRAM";  // every line is asked for once
  const auto& recording =
      maker.make(one.groups, one.threads, std::vector<uint16_t>(one.rounds, 0), [&](uint64_t g, uint32_t t) {
        Messages all;
        for (unsigned i = 0; i < one.rounds; ++i) {
          for (observe::RecordedMessage m : one.round(g, t)) {
            if (streams) {
              m.first_line = line;
              line += m.lines;
            }
            all.push_back(m);
          }
        }
        return all;
      });
  return profile(recording);
}

TimeProfile time_of(const KernelProfile& profile, unsigned cores = 0) {
  // The kernels are short: without the time before the first thread, which would bound them all.
  const device::Device& device = device::find_device("a770");
  timing::Parameters parameters = timing::parameters_of(device);
  parameters.launch_front_us = 0;
  parameters.dispatch = 1;
  return time_profile(profile.recording, device, parameters, "esimd", cores, 2);
}

TEST(TimeProfile, NamesWhatBoundsAKernel) {
  for (const Made& one : made()) {
    const KernelProfile profile = profile_of(one);
    const TimeProfile time = time_of(profile);
    std::ostringstream text;
    print_time(text, profile, time, nullptr);
    EXPECT_EQ(time.bound, one.bound) << text.str();
    EXPECT_THAT(text.str(), ::testing::HasSubstr(std::string("bound: ") + one.bound));
    EXPECT_THAT(text.str(), ::testing::HasSubstr("simulated"));
    if (*one.waited_for != '\0') {
      EXPECT_THAT(text.str(), ::testing::HasSubstr(one.waited_for));
    }
  }
}

TEST(TimeProfile, SharesAddUpToAllOfTheTime) {
  for (const Made& one : made()) {
    for (const unsigned cores : {0U, 1U}) {
      const KernelProfile profile = profile_of(one);
      const TimeProfile time = time_of(profile, cores);
      double sum = 0, of_instructions = 0, without = 0;
      for (const ThreadTime& part : time.times) {
        EXPECT_GT(part.share, 0);
        sum += part.share;
        if (!part.instruction) without += part.share;
      }
      for (std::size_t i = 0; i < profile.executed.size(); ++i) of_instructions += time.share_of(i);
      EXPECT_NEAR(sum, 1, 1e-9) << one.bound << ", " << cores << " cores";
      EXPECT_NEAR(of_instructions + without, 1, 1e-9) << one.bound;
      // JSON says the same.
      double in_json = 0;
      const auto json = time_json(profile, time);
      for (const auto& part : json.at("thread_time")) in_json += part.at("share").get<double>();
      EXPECT_NEAR(in_json, 1, 1e-9);
      EXPECT_EQ(json.at("bound"), time.bound);
      EXPECT_EQ(json.at("metrics").at("occupancy"), time.metrics.occupancy);
    }
  }
}

TEST(TimeProfile, NoRoofIsAboveTheTimeAndTheNearestComesFirst) {
  for (const Made& one : made()) {
    const TimeProfile time = time_of(profile_of(one));
    std::set<std::string> names;
    for (std::size_t i = 0; i < time.roofs.size(); ++i) {
      const Roof& roof = time.roofs[i];
      names.insert(roof.name);
      EXPECT_GE(roof.busy, 0) << roof.name;
      // The clock counts in whole ticks: half a tick of the 384 that a line takes in a channel of the memory.
      EXPECT_LE(roof.busy, 1 + 0.5 / 384) << one.bound << ": " << roof.name;
      EXPECT_NEAR(roof.at_least_us, roof.busy * time.kernel_us, 1e-9);
      EXPECT_LE(roof.busy, time.roofs[i == 0 ? 0 : i - 1].busy);
    }
    EXPECT_EQ(names, (std::set<std::string>{"XMX", "ALU", "send", "SLM", "L1", "L2", "DRAM"}));
  }
}

TEST(TimeProfile, TheListingGetsColumns) {
  KernelProfile profile = profile_of(made()[2]);
  const TimeProfile time = time_of(profile);
  const std::size_t before = profile.columns.size();
  add_time_columns(profile, time);
  ASSERT_EQ(profile.columns.size(), before + 3);
  for (const ProfileColumn& column : profile.columns) EXPECT_EQ(column.cells.size(), profile.executed.size());
  EXPECT_EQ(profile.columns[before + 1].cells[10], "wait_pipe");
}

TEST(TimeProfile, DifferencesBelowTheErrorAreNotRanked) {
  const KernelProfile profile = profile_of(made()[0]);
  TimeProfile time = time_of(profile), base = time;
  const auto text = [&] {
    std::ostringstream out;
    print_time(out, profile, time, &base);
    return out.str();
  };
  ASSERT_TRUE(time.error);
  base.per_launch_us = time.per_launch_us * (1 + 0.9 * time.error->mape / 100);
  EXPECT_THAT(text(), ::testing::HasSubstr("neither is called faster"));
  base.per_launch_us = time.per_launch_us * (1 + 1.5 * time.error->mape / 100);
  EXPECT_THAT(text(), ::testing::HasSubstr("faster by more than the model's error"));
  base.per_launch_us = time.per_launch_us / (1 + 1.5 * time.error->mape / 100);
  EXPECT_THAT(text(), ::testing::HasSubstr("slower by more than the model's error"));
  time.error.reset();
  EXPECT_THAT(text(), ::testing::HasSubstr("neither is called faster"));
}

TEST(ModelErrors, AreThoseOfTheDocumentation) {
  std::ifstream in(std::string(XEFORGE_TEST_SOURCE_DIR) + "/../../docs/timing.md");
  std::string line;
  std::set<std::string> compared;
  while (std::getline(in, line)) {
    struct Row {
      const char *title, *family;
      bool whole_gpu;
    };
    for (const auto& [title, family, whole_gpu] : {Row{"all rows", "", false},
                                                   {"plain SYCL", "sycl", false},
                                                   {"joint_matrix", "joint_matrix", false},
                                                   {"ESIMD", "esimd", false},
                                                   {"all rows, all Xe-cores", "", true},
                                                   {"plain SYCL, all Xe-cores", "sycl", true},
                                                   {"joint_matrix, all Xe-cores", "joint_matrix", true},
                                                   {"ESIMD, all Xe-cores", "esimd", true}}) {
      const std::string begin = std::string("| ") + title + " | ";
      if (!line.starts_with(begin)) continue;
      std::istringstream rest(line.substr(begin.size()));
      unsigned rows = 0;
      double mape = 0;
      char bar = 0;
      rest >> rows >> bar >> mape;
      const auto error = measured_error("a770", family, whole_gpu);
      ASSERT_TRUE(error) << family;
      EXPECT_EQ(error->whole_gpu, whole_gpu) << line;
      EXPECT_EQ(error->rows, rows) << line;
      EXPECT_DOUBLE_EQ(error->mape, mape) << line;
      compared.insert(title);
    }
  }
  EXPECT_EQ(compared.size(), 8u);
}

TEST(ModelErrors, AreOfTheModeAskedForAndNoneForOthers) {
  EXPECT_TRUE(measured_error("a770", "esimd", true)->whole_gpu);
  EXPECT_FALSE(measured_error("a770", "sycl", false)->whole_gpu);
  EXPECT_FALSE(measured_error("a770", "xe2", true));
  EXPECT_FALSE(measured_error("b60", "esimd", true));
}

}  // namespace
}  // namespace xeforge::lab
