// SPDX-License-Identifier: Apache-2.0
#include "isa/opcode.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace xeforge::isa {
namespace {

// One row per opcode, in the order of the enumeration.
constexpr std::array kOpcodes{
    OpcodeInfo{Opcode::Illegal, "illegal", OpClass::Other, 0}, OpcodeInfo{Opcode::Nop, "nop", OpClass::Other, 0},
    OpcodeInfo{Opcode::Sync, "sync", OpClass::Sync, 1},

    OpcodeInfo{Opcode::Mov, "mov", OpClass::Mov, 1},           OpcodeInfo{Opcode::Movi, "movi", OpClass::Mov, 2},
    OpcodeInfo{Opcode::Sel, "sel", OpClass::Alu, 2},           OpcodeInfo{Opcode::Csel, "csel", OpClass::Alu, 3},
    OpcodeInfo{Opcode::Not, "not", OpClass::Logic, 1},         OpcodeInfo{Opcode::And, "and", OpClass::Logic, 2},
    OpcodeInfo{Opcode::Or, "or", OpClass::Logic, 2},           OpcodeInfo{Opcode::Xor, "xor", OpClass::Logic, 2},
    OpcodeInfo{Opcode::Shl, "shl", OpClass::Logic, 2},         OpcodeInfo{Opcode::Shr, "shr", OpClass::Logic, 2},
    OpcodeInfo{Opcode::Asr, "asr", OpClass::Logic, 2},         OpcodeInfo{Opcode::Rol, "rol", OpClass::Logic, 2},
    OpcodeInfo{Opcode::Ror, "ror", OpClass::Logic, 2},         OpcodeInfo{Opcode::Cmp, "cmp", OpClass::Compare, 2},
    OpcodeInfo{Opcode::Cmpn, "cmpn", OpClass::Compare, 2},

    OpcodeInfo{Opcode::Bfrev, "bfrev", OpClass::Logic, 1},     OpcodeInfo{Opcode::Bfe, "bfe", OpClass::Logic, 3},
    OpcodeInfo{Opcode::Bfi1, "bfi1", OpClass::Logic, 2},       OpcodeInfo{Opcode::Bfi2, "bfi2", OpClass::Logic, 3},
    OpcodeInfo{Opcode::Bfn, "bfn", OpClass::Logic, 3},         OpcodeInfo{Opcode::Cbit, "cbit", OpClass::Logic, 1},
    OpcodeInfo{Opcode::Fbh, "fbh", OpClass::Logic, 1},         OpcodeInfo{Opcode::Fbl, "fbl", OpClass::Logic, 1},
    OpcodeInfo{Opcode::Lzd, "lzd", OpClass::Logic, 1},

    OpcodeInfo{Opcode::Add, "add", OpClass::Alu, 2},           OpcodeInfo{Opcode::Add3, "add3", OpClass::Alu, 3},
    OpcodeInfo{Opcode::Addc, "addc", OpClass::Alu, 2},         OpcodeInfo{Opcode::Subb, "subb", OpClass::Alu, 2},
    OpcodeInfo{Opcode::Mul, "mul", OpClass::Alu, 2},           OpcodeInfo{Opcode::Mach, "mach", OpClass::Alu, 2},
    OpcodeInfo{Opcode::Macl, "macl", OpClass::Alu, 2},         OpcodeInfo{Opcode::Mac, "mac", OpClass::Alu, 2},
    OpcodeInfo{Opcode::Mad, "mad", OpClass::Alu, 3},           OpcodeInfo{Opcode::Madm, "madm", OpClass::Alu, 3},
    OpcodeInfo{Opcode::Avg, "avg", OpClass::Alu, 2},           OpcodeInfo{Opcode::Dp4a, "dp4a", OpClass::Alu, 3},
    OpcodeInfo{Opcode::Frc, "frc", OpClass::Alu, 1},           OpcodeInfo{Opcode::Rndu, "rndu", OpClass::Alu, 1},
    OpcodeInfo{Opcode::Rndd, "rndd", OpClass::Alu, 1},         OpcodeInfo{Opcode::Rnde, "rnde", OpClass::Alu, 1},
    OpcodeInfo{Opcode::Rndz, "rndz", OpClass::Alu, 1},         OpcodeInfo{Opcode::Srnd, "srnd", OpClass::Alu, 2},

    OpcodeInfo{Opcode::Math, "math", OpClass::Math, 2},        OpcodeInfo{Opcode::Dpas, "dpas", OpClass::Dpas, 3},
    OpcodeInfo{Opcode::Dpasw, "dpasw", OpClass::Dpas, 3},      OpcodeInfo{Opcode::Send, "send", OpClass::Send, 2},
    OpcodeInfo{Opcode::Sendc, "sendc", OpClass::Send, 2},

    OpcodeInfo{Opcode::Jmpi, "jmpi", OpClass::Control, 1},     OpcodeInfo{Opcode::Brd, "brd", OpClass::Control, 1},
    OpcodeInfo{Opcode::Brc, "brc", OpClass::Control, 1},       OpcodeInfo{Opcode::If, "if", OpClass::Control, 0},
    OpcodeInfo{Opcode::Else, "else", OpClass::Control, 0},     OpcodeInfo{Opcode::Endif, "endif", OpClass::Control, 0},
    OpcodeInfo{Opcode::While, "while", OpClass::Control, 0},   OpcodeInfo{Opcode::Break, "break", OpClass::Control, 0},
    OpcodeInfo{Opcode::Continue, "cont", OpClass::Control, 0}, OpcodeInfo{Opcode::Halt, "halt", OpClass::Control, 0},
    OpcodeInfo{Opcode::Call, "call", OpClass::Control, 1},     OpcodeInfo{Opcode::Calla, "calla", OpClass::Control, 1},
    OpcodeInfo{Opcode::Ret, "ret", OpClass::Control, 1},       OpcodeInfo{Opcode::Goto, "goto", OpClass::Control, 0},
    OpcodeInfo{Opcode::Join, "join", OpClass::Control, 0},
};

constexpr bool in_order() {
  for (size_t i = 0; i < kOpcodes.size(); ++i) {
    if (static_cast<size_t>(kOpcodes[i].op) != i) return false;
  }
  return kOpcodes.size() == static_cast<size_t>(Opcode::Count_);
}
static_assert(in_order(), "the opcode table must follow the enumeration");

}  // namespace

const OpcodeInfo& info(Opcode op) {
  const auto index = static_cast<size_t>(op);
  return kOpcodes[index < kOpcodes.size() ? index : 0];
}

std::string_view name_of(Opcode op) { return info(op).mnemonic; }

Opcode opcode_from_mnemonic(std::string_view mnemonic) {
  const auto* found =
      std::find_if(kOpcodes.begin(), kOpcodes.end(), [&](const OpcodeInfo& row) { return row.mnemonic == mnemonic; });
  return found == kOpcodes.end() ? Opcode::Illegal : found->op;
}

}  // namespace xeforge::isa
