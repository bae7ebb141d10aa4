// SPDX-License-Identifier: Apache-2.0
//
// One instruction of an IgaView as an Instruction. Internal to the room.
#pragma once

#include <cstdint>

#include "isa/iga_view.h"
#include "isa/instruction.h"

namespace xeforge::isa {

/// Throws DecodeError with position and text if the instruction at `pc` has no representation.
Instruction decode_instruction(const IgaView& view, uint32_t pc);

}  // namespace xeforge::isa
