// SPDX-License-Identifier: Apache-2.0
//
// Opcodes of Xe-HPG and Xe2. The table in opcode.cpp is the one place that knows an opcode's
// mnemonic and class; to add an opcode add a row there (docs/add-an-opcode.md).
#pragma once

#include <cstdint>
#include <string_view>

namespace xeforge::isa {

enum class Opcode : uint8_t {
  Illegal,
  Nop,
  Sync,
  Mov,
  Movi,
  Sel,
  Csel,
  Not,
  And,
  Or,
  Xor,
  Shl,
  Shr,
  Asr,
  Rol,
  Ror,
  Cmp,
  Cmpn,
  Bfrev,
  Bfe,
  Bfi1,
  Bfi2,
  Bfn,
  Cbit,
  Fbh,
  Fbl,
  Lzd,
  Add,
  Add3,
  Addc,
  Subb,
  Mul,
  Mach,
  Macl,
  Mac,
  Mad,
  Madm,
  Avg,
  Dp4a,
  Frc,
  Rndu,
  Rndd,
  Rnde,
  Rndz,
  Srnd,
  Math,
  Dpas,
  Dpasw,
  Send,
  Sendc,
  Jmpi,
  Brd,
  Brc,
  If,
  Else,
  Endif,
  While,
  Break,
  Continue,
  Halt,
  Call,
  Calla,
  Ret,
  Goto,
  Join,
  Count_  // NOLINT(readability-identifier-naming): not an opcode
};

/// What the vendor's counters and the timing model group an opcode under. `AluInt`/`AluFloat`
/// say only "an ALU opcode": the pipe is decided by the execution type.
enum class OpClass : uint8_t { Mov, Alu, Logic, Compare, Math, Dpas, Send, Sync, Control, Other };

struct OpcodeInfo {
  Opcode op;
  std::string_view mnemonic;
  OpClass cls;
  uint8_t sources;  ///< register/immediate sources of the ordinary form
};

const OpcodeInfo& info(Opcode op);
std::string_view name_of(Opcode op);
/// Opcode::Illegal if the mnemonic is unknown.
Opcode opcode_from_mnemonic(std::string_view mnemonic);

}  // namespace xeforge::isa
