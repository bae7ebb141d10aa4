// SPDX-License-Identifier: Apache-2.0
//
// Devices for the pages: every number with its unit and its source.
#pragma once

#include <nlohmann/json.hpp>

#include "device/device.h"

namespace xeforge::lab::pages {

/// All that device/occupancy.cpp reads of a device, by the names that occupancy.wasm takes (web/wasm/), and the
/// parameters with their sources.
nlohmann::ordered_json device_json(const device::Device& device);

}  // namespace xeforge::lab::pages
