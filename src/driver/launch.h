// SPDX-License-Identifier: Apache-2.0
//
// From a kernel object and a grid to the machine, and from its result to reports and failures.
#pragma once

#include "driver/kernel.h"
#include "driver/timeline.h"

namespace xeforge::driver {

/// A launch with everything captured.
struct LaunchRequest {
  std::shared_ptr<ModuleImage> image;
  machine::Launch launch;
};

/// Captures the kernel's present state. Throws ApiError for a launch that the device would refuse:
/// group size not set, too much local memory, an argument never set, a kernel marked invalid.
LaunchRequest capture_launch(const Kernel& kernel, const std::array<uint32_t, 3>& groups);

/// Runs it now, on this thread: reports it, and turns a fault of the kernel into a failure.
Outcome run_launch(LaunchRequest request);

}  // namespace xeforge::driver
