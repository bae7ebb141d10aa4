// SPDX-License-Identifier: Apache-2.0
//
// Any bytes: read_zebin returns or throws ZebinError, and what it returned can be asked and relocated.
#include <cstddef>
#include <cstdint>
#include <span>

#include "binary/relocate.h"
#include "binary/text.h"
#include "binary/zebin.h"

namespace {

using namespace xeforge::binary;

void use(const Zebin& zebin) {
  const RelocationPlan plan{
      "fuzzed", {{".data.const", 0x1000}, {".data.global", 0x2000}}, [](const std::string&) { return 0x3000; }, 0, 64};
  for (const Kernel& kernel : zebin.kernels) {
    if (!is_text(kernel.name)) __builtin_trap();
    for (unsigned i = 0; i < kernel.argument_count(); ++i) kernel.argument_size(i);
    kernel.cross_thread_size();
    kernel.scratch_bytes_per_thread();
    Kernel whole = with_functions(zebin, kernel);
    relocate(whole.code, whole.relocations, plan);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    use(read_zebin(std::as_bytes(std::span(data, size))));
    // NOLINTNEXTLINE(bugprone-empty-catch): the one way to refuse an input
  } catch (const ZebinError&) {
  }
  return 0;
}
