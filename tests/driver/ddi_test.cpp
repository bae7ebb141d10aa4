// SPDX-License-Identifier: Apache-2.0
//
// The tables of entry points: complete, and never written beyond what the asked-for version has.
#include <cstring>
#include <string>

#include <gtest/gtest.h>

#include "level_zero/ze_api.h"
#include "level_zero/ze_ddi.h"
#include "ze_fixture.h"

namespace {

using Entry = void (*)();

// A getter, its table, and the API version of each entry.
struct TableCase {
  const char* name;
  ze_result_t (*get)(ze_api_version_t, void*);
  size_t bytes;
  std::vector<unsigned> versions;
};

#define XF_TABLE(Name, name)                                                                                                    \
  TableCase {                                                                                                                   \
#Name,                                                                                                                      \
        [](ze_api_version_t v,                                                                                                  \
           void*                                                                                                                \
               t) { return zeGet##Name##ProcAddrTable(v, static_cast<ze_##name##_dditable_t*>(t)); },                           \
                                                                                                   sizeof(                      \
                                                                                                       ze_##name##_dditable_t), \
    {
#define XF_ENTRY(Name, Function, field, major, minor, how) ZE_MAKE_VERSION(major, minor),
#define XF_TABLE_END(Name, name) \
  }                              \
  }                              \
  ,
const std::vector<TableCase>& tables() {
  static const std::vector<TableCase> all{
#include "driver/entry_points.def"
  };
  return all;
}

class EveryTable : public ::testing::TestWithParam<size_t> {};

TEST_P(EveryTable, HasOneRowForEachEntryOfTheHeader) {
  const TableCase& table = tables()[GetParam()];
  EXPECT_EQ(table.bytes, table.versions.size() * sizeof(Entry))
      << "entry_points.def does not list all of " << table.name;
}

TEST_P(EveryTable, IsFilledCompletelyForTheCurrentVersion) {
  const TableCase& table = tables()[GetParam()];
  std::vector<Entry> entries(table.versions.size(), nullptr);
  ASSERT_EQ(ZE_RESULT_SUCCESS, table.get(ZE_API_VERSION_CURRENT, entries.data()));
  for (size_t i = 0; i < entries.size(); ++i) {
    EXPECT_NE(nullptr, entries[i]) << table.name << " entry " << i;
  }
}

TEST_P(EveryTable, KeepsWithinTheAskedForVersion) {
  const TableCase& table = tables()[GetParam()];
  for (unsigned minor = 0; minor <= 17; ++minor) {
    const unsigned version = ZE_MAKE_VERSION(1, minor);
    std::vector<Entry> entries(table.versions.size());
    std::memset(static_cast<void*>(entries.data()), 0xA5, entries.size() * sizeof(Entry));
    const std::vector<Entry> untouched = entries;
    ASSERT_EQ(ZE_RESULT_SUCCESS, table.get(static_cast<ze_api_version_t>(version), entries.data()));
    for (size_t i = 0; i < entries.size(); ++i) {
      if (table.versions[i] > version) {
        EXPECT_EQ(untouched[i], entries[i]) << table.name << " entry " << i << " written for version 1." << minor;
      } else {
        EXPECT_NE(untouched[i], entries[i]) << table.name << " entry " << i << " missing for version 1." << minor;
      }
    }
  }
}

TEST_P(EveryTable, RefusesNullAndOtherMajorVersions) {
  const TableCase& table = tables()[GetParam()];
  std::vector<Entry> entries(table.versions.size(), nullptr);
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, table.get(ZE_API_VERSION_CURRENT, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_VERSION,
            table.get(static_cast<ze_api_version_t>(ZE_MAKE_VERSION(2, 0)), entries.data()));
}

INSTANTIATE_TEST_SUITE_P(All, EveryTable, ::testing::Range(size_t{0}, tables().size()),
                         [](const auto& param) { return std::string(tables()[param.param].name); });

// Version 1.8 is what the loader of Debian bookworm asks for: its table of lists ends before 1.9's entries.
TEST(OldLoader, GetsNoEntryBehindItsTable) {
  struct {
    ze_command_list_dditable_t table;
  } guarded{};
  ASSERT_EQ(ZE_RESULT_SUCCESS,
            zeGetCommandListProcAddrTable(static_cast<ze_api_version_t>(ZE_MAKE_VERSION(1, 8)), &guarded.table));
  EXPECT_EQ(&zeCommandListHostSynchronize, guarded.table.pfnHostSynchronize);
  EXPECT_EQ(nullptr, guarded.table.pfnGetDeviceHandle);
}

TEST(Refused, FunctionsSayUnsupportedFeature) {
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, zeImageCreate(nullptr, nullptr, nullptr, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, zeSamplerDestroy(nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
            zeCommandListAppendImageCopy(nullptr, nullptr, nullptr, nullptr, 0, nullptr));
}

using Refusal = xeforge::driver_test::ZeTest;

TEST_F(Refusal, IsTheLastErrorByName) {
  ASSERT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, zeSamplerCreate(context, device, nullptr, nullptr));
  const char* text = nullptr;
  ASSERT_EQ(ZE_RESULT_SUCCESS, zeDriverGetLastErrorDescription(driver, &text));
  EXPECT_NE(std::string::npos, std::string(text).find("zeSamplerCreate")) << text;
}

}  // namespace
