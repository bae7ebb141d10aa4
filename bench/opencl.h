// SPDX-License-Identifier: Apache-2.0
//
// OpenCL C for the benchmarks, compiled when the program starts.
#pragma once

#include <stdexcept>
#include <string>

#include "binary/zebin.h"
#include "compile/compile.h"
#include "device/device.h"

namespace xeforge::bench {

/// Compiles `source` behind macros for the device's matrix engine: NATIVE (columns of a dpas), AVEC (a lane's part of
/// an 8-row operand A) and LOAD_A (fills `va` from `row`, whose rows are `row_elements` apart). Throws
/// std::runtime_error with the compiler's log.
inline binary::Zebin compile_opencl(const device::Device& device, unsigned row_elements, const std::string& source) {
  const std::string row = "row + i * " + std::to_string(row_elements);
  const std::string text =
      (device.platform == isa::Platform::Xe2
           ? "#define NATIVE 16\n#define AVEC short8\n#define LOAD_A for (int i = 0; i < 8; i++) va[i] = (" + row +
                 ")[lane];\n"
           : "#define NATIVE 8\n#define AVEC int8\n#define LOAD_A for (int i = 0; i < 8; i++) va[i] = "
             "((global const int*)(" +
                 row + "))[lane];\n") +
      source;
  compile::Request request;
  compile::Source& one = request.sources.emplace_back();
  one.kind = compile::Source::Kind::OpenClC;
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  one.bytes.assign(bytes, bytes + text.size());
  request.options = "-cl-std=CL3.0";
  request.device = &device;
  const compile::Result result = compile::compile(request);
  if (!result.ok) throw std::runtime_error(result.error + "\n" + result.log);
  return binary::read_zebin(result.zebin);
}

}  // namespace xeforge::bench
