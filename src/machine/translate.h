// SPDX-License-Identifier: Apache-2.0
//
// Operand resolution shared by translate.cpp and its tests.
#pragma once

#include "machine/code.h"
#include "machine/exec/exec.h"

namespace xeforge::machine {

/// Type in which `inst` computes and whether it needs the general handlers.
struct ExecForm {
  ExecType type = ExecType::I32;
  bool general = false;
};
ExecForm exec_form(const isa::Instruction& inst);

/// Byte offset in Thread::regs of a direct operand.
uint32_t register_offset(const isa::Operand& o, unsigned grf_bytes);

/// Why `device` cannot execute `inst`; empty if it can.
std::string unsupported_reason(const isa::Instruction& inst, const device::Device& device);

/// IGC's read-suppression dummy: an {Atomic} dpas without accumulator input directly in front of a
/// dpas of the same shape and destination that has one. On hardware the operands of the macro are read before its
/// writes land, so it has no effect; executed in order it would destroy the accumulator (isa.md section 3).
bool is_dummy_dpas(const isa::Instruction& inst, const isa::Instruction& next);

}  // namespace xeforge::machine
