// SPDX-License-Identifier: Apache-2.0
//
// Any bytes are either read, checked and rewritten into a readable module, or refused with a SpirvError.
#include "compile/bf16_conversions.h"
#include "compile/checks.h"
#include "compile/spirv.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace xeforge;
  try {
    const auto bytes = std::as_bytes(std::span(data, size));
    const auto module = compile::spirv::read_module(bytes);
    compile::refusal(module, device::find_device("a770"));
    compile::refusal(module, device::find_device("b580"));
    std::set<std::string> names;
    for (const auto& [id, function] : module.functions) names.insert(function.name);
    compile::spirv::read_module(compile::define_bf16_conversions(bytes, names));
    // NOLINTNEXTLINE(bugprone-empty-catch): the one way to refuse an input
  } catch (const compile::spirv::SpirvError&) {
  }
  return 0;
}
