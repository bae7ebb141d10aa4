// SPDX-License-Identifier: Apache-2.0
#include "driver/clock.h"

#include <ctime>

namespace xeforge::driver {

uint64_t host_nanoseconds() {
  // CLOCK_MONOTONIC_RAW is what the specification of zeDeviceGetGlobalTimestamps recommends on Linux.
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000U + static_cast<uint64_t>(now.tv_nsec);
}

uint64_t device_ticks() { return host_nanoseconds() & ((uint64_t{1} << kTimestampBits) - 1); }

}  // namespace xeforge::driver
