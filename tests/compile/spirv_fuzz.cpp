// SPDX-License-Identifier: Apache-2.0
//
// Any bytes are either read and checked, or refused with a SpirvError.
#include "compile/checks.h"
#include "compile/spirv.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace xeforge;
  try {
    const auto module = compile::spirv::read_module(std::as_bytes(std::span(data, size)));
    compile::refusal(module, device::find_device("a770"));
    compile::refusal(module, device::find_device("b580"));
  } catch (const compile::spirv::SpirvError&) {
  }
  return 0;
}
