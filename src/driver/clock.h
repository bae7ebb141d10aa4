// SPDX-License-Identifier: Apache-2.0
//
// The device's clock. Ticks are nanoseconds of the host's monotonic clock: an A770's timer runs at
// 19.2 MHz, but its 52 ns steps would hide what a simulator knows better. This is the one place
// to change when kernels get simulated time.
#pragma once

#include <cstdint>

namespace xeforge::driver {

struct Interval {
  uint64_t start = 0;  ///< device ticks
  uint64_t end = 0;
};

inline constexpr uint64_t kTicksPerSecond = 1'000'000'000;
/// Bits of a time stamp that count; 2^56 ns are two years. Adapters shift 1 by this number, so it stays below 64.
inline constexpr uint32_t kTimestampBits = 56;

/// Now, in device ticks, already masked to kTimestampBits.
uint64_t device_ticks();
/// Now, on the host clock that zeDeviceGetGlobalTimestamps pairs with the device's, in nanoseconds.
uint64_t host_nanoseconds();

}  // namespace xeforge::driver
