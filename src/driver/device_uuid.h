// SPDX-License-Identifier: Apache-2.0
//
// The identity of a device that Level Zero and OpenCL report alike, so that programs recognise it.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "device/device.h"

namespace xeforge::driver {

/// The layout that NEO uses: vendor, device, revision, PCI domain (16 bits each), bus, device, function, 4 zero bytes,
/// sub-device.
inline std::array<uint8_t, 16> device_uuid(const device::Device& model) {
  std::array<uint8_t, 16> uuid{};
  const uint16_t words[4] = {0x8086, static_cast<uint16_t>(model.pci_device_id), 0, 0};
  std::memcpy(uuid.data(), words, sizeof words);
  uuid[8] = 3;  // bus; must agree with zeDevicePciGetPropertiesExt
  return uuid;
}

}  // namespace xeforge::driver
