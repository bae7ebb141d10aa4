// SPDX-License-Identifier: Apache-2.0
//
// Any bytes are either a program or a DecodeError. The first byte chooses the platform and the second entry point.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "isa/decode.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace xeforge::isa;
  if (size == 0) return 0;
  const auto platform = (data[0] & 1) != 0 ? Platform::Xe2 : Platform::XeHpg;
  std::vector<uint32_t> entries{0};
  if ((data[0] & 2) != 0) entries.push_back(uint32_t{data[0]} >> 2 << 3);
  const auto code = std::as_bytes(std::span(data + 1, size - 1));
  try {
    const auto program = decode(platform, code, entries);
    uint32_t end = 0;
    for (const auto& i : program.instructions()) {
      // What every reader relies on.
      if (i.pc < end || i.pc + i.size > code.size() || (i.size != 8 && i.size != 16)) std::abort();
      if (program.index_of(i.pc) < 0) std::abort();
      if (i.exec_size == 0 || i.exec_size > 32 || i.num_src > 3) std::abort();
      for (unsigned k = 0; k < i.num_src; ++k) {
        if (!i.src[k].exists() || i.src[k].region.w == 0) std::abort();
      }
      if (program.text(i.pc).empty()) std::abort();
      if (i.is_send() && describe(i.msg).empty()) std::abort();
      end = i.pc + i.size;
    }
  } catch (const DecodeError& error) {
    if (std::string(error.what()).empty()) std::abort();
  }
  return 0;
}
