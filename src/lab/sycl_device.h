// SPDX-License-Identifier: Apache-2.0
//
// The SYCL side of a device: finding it, and what must be known about it before a kernel is chosen.
#pragma once

#include <string>

#include <sycl/sycl.hpp>

#include "gemm/catalog.h"

namespace xeforge::lab {

/// The Level Zero GPU that prepare_process() made visible. Throws UserError (NoDevice) if there is none.
sycl::device find_sycl_device(const std::string& id);

/// Instruction set family of a device, by what it says about its matrix engine: fragments are 8 wide on Xe-HPG and 16
/// wide on Xe2. Target::Any for a device that says neither.
gemm::Target target_of(const sycl::device& device);

}  // namespace xeforge::lab
