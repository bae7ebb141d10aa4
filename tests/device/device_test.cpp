// SPDX-License-Identifier: Apache-2.0
#include "device/device.h"

#include <algorithm>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "device/device_file.h"

namespace xeforge::device {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(DeviceTest, KnowsTheDevicesOfTheCommandLine) {
  EXPECT_THAT(device_ids(), ElementsAre("a770", "b580", "b60", "lnl"));
}

TEST(DeviceTest, UnknownIdNamesTheLegalOnes) {
  try {
    find_device("a771");
    FAIL() << "found";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("'a771'"));
    for (const std::string& id : device_ids()) EXPECT_THAT(error.what(), HasSubstr(id));
  }
}

TEST(DeviceTest, SameObjectEveryTime) { EXPECT_EQ(&find_device("b580"), &find_device("b580")); }

TEST(DeviceTest, A770) {
  const Device& device = find_device("a770");
  EXPECT_EQ(device.platform, isa::Platform::XeHpg);
  EXPECT_EQ(device.pci_device_id, 0x56a0u);
  EXPECT_EQ(device.ip_version, 0x030dc008u);
  EXPECT_EQ(device.xe_cores(), 32u);
  EXPECT_EQ(device.xe_cores() * device.eus_per_subslice, 512u);
  EXPECT_EQ(device.threads_per_core(), 128u);
  EXPECT_EQ(device.threads_per_core(256), 64u);
  EXPECT_EQ(device.grf_bytes(), 32u);
  EXPECT_TRUE(device.has_dpasw && device.fused_eus);
  EXPECT_FALSE(device.has_fp64 || device.has_block2d || device.has_tf32);
  EXPECT_THAT(device.sub_group_sizes, ElementsAre(8, 16, 32));
}

TEST(DeviceTest, B580AndLunarLake) {
  const Device& b580 = find_device("b580");
  EXPECT_EQ(b580.xe_cores(), 20u);
  EXPECT_EQ(b580.threads_per_core(), 64u);
  EXPECT_EQ(b580.grf_bytes(), 64u);
  EXPECT_TRUE(b580.has_fp64 && b580.has_block2d && b580.has_tf32);
  EXPECT_FALSE(b580.has_dpasw || b580.fused_eus);
  EXPECT_THAT(b580.sub_group_sizes, ElementsAre(16, 32));
  EXPECT_EQ(find_device("lnl").xe_cores(), 8u);
  EXPECT_EQ(find_device("lnl").ip_version, 0x05010004u);
}

TEST(DeviceTest, SlmIsAllocatedInLegalSizes) {
  const Device& dg2 = find_device("a770");
  EXPECT_EQ(dg2.slm_allocation(0), 0u);
  EXPECT_EQ(dg2.slm_allocation(1), 1024u);
  EXPECT_EQ(dg2.slm_allocation(24 * 1024), 32u * 1024);
  EXPECT_EQ(dg2.slm_allocation(64 * 1024 + 1), 0u);
  EXPECT_EQ(find_device("b580").slm_allocation(20 * 1024), 24u * 1024);
}

// The XMX rate of the data files must give the published peaks: 2048 flop a clock and core.
TEST(DeviceTest, PeaksFollowFromTheNumbers) {
  const auto peak_tflops = [](const Device& device, double mhz) {
    return device.parameter("throughput.xmx16_flops_per_clock").value * device.xe_cores() * mhz * 1e-6;
  };
  EXPECT_NEAR(peak_tflops(find_device("a770"), 2100), 137.6, 0.1);
  EXPECT_NEAR(peak_tflops(find_device("a770"), 2400), 157.3, 0.1);
  EXPECT_NEAR(peak_tflops(find_device("b580"), 2670), 109.4, 0.1);
  EXPECT_NEAR(peak_tflops(find_device("b60"), 2400), 98.3, 0.1);
}

class EveryDevice : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Devices, EveryDevice, ::testing::ValuesIn(device_ids()));

TEST_P(EveryDevice, EveryNumberHasASource) {
  for (const auto& [name, parameter] : find_device(GetParam()).parameters) {
    EXPECT_FALSE(parameter.source.empty()) << name;
    EXPECT_LE(parameter.low, parameter.value) << name;
    EXPECT_GE(parameter.high, parameter.value) << name;
  }
}

TEST_P(EveryDevice, MatrixCombinationsFitTheExecutionSize) {
  const Device& device = find_device(GetParam());
  for (const MatrixCombination& combination : device.matrix_combinations) {
    EXPECT_EQ(combination.m, 8u);
    EXPECT_EQ(combination.n, device.simd_width);
    // Depth 8, and as many elements of a and b as a dword holds.
    const unsigned bits = combination.a_type == "tf32"         ? 32
                          : combination.a_type.ends_with("16") ? 16
                          : combination.a_type.ends_with('8')  ? 8
                                                               : 4;
    EXPECT_EQ(combination.k, 8 * 32 / bits) << combination.a_type;
  }
  const auto is_tf32 = [](const MatrixCombination& c) { return c.a_type == "tf32"; };
  EXPECT_EQ(std::any_of(device.matrix_combinations.begin(), device.matrix_combinations.end(), is_tf32),
            device.has_tf32);
}

TEST_P(EveryDevice, NumbersAgreeWithEachOther) {
  const Device& device = find_device(GetParam());
  EXPECT_EQ(device.simd_width, isa::native_simd(device.platform));
  EXPECT_EQ(device.slm_sizes.back(), device.slm_per_group);
  EXPECT_LE(device.slm_per_group, device.slm_per_core);
  EXPECT_LE(device.slm_per_core, device.l1_bytes);
  EXPECT_EQ(device.parameter("occupancy.driver.slm_per_core").value, device.slm_per_core);
  EXPECT_EQ(device.parameter("occupancy.driver.barriers_per_core").value, device.barriers_per_core);
  EXPECT_EQ(device.has_dpasw, device.fused_eus);
  EXPECT_LE(device.max_alloc_bytes, device.memory_bytes);
  EXPECT_EQ(device.ip_version >> 22, device.platform == isa::Platform::XeHpg ? 12u : 20u);
}

TEST_P(EveryDevice, HasTheParametersThatTimingNeeds) {
  const Device& device = find_device(GetParam());
  for (const char* name : {"latency.alu.simd16", "latency.math.simd16", "latency.slm.simd16", "latency.lsc_l1",
                           "latency.lsc_l3", "latency.barrier", "latency.dpas.rc8", "issue.slots.simd16",
                           "issue.dpas8x8_cycles", "throughput.l1_bytes_per_clock"}) {
    EXPECT_GT(device.parameter(name).value, 0) << name;
    EXPECT_THAT(device.parameter(name).unit, HasSubstr("c")) << name;
  }
  try {
    device.parameter("latency.nothing");
    FAIL() << "found";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("no parameter 'latency.nothing'"));
  }
}

}  // namespace
}  // namespace xeforge::device
