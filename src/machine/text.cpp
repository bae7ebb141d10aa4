// SPDX-License-Identifier: Apache-2.0
#include "machine/text.h"

#include <cstdio>

namespace xeforge::machine {

std::string hex(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string bytes_text(uint64_t n) { return std::to_string(n) + (n == 1 ? " byte" : " bytes"); }

}  // namespace xeforge::machine
