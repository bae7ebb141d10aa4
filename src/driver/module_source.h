// SPDX-License-Identifier: Apache-2.0
//
// What zeModuleCreate is given, in plain data.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "driver/api.h"

namespace xeforge::driver {

struct ModuleSource {
  bool native = false;
  std::vector<std::vector<std::byte>> inputs;  ///< one binary, or SPIR-V modules with their constants set
  std::string options;
};

/// Copies the inputs, specialises SPIR-V constants, joins build flags. Throws ApiError for formats
/// that are not known and for descriptors that contradict themselves.
ModuleSource read_module_source(const ze_module_desc_t& desc);

/// With XEFORGE_DUMP_MODULES: writes inputs and binary there, numbered, for other tools.
void dump_module(const ModuleSource& source, const std::vector<std::byte>& binary);

}  // namespace xeforge::driver
