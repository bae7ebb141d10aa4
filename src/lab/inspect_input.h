// SPDX-License-Identifier: Apache-2.0
//
// What `xeforge inspect` is given, made into binaries: SYCL, OpenCL C, SPIR-V, or a zebin as it is.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "device/device.h"

namespace xeforge::lab {

struct InspectInput {
  std::filesystem::path file;
  std::vector<std::string> source_options;  ///< for the compiler of the source language: -D, -I, ...
  std::vector<std::string> build_options;   ///< for the offline compiler, as a runtime hands them to the driver
  std::vector<std::pair<std::string, std::filesystem::path>> include_files;  ///< SYCL: include name -> file
};

/// One compiled module; SYCL sources may give several (ESIMD and SIMT kernels are kept apart).
struct InspectModule {
  std::string kind;  ///< "sycl", "esimd", "opencl c", "spirv", "zebin"
  std::vector<std::byte> zebin;
  std::vector<std::string> warnings;
  std::string error;  ///< why there is no zebin
};

/// Throws UserError for a file that cannot be read or is of no known kind.
std::vector<InspectModule> make_modules(const InspectInput& input, const device::Device& device);

}  // namespace xeforge::lab
