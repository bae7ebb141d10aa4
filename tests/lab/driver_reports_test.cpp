// SPDX-License-Identifier: Apache-2.0
#include "lab/driver_reports.h"

#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include <gtest/gtest.h>

#include "sample_report.h"

namespace {

using namespace xeforge::lab;
namespace data = xeforge::lab::testing_data;

TEST(DriverReports, AreReadBack) {
  const KernelReport report = parse_report(data::report("gemm", data::kFault));
  EXPECT_EQ(report.kernel, "gemm");
  EXPECT_EQ(report.groups[1], 24U);
  EXPECT_EQ(report.threads, 6144U);
  EXPECT_EQ(report.compiled.slm_bytes, 16384U);
  EXPECT_EQ(report.count("send"), 1500000U);
  EXPECT_EQ(report.count("unknown"), 0U);
  ASSERT_TRUE(report.fault);
  EXPECT_EQ(report.fault->kind, "OutOfBounds");
  EXPECT_EQ(report.fault->lane, 2);
  EXPECT_EQ(report.fault->occurrences, 3U);
  EXPECT_FALSE(parse_report(data::report("gemm")).fault);
}

TEST(DriverReports, ArraysAreReadBack) {
  EXPECT_EQ(parse_reports("[]").size(), 0U);
  EXPECT_EQ(parse_reports("[" + data::report("a") + "," + data::report("b") + "]").at(1).kernel, "b");
}

TEST(DriverReports, MalformedOnesAreNamed) {
  for (const char* text : {"", "{", "[]", "{}", R"({"kernel": 3})"})
    EXPECT_THROW(parse_report(text), std::runtime_error) << text;
}

TEST(DriverReports, FilesWithACutLastLine) {
  std::string name = "/tmp/xeforge-report-XXXXXX";
  const int descriptor = ::mkstemp(name.data());
  ASSERT_GE(descriptor, 0);
  std::ofstream(name) << data::report("first") << '\n'
                      << data::report("second") << '\n'
                      << data::report("third").substr(0, 40);
  EXPECT_EQ(read_report_file(name).size(), 2U);
  std::remove(name.c_str());
  EXPECT_EQ(read_report_file(name).size(), 0U);
}

}  // namespace
