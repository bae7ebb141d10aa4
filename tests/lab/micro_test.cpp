// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "lab/micro_table.h"

namespace xeforge::lab {
namespace {

bool is_of(const MicroKernel& kernel, const device::Device& device) {
  return !kernel.platform || *kernel.platform == device.platform;
}

TEST(MicroTable, HasEachBenchmarkOnceForEveryDevice) {
  std::set<std::string_view> ids;
  for (const MicroKernel& kernel : micro_kernels()) ids.insert(kernel.id);
  for (const std::string& id : device::device_ids()) {
    std::multiset<std::string_view> there;
    for (const MicroKernel& kernel : micro_kernels()) {
      if (is_of(kernel, device::find_device(id))) there.insert(kernel.id);
    }
    EXPECT_EQ(ids.size(), there.size()) << id;
    EXPECT_EQ(ids, std::set<std::string_view>(there.begin(), there.end())) << id;
  }
}

TEST(MicroTable, NamesRowsOfTheDevicesFiles) {
  for (const MicroKernel& kernel : micro_kernels()) {
    bool published = kernel.published.empty();
    for (const std::string& id : device::device_ids()) {
      const device::Device& device = device::find_device(id);
      if (!is_of(kernel, device)) continue;
      if (!kernel.parameter.empty()) {
        EXPECT_NO_THROW((void)device.parameter(std::string(kernel.parameter))) << id;
      }
      published |= device.parameters.count(std::string(kernel.published)) != 0;
    }
    EXPECT_TRUE(published) << kernel.id << ": no file has " << kernel.published;
  }
}

TEST(MicroTable, SaysWhatEveryThreadLeaves) {
  const device::Device& device = device::find_device("b60");
  for (const MicroKernel& kernel : micro_kernels()) {
    if (!is_of(kernel, device) || kernel.id == "dram_stream") continue;
    MicroLaunch first, second;
    kernel.launches(device, 1, first, second);
    EXPECT_EQ(size_t{first.threads()} * 16, kernel.expected(kernel.input(first), first).size()) << kernel.id;
    // A result that does not depend on what is repeated would not show whether it was.
    if (kernel.result == MicroResult::Ratio || kernel.id == "barrier") continue;
    MicroLaunch longer = first;
    longer.trips += 1;
    EXPECT_NE(kernel.expected(kernel.input(first), first), kernel.expected(kernel.input(longer), longer)) << kernel.id;
  }
}

TEST(MicroTable, MoreWorkIsMoreOfTheUnit) {
  for (const std::string& id : device::device_ids()) {
    const device::Device& device = device::find_device(id);
    for (const MicroKernel& kernel : micro_kernels()) {
      if (!is_of(kernel, device)) continue;
      MicroLaunch first, second;
      kernel.launches(device, 1, first, second);
      if (kernel.result == MicroResult::Ratio) continue;
      EXPECT_EQ(first.threads(), second.threads()) << kernel.id;
      EXPECT_GT(kernel.amount(device, second), 1.9 * kernel.amount(device, first)) << kernel.id;
    }
  }
}

}  // namespace
}  // namespace xeforge::lab
