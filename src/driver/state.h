// SPDX-License-Identifier: Apache-2.0
//
// The one driver, its one device, and what they own.
#pragma once

#include <memory>
#include <mutex>

#include "device/device.h"
#include "driver/object.h"
#include "driver/usm.h"

namespace xeforge::driver {

struct Driver : Object<ObjectKind::Driver, ze_driver_handle_t> {};

struct Device : Object<ObjectKind::Device, ze_device_handle_t> {
  explicit Device(const device::Device& which) : model(which), usm(which.memory_bytes) {}
  const device::Device& model;
  Usm usm;
  /// One kernel at a time: the machine uses all host threads for it.
  std::mutex execution;
};

struct Context : Object<ObjectKind::Context, ze_context_handle_t> {};

struct State {
  explicit State(const device::Device& which) : device(which) {}
  Driver driver;
  Device device;
  Context default_context;
};

/// Chosen by XEFORGE_DEVICE at the first call. Throws ApiError UNINITIALIZED (and says so on
/// stderr) if there is no such device.
State& state();

}  // namespace xeforge::driver
