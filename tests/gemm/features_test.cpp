// SPDX-License-Identifier: Apache-2.0
//
// What is found out about a device, against the device's own data file; and what is refused for want of it. Run once
// per virtual device (XEFORGE_DEVICE).
#include "xeforge/gemm/features.h"

#include <cstdlib>
#include <ostream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "device/device.h"
#include "xeforge/gemm.h"

namespace xeforge::gemm {
namespace {

using testing::HasSubstr;

const device::Device& model() { return device::find_device(std::getenv("XEFORGE_DEVICE")); }
Features found() { return probe(sycl::device(sycl::gpu_selector_v)); }

TEST(Features, AreThoseOfTheDevice) {
  const Features features = found();
  const device::Device& device = model();
  EXPECT_EQ(features.device, device.name);
  EXPECT_EQ(features.architecture, device.sycl_architecture);
  EXPECT_TRUE(features.has_esimd);
  EXPECT_EQ(features.has_block2d, device.has_block2d);
  EXPECT_EQ(features.named_barriers, device.named_barriers);
  EXPECT_EQ(features.has_dpasw, device.has_dpasw);
  EXPECT_EQ(features.has_large_grf, true);
  EXPECT_EQ(features.largest_group, device.max_group_size);
  EXPECT_EQ(features.local_memory, device.slm_per_group);
  EXPECT_THAT(features.sub_group_sizes, testing::UnorderedElementsAreArray(device.sub_group_sizes));
  for (const auto& c : device.matrix_combinations) {
    if (c.a_type == "bf16" && c.c_type == "f32") {
      EXPECT_EQ(features.dpas_width(), c.n);
    }
  }
}

TEST(Features, AMatrixShapeIsOneOfTheEngine) {
  EXPECT_THAT(found().bf16_shapes, testing::Contains(MatrixShape{8, found().dpas_width(), 16}));
}

/// What the guide warns of, as needs of a kernel.
struct Forbidden {
  const char* name;
  Needs needs;
  bool on_dg2, on_xe2;  ///< refused there
  const char* says;
};
void PrintTo(const Forbidden& row, std::ostream* out) { *out << row.name; }

class EveryForbiddenCase : public testing::TestWithParam<Forbidden> {};

TEST_P(EveryForbiddenCase, IsRefusedWithTheReason) {
  const bool dg2 = model().platform == isa::Platform::XeHpg;
  const std::string reason = reason_against(GetParam().needs, found());
  if (dg2 ? GetParam().on_dg2 : GetParam().on_xe2) {
    EXPECT_THAT(reason, HasSubstr(GetParam().says));
  } else {
    EXPECT_EQ(reason, "");
  }
}

INSTANTIATE_TEST_SUITE_P(
    Table, EveryForbiddenCase,
    testing::Values(Forbidden{"Dpas16Wide", {.esimd = true, .dpas_width = 16}, true, false, "16 columns wide"},
                    Forbidden{"Dpas8Wide", {.esimd = true, .dpas_width = 8}, false, true, "8 columns wide"},
                    Forbidden{"Block2d", {.block2d = true}, true, false, "no 2D block messages"},
                    Forbidden{"NamedBarriers", {.named_barriers = 1}, true, false, "1 named barriers"},
                    Forbidden{"Dpasw", {.dpasw = true}, false, true, "no fused threads"},
                    Forbidden{"SubGroupOf8", {.sub_group_size = 8}, false, true, "sub-groups of 8"},
                    Forbidden{"SubGroupOf64", {.sub_group_size = 64}, true, true, "sub-groups of 64"},
                    Forbidden{"LargeRegisters", {.large_grf = true}, false, false, ""},
                    Forbidden{
                        "MuchLocalMemory", {.local_memory = 1 << 20}, true, true, "1048576 bytes of local memory"},
                    Forbidden{"HugeGroup", {.group = 4096}, true, true, "groups of 4096"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(Features, WhatIsNotKnownCountsAsMissing) {
  Features unknown = found();
  unknown.has_large_grf = std::nullopt;
  unknown.named_barriers = std::nullopt;
  unknown.has_dpasw = std::nullopt;
  EXPECT_THAT(reason_against({.large_grf = true}, unknown), HasSubstr("not known to have 256 registers"));
  EXPECT_NE(reason_against({.named_barriers = 1}, unknown), "");
  EXPECT_NE(reason_against({.dpasw = true}, unknown), "");
}

TEST(Features, TheGeneralKernelRunsWhereItIsBuiltFor) {
  sycl::queue queue{sycl::gpu_selector_v};
  if (model().platform == isa::Platform::XeHpg) {
    EXPECT_EQ(Gemm(queue).features().device, model().name);
    return;
  }
  try {
    const std::vector<Bf16> zeros(128 * 64);
    Gemm(queue).multiply({128, 64, 32}, PackedA::pack(queue, std::span(zeros).first(128 * 32), 128, 32),
                         PackedB::pack(queue, std::span(zeros).first(32 * 64), 32, 64), nullptr);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::UnsupportedDevice);
    EXPECT_THAT(error.what(), HasSubstr("8 columns wide"));
  }
}

}  // namespace
}  // namespace xeforge::gemm
