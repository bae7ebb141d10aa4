// SPDX-License-Identifier: Apache-2.0
//
// The micro-benchmarks as rows of a table: what each repeats, how it is launched, what it must leave, which public
// figure stands beside it and which number of a device's file it tells. A new one is a kernel in src/kernels/micro/ and
// one row in micro_table.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.h"

namespace xeforge::lab {

/// A launch of one dimension; a work-item is a hardware thread.
struct MicroLaunch {
  uint32_t groups = 1, local = 1, trips = 1;
  uint32_t threads() const { return groups * local; }
};

/// What is made of the times of two launches, a short and a long one.
enum class MicroResult : uint8_t {
  Rate,          ///< what the long one does more, per second of its longer time: starting and ending cancel out
  ThreadClocks,  ///< clocks that a thread takes for one more of what it repeats
  CoreClocks,    ///< clocks that a core takes for one more
  Ratio          ///< time of the second launch over the first
};

struct MicroKernel {
  std::string_view id, what, header;
  std::string_view first, second;  ///< kernels' functions: the same one but for pairs
  std::optional<isa::Platform> platform;
  MicroResult result = MicroResult::Rate;
  std::string_view unit;
  /// The short and the long launch; `longer` multiplies trips where time costs little (a real device).
  void (*launches)(const device::Device&, uint32_t longer, MicroLaunch& first, MicroLaunch& second);
  /// How much one launch does, in the unit times 10^9 a second, or in things that are counted per thread or core.
  double (*amount)(const device::Device&, const MicroLaunch&);
  std::vector<uint32_t> (*input)(const MicroLaunch&);
  using Expected = std::vector<uint32_t> (*)(const std::vector<uint32_t>& input, const MicroLaunch&);
  Expected expected, expected_second;  ///< of the first and of the second kernel
  std::string_view published;          ///< row of the device's file with a public figure of the same thing; empty: none
  std::string_view parameter;          ///< row of the device's file that the result tells; empty: none
  /// The parameter's value from the result, null: the result itself.
  double (*value_of)(const device::Device&, double result);
};

std::span<const MicroKernel> micro_kernels();

}  // namespace xeforge::lab
