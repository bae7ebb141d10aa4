// SPDX-License-Identifier: Apache-2.0
//
// Numbers as the machine's reports write them.
#pragma once

#include <cstdint>
#include <string>

namespace xeforge::machine {

/// "0x7f00"
std::string hex(uint64_t value);
/// "1 byte", "2 bytes"
std::string bytes_text(uint64_t n);

}  // namespace xeforge::machine
