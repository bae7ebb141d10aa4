// SPDX-License-Identifier: Apache-2.0
//
// One notation for instructions, written from two sides that share nothing: from the fields of a decoded Instruction
// and from a line of the vendor's disassembly. Regions appear as the elements that they select, so that different
// spellings of one region are equal and a wrongly normalised one is not.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/instruction.h"

namespace xeforge::isa::testing {

/// Throws std::runtime_error naming what it could not read.
std::string canonical_from_line(std::string_view line);
std::string canonical_from_instruction(const Instruction& instruction);

struct ListedInstruction {
  uint32_t pc;
  std::string line;
  bool end_of_thread;
};

/// The instructions of a disassembly with labels "L<pc>:"; positions are counted, labels checked against them.
std::vector<ListedInstruction> read_listing(std::string_view text);

}  // namespace xeforge::isa::testing
