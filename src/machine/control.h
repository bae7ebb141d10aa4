// SPDX-License-Identifier: Apache-2.0
//
// Handlers of the control-flow opcodes and of sync.bar.
#pragma once

#include "machine/code.h"

namespace xeforge::machine {

/// Null if the opcode is not control flow.
Handler control_handler(const isa::Instruction& inst);

/// True if a block must end after this instruction.
bool ends_block(const isa::Instruction& inst);

}  // namespace xeforge::machine
