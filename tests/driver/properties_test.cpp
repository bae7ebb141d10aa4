// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <set>
#include <string>

#include "xeforge/driver_ext.h"
#include "ze_fixture.h"

namespace xeforge::driver_test {
namespace {

using Properties = ZeTest;

TEST_F(Properties, OfTheA770AreThoseThatSyclRecognises) {
  ze_device_ip_version_ext_t ip{ZE_STRUCTURE_TYPE_DEVICE_IP_VERSION_EXT, nullptr, 0};
  ze_eu_count_ext_t eus{ZE_STRUCTURE_TYPE_EU_COUNT_EXT, &ip, 0};
  ze_device_properties_t p{};
  p.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2;
  p.pNext = &eus;
  ZE_OK(zeDeviceGetProperties(device, &p));
  EXPECT_EQ(ZE_DEVICE_TYPE_GPU, p.type);
  EXPECT_EQ(0x8086U, p.vendorId);
  EXPECT_EQ(0x56A0U, p.deviceId);
  EXPECT_EQ(0x030DC008U, ip.ipVersion);
  EXPECT_EQ(512U, eus.numTotalEUs);
  EXPECT_EQ(512U, p.numSlices * p.numSubslicesPerSlice * p.numEUsPerSubslice);
  EXPECT_EQ(1'000'000'000U, p.timerResolution);
  EXPECT_LT(p.kernelTimestampValidBits, 64U);

  ze_device_properties_t old{};
  old.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  ZE_OK(zeDeviceGetProperties(device, &old));
  EXPECT_EQ(1U, old.timerResolution) << "the first version of the structure wants nanoseconds per tick";
}

TEST_F(Properties, ModuleFlagsSayWhatTheHardwareHas) {
  struct {
    uint32_t stype;
    void* next;
    uint32_t flags;
  } dot{0x00030013, nullptr, 0};
  ze_float_atomic_ext_properties_t atomics{ZE_STRUCTURE_TYPE_FLOAT_ATOMIC_EXT_PROPERTIES, &dot, 0, 0, 0};
  ze_device_module_properties_t p{};
  p.stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES;
  p.pNext = &atomics;
  ZE_OK(zeDeviceGetModuleProperties(device, &p));
  EXPECT_NE(0U, p.flags & ZE_DEVICE_MODULE_FLAG_FP16);
  EXPECT_EQ(0U, p.flags & ZE_DEVICE_MODULE_FLAG_FP64) << "an A770 has no double precision";
  EXPECT_EQ(3U, dot.flags) << "dp4a and dpas";
  EXPECT_NE(0U, atomics.fp32Flags & ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_ADD);
}

TEST_F(Properties, ArraysFollowTheTwoCallPattern) {
  uint32_t count = 0;
  ZE_OK(zeDeviceGetCommandQueueGroupProperties(device, &count, nullptr));
  EXPECT_EQ(2U, count);
  std::vector<ze_command_queue_group_properties_t> groups(5);
  count = 5;
  ZE_OK(zeDeviceGetCommandQueueGroupProperties(device, &count, groups.data()));
  EXPECT_EQ(2U, count) << "no more than there are";
  EXPECT_NE(0U, groups[0].flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE);
  EXPECT_EQ(0U, groups[1].flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE);

  ze_device_memory_ext_properties_t ext{};
  ext.stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_EXT_PROPERTIES;
  ze_device_memory_properties_t memory{};
  memory.stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES;
  memory.pNext = &ext;
  count = 1;
  ZE_OK(zeDeviceGetMemoryProperties(device, &count, &memory));
  EXPECT_EQ(uint64_t{16} << 30, memory.totalSize);
  EXPECT_EQ(560U, ext.readBandwidth);
}

TEST_F(Properties, NullHandlesAndPointersAreErrors) {
  ze_device_properties_t p{};
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, zeDeviceGetProperties(nullptr, &p));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeDeviceGetProperties(device, nullptr));
  // A handle of another kind is noticed too.
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeDeviceGetProperties(reinterpret_cast<ze_device_handle_t>(context), &p));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeDriverGet(nullptr, nullptr));
}

TEST_F(Properties, ExtensionFunctionsAreFoundByName) {
  void* address = nullptr;
  ZE_OK(zeDriverGetExtensionFunctionAddress(driver, XEFORGE_TAKE_REPORTS_NAME, &address));
  EXPECT_EQ('[', *reinterpret_cast<xeforge_take_reports_t>(address)());
  ZE_OK(zeDriverGetExtensionFunctionAddress(driver, XEFORGE_VERSION_NAME, &address));
  EXPECT_NE(nullptr, std::strstr(reinterpret_cast<xeforge_version_t>(address)(), "simulated a770"));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT,
            zeDriverGetExtensionFunctionAddress(driver, "zeNoSuchFunction", &address));
  EXPECT_EQ(nullptr, address);
}

TEST_F(Properties, ExtensionsAreNamedOnce) {
  uint32_t count = 0;
  ZE_OK(zeDriverGetExtensionProperties(driver, &count, nullptr));
  std::vector<ze_driver_extension_properties_t> extensions(count);
  ZE_OK(zeDriverGetExtensionProperties(driver, &count, extensions.data()));
  std::set<std::string> names;
  for (const auto& extension : extensions) {
    EXPECT_TRUE(names.insert(extension.name).second) << extension.name;
  }
  // Reporting this one would promise dispatch tables in every handle.
  EXPECT_EQ(0U, names.count("ZE_extension_driver_ddi_handles"));
}

TEST_F(Properties, InitDriversHonoursTheKindAskedFor) {
  ze_init_driver_type_desc_t desc{ZE_STRUCTURE_TYPE_INIT_DRIVER_TYPE_DESC, nullptr, ZE_INIT_DRIVER_TYPE_FLAG_NPU};
  uint32_t count = 7;
  ZE_OK(zeInitDrivers(&count, nullptr, &desc));
  EXPECT_EQ(0U, count);
  desc.flags = ZE_INIT_DRIVER_TYPE_FLAG_GPU;
  ZE_OK(zeInitDrivers(&count, nullptr, &desc));
  EXPECT_EQ(1U, count);
}

}  // namespace
}  // namespace xeforge::driver_test
