// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "driver/module.h"
#include "driver/object.h"
#include "machine/launch.h"

namespace xeforge::driver {

struct Kernel : Object<ObjectKind::Kernel, ze_kernel_handle_t> {
  std::shared_ptr<ModuleImage> image;
  std::shared_ptr<const machine::Kernel> code;
  std::vector<machine::ArgumentValue> arguments;
  std::array<uint32_t, 3> group_size{0, 0, 0};  ///< zeros: not set
  std::array<uint64_t, 3> global_offset{0, 0, 0};
  ze_kernel_indirect_access_flags_t indirect_access = 0;

  const binary::Kernel& binary() const { return code->binary; }

  /// As zeKernelSetArgumentValue. Throws ApiError with the code that belongs to the mistake.
  void set_argument(uint32_t index, size_t size, const void* value);
  /// One pointer per argument to its value, sizes from the binary; local memory: to a size_t.
  void set_arguments(void* const* values);
  void set_group_size(uint32_t x, uint32_t y, uint32_t z);
};

/// Work-items that a group of this kernel may have: limited by the device and by the hardware
/// threads of one core, of which a kernel with 256 registers gets half.
uint32_t max_group_size(const binary::Kernel& kernel, const device::Device& model);

/// A group size for this global size: the largest divisors that fit, x first.
std::array<uint32_t, 3> suggest_group_size(const binary::Kernel& kernel, const device::Device& model,
                                           const std::array<uint32_t, 3>& global);

/// Groups of `group_size` items that are resident at the same time on the whole device.
uint32_t max_resident_groups(const Kernel& kernel, const device::Device& model);

}  // namespace xeforge::driver
