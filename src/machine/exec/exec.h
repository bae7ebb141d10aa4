// SPDX-License-Identifier: Apache-2.0
//
// The handlers are compiled once per host instruction set (x86-64-v2/v3/v4, or the compiler's
// default elsewhere) and chosen at start. This is the only interface between the handlers and
// the rest of the machine.
#pragma once

#include "isa/instruction.h"
#include "machine/code.h"

namespace xeforge::machine {

/// Type in which an instruction computes. U8..U64 are raw copies (mov without conversion).
/// I32/U32 wrap; whatever needs more (saturation, condition modifiers, accumulators) runs in I64/U64.
enum class ExecType : uint8_t { U8, U16, U32, U64, I32, I64, F32, F64 };

struct ExecLibrary {
  const char* name;
  /// Handler of an ordinary opcode. `general` handles saturation, condition modifiers and
  /// accumulator destinations. Null: the opcode has no such form.
  Handler (*alu)(isa::Opcode op, ExecType type, unsigned exec_size, bool general);
  Handler (*math)(isa::MathFn fn, ExecType type);
  LoadFn (*load)(ExecType type, isa::DataType source);
  StoreFn (*store)(ExecType type, isa::DataType dst, bool saturate);
  Handler (*dpas)(const isa::Instruction& inst, unsigned n);
};

/// The best library for this CPU. XEFORGE_CPU=<name> chooses another one (tests, bug hunting).
const ExecLibrary& exec_library();

/// Reads and writes of the accumulators' 64-bit view start at this dword position: the
/// destination's place within its register (library-kernels.md section 2, item 10).
/// An accumulator as destination is itself the place.
inline uint32_t implicit_acc_position(const Uop& u) {
  return u.dst.acc ? (u.dst.offset - regspace::kAcc) / 4 : (u.dst.offset % u.grf_bytes) / 4;
}

/// Host rounding mode from cr0.0[5:4] for the instructions that follow (exec/control.cpp).
void apply_control_register(const Thread& t);

}  // namespace xeforge::machine
