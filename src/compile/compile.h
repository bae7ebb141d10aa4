// SPDX-License-Identifier: Apache-2.0
//
// SPIR-V or OpenCL C to zebin by Intel's offline compiler, out of process, cached by content.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "device/device.h"

namespace xeforge::compile {

struct Source {
  enum class Kind { Spirv, OpenClC } kind = Kind::Spirv;
  std::vector<std::byte> bytes;
};

struct Request {
  std::vector<Source> sources;  ///< one, or several SPIR-V modules to be linked
  std::string options;          ///< build flags as the runtime passes them ("-ze-opt-level=2 -vc-codegen")
  const device::Device* device = nullptr;
};

struct Result {
  bool ok = false;
  std::vector<std::byte> zebin;
  std::string log;                    ///< the compiler's own text
  std::vector<std::string> warnings;  ///< spill, stack call, ..., one line each
  std::string error;                  ///< why not, when !ok: compiler's error, crash, refusal with the reason
  bool from_cache = false;
};

/// Never throws for a program that does not compile; throws std::runtime_error when there is no
/// compiler (message says how to get one).
Result compile(const Request& request);

}  // namespace xeforge::compile
