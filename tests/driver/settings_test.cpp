// SPDX-License-Identifier: Apache-2.0
#include "driver/settings.h"

#include <map>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace xeforge::driver {
namespace {

std::map<std::string, std::string>& variables() {
  static std::map<std::string, std::string> map;
  return map;
}

const char* lookup(const char* name) {
  const auto it = variables().find(name);
  return it == variables().end() ? nullptr : it->second.c_str();
}

TEST(Settings, HaveDefaults) {
  variables().clear();
  const Settings s = read_settings(lookup);
  EXPECT_EQ("a770", s.device);
  EXPECT_EQ(0U, s.host_threads);
  EXPECT_FALSE(s.verbose);
  EXPECT_TRUE(s.report_file.empty());
}

TEST(Settings, ComeFromTheirVariables) {
  variables() = {{"XEFORGE_DEVICE", "lnl"},        {"XEFORGE_HOST_THREADS", "3"},  {"XEFORGE_WATCHDOG", "5000000000"},
                 {"XEFORGE_VERBOSE", "1"},         {"XEFORGE_REPORT", "/tmp/r"},   {"XEFORGE_DUMP_MODULES", "/tmp/d"},
                 {"XEFORGE_STRICT_SURFACES", "0"}, {"XEFORGE_EXCHANGE_PAIRS", "1"}};
  const Settings s = read_settings(lookup);
  EXPECT_EQ("lnl", s.device);
  EXPECT_EQ(3U, s.host_threads);
  EXPECT_EQ(5'000'000'000U, s.watchdog_instructions);
  EXPECT_TRUE(s.verbose);
  EXPECT_FALSE(s.stateful_bounds_are_errors);
  EXPECT_TRUE(s.exchange_pairs);
  EXPECT_EQ("/tmp/r", s.report_file);
  EXPECT_EQ("/tmp/d", s.dump_directory);
}

TEST(Settings, NameTheVariableThatCannotBeRead) {
  for (const char* bad : {"two", "-1", "4x", "99999999999999"}) {
    variables() = {{"XEFORGE_HOST_THREADS", bad}};
    try {
      read_settings(lookup);
      FAIL() << bad;
    } catch (const std::invalid_argument& e) {
      EXPECT_NE(std::string::npos, std::string(e.what()).find("XEFORGE_HOST_THREADS")) << e.what();
    }
  }
}

TEST(Settings, RefuseWrongResultsWhereNothingIsRecorded) {
  variables() = {{"XEFORGE_CONTROL_ONLY", "1"}};
  EXPECT_THROW(read_settings(lookup), std::invalid_argument);
  variables()["XEFORGE_RECORD"] = "/tmp/r";
  EXPECT_TRUE(read_settings(lookup).control_only);
}

}  // namespace
}  // namespace xeforge::driver
