// SPDX-License-Identifier: Apache-2.0
//
// Reports of the virtual driver (include/xeforge/driver_ext.h), read back as data.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xeforge::lab {

struct KernelReport {
  std::string kernel, device;
  std::array<std::uint64_t, 3> groups{}, local{};
  std::uint64_t threads = 0;
  double host_wall_us = 0;
  std::optional<double> simulated_us;             ///< of the kernel, where the driver simulates time
  std::optional<double> simulated_per_launch_us;  ///< in a back-to-back sequence
  struct {
    std::uint64_t simd = 0, grf = 0, spill_bytes = 0, scratch_bytes = 0, slm_bytes = 0, barriers = 0;
  } compiled;
  std::vector<std::pair<std::string, std::uint64_t>>
      counts;  ///< by the names of observe/counters.h, in the driver's order
  struct Fault {
    std::string kind, text, message;
    std::array<std::uint64_t, 3> group{};
    std::uint64_t thread = 0, pc = 0;
    std::int64_t lane = -1;
    std::uint64_t occurrences = 1;
  };
  std::optional<Fault> fault;

  std::uint64_t count(std::string_view name) const;  ///< 0 if the driver does not count it
};

/// One line: kind, place, instruction, what happened.
std::string to_string(const KernelReport::Fault& fault);

/// Throws std::runtime_error that names what is missing or malformed.
KernelReport parse_report(const std::string& json);
std::vector<KernelReport> parse_reports(const std::string& json_array);
/// A file with one report per line (XEFORGE_REPORT); no file means no reports. A last line that was cut off is left
/// out.
std::vector<KernelReport> read_report_file(const std::filesystem::path& file);

/// Reports of the launches of this process since the last call; empty on a real device.
std::vector<KernelReport> take_reports();

}  // namespace xeforge::lab
