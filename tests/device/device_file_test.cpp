// SPDX-License-Identifier: Apache-2.0
#include "device/device_file.h"

#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace xeforge::device {
namespace {

using ::testing::HasSubstr;

std::string_view family_text(const std::string& family) {
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.name == "families/" + family) return file.text;
  }
  throw std::invalid_argument("no family " + family);
}

std::string file_text(const std::string& name) {
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.name == name) return std::string(file.text);
  }
  throw std::invalid_argument("no file " + name);
}

/// The a770 file with one piece of text exchanged.
std::string changed(const std::string& from, const std::string& to) {
  std::string text = file_text("a770");
  const size_t at = text.find(from);
  if (at == std::string::npos) throw std::invalid_argument("the a770 file has no " + from);
  return text.replace(at, from.size(), to);
}

std::string error_of(const std::string& text) {
  try {
    parse_device(text, "test.yaml", family_text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no error";
}

TEST(DeviceFileTest, ADeviceOverridesItsFamily) {
  const Device device = parse_device(changed("  slices:", "  barriers_per_core: { value: 48, source: ids }\n  slices:"),
                                     "test.yaml", family_text);
  EXPECT_EQ(device.barriers_per_core, 48u);
  EXPECT_THAT(device.parameter("barriers_per_core").source, HasSubstr("ocloc ids"));
  EXPECT_EQ(device.threads_per_eu, 8u);
}

TEST(DeviceFileTest, KeepsSourcesThatDisagree) {
  const Device device = parse_device(file_text("a770"), "a770.yaml", family_text);
  EXPECT_EQ(device.parameter("barriers_per_core").low, 32);
  EXPECT_EQ(device.parameter("barriers_per_core").high, 128);
  EXPECT_EQ(device.parameter("clock_mhz").low, 2100);
}

TEST(DeviceFileTest, ErrorsNameFileLineAndKey) {
  EXPECT_THAT(error_of(changed("slices: { value: 8, source: sycl_report }", "slices: { value: 8 }")),
              HasSubstr("has no source"));
  EXPECT_THAT(error_of(changed("slices: { value: 8, source: sycl_report }", "slices: { value: 8, source: hearsay }")),
              HasSubstr("'hearsay'"));
  EXPECT_THAT(error_of(changed("slices: { value: 8,", "slices: { vaule: 8,")), HasSubstr("unknown key 'vaule'"));
  EXPECT_THAT(error_of(changed("slices: { value: 8,", "slices: { value: eight,")), HasSubstr("must be a number"));
  EXPECT_THAT(error_of(changed("value: 2400, low: 2100", "value: 2400, low: 2500")),
              HasSubstr("outside its own range"));
  EXPECT_THAT(error_of(changed("ocloc: dg2-g10", "oclok: dg2-g10")), HasSubstr("unknown key 'oclok'"));
  EXPECT_THAT(error_of(changed("ocloc: dg2-g10\n", "")), HasSubstr("no 'ocloc'"));
  EXPECT_THAT(error_of(changed("  slices: { value: 8, source: sycl_report }\n", "")), HasSubstr("no 'slices'"));
  EXPECT_THAT(error_of(changed("family: xe_hpg", "family: xe_hpx")), HasSubstr("xe_hpx"));
  EXPECT_THAT(error_of(changed("numbers:", "numbers:\n  simd_width: { value: 16, source: ids }")),
              HasSubstr("simd_width does not fit"));
  EXPECT_THAT(error_of("id: [a"), HasSubstr("test.yaml"));
  EXPECT_THAT(error_of(changed("slices: { value: 8, source: sycl_report }", "slices: { value: 8 }")),
              HasSubstr("device file test.yaml line "));
}

}  // namespace
}  // namespace xeforge::device
