// SPDX-License-Identifier: Apache-2.0
//
// In which type an instruction computes (PRM "Execution Data Type"), mapped to the handlers' types.
#include "machine/translate.h"

namespace xeforge::machine {
namespace {

using isa::DataType;
using isa::Opcode;

bool is_qword(DataType t) { return t == DataType::Q || t == DataType::UQ; }
bool is_packed(DataType t) { return t == DataType::V || t == DataType::UV || t == DataType::VF; }
bool is_float_type(DataType t) { return t == DataType::VF || isa::is_float(t); }

ExecType raw_type(unsigned bytes) {
  return bytes == 1 ? ExecType::U8 : bytes == 2 ? ExecType::U16 : bytes == 8 ? ExecType::U64 : ExecType::U32;
}

struct TypeSet {
  bool any_float = false, any_double = false, any_qword = false;
  bool any_signed = false, any_unsigned_dword = false, all_unsigned = true;
};

TypeSet types_of(const isa::Instruction& inst) {
  TypeSet s;
  for (unsigned i = 0; i < inst.num_src; ++i) {
    const DataType t = inst.src[i].type;
    if (!inst.src[i].exists()) continue;
    s.any_float |= is_float_type(t);
    s.any_double |= t == DataType::DF;
    s.any_qword |= is_qword(t);
    const bool is_signed = isa::is_signed(t) || t == DataType::V || inst.src[i].negate;
    s.any_signed |= is_signed;
    s.all_unsigned &= !is_signed;
    s.any_unsigned_dword |= t == DataType::UD || t == DataType::UQ;
  }
  if (inst.dst.exists() && !inst.dst.is_null()) {
    s.any_double |= inst.dst.type == DataType::DF && s.any_float;
    s.any_qword |= is_qword(inst.dst.type);
  }
  return s;
}

bool writes_integer_accumulator(const isa::Instruction& inst) {
  return inst.dst.kind == isa::OperandKind::Direct && inst.dst.file == isa::RegFile::Acc &&
         !isa::is_float(inst.dst.type) && isa::bytes_of(inst.dst.type) >= 4;
}

/// Opcodes that the general form knows (exec/alu_general.cpp).
bool has_general_form(Opcode op) {
  switch (op) {
    case Opcode::Mov:
    case Opcode::Add:
    case Opcode::Add3:
    case Opcode::Mul:
    case Opcode::Mad:
    case Opcode::Sel:
    case Opcode::Csel:
    case Opcode::And:
    case Opcode::Or:
    case Opcode::Xor:
    case Opcode::Not:
    case Opcode::Shl:
    case Opcode::Shr:
    case Opcode::Asr:
    case Opcode::Avg:
      return true;
    default:
      return false;
  }
}

ExecForm form_of_mov(const isa::Instruction& inst) {
  const isa::Operand& src = inst.src[0];
  const DataType s = src.type;
  const DataType d = inst.dst.type;
  const bool general = inst.cond_mod != isa::FlagMod::None || writes_integer_accumulator(inst);
  const bool modified = src.negate || src.absolute || inst.saturate || general;
  const bool both_int = !is_float_type(s) && !isa::is_float(d);
  if (!modified) {
    if (is_packed(s) && s != DataType::VF && both_int) return {raw_type(isa::bytes_of(d)), false};
    if (s == d || (both_int && !is_packed(s) && isa::bits_of(s) == isa::bits_of(d)))
      return {raw_type(isa::bytes_of(d)), false};
  }
  if (is_float_type(s)) return {s == DataType::DF || d == DataType::DF ? ExecType::F64 : ExecType::F32, general};
  // As doubles from the start: in the U64 form a double destination would be a copy of bits.
  if (s == DataType::UQ && d == DataType::DF) return {ExecType::F64, general};
  if (isa::is_float(d)) return {s == DataType::UQ && !general ? ExecType::U64 : ExecType::I64, general};
  const bool narrow = !is_qword(s) && !is_qword(d);
  return {narrow && !inst.saturate && !general ? ExecType::I32 : ExecType::I64, general};
}

}  // namespace

ExecForm exec_form(const isa::Instruction& inst) {
  const TypeSet types = types_of(inst);
  switch (inst.op) {
    case Opcode::Mov:
      return form_of_mov(inst);
    case Opcode::Movi:
      return {raw_type(isa::bytes_of(inst.dst.type)), false};
    case Opcode::Bfn:
      return {ExecType::U32, false};
    case Opcode::Dp4a:
      return {ExecType::I64, false};
    case Opcode::Math:
      return {types.any_double ? ExecType::F64 : types.any_float ? ExecType::F32 : ExecType::I64, false};
    case Opcode::Mach:
    case Opcode::Macl:
    case Opcode::Addc:
    case Opcode::Subb:
      return {ExecType::I64, true};
    case Opcode::Mac:
      return {types.any_double ? ExecType::F64 : types.any_float ? ExecType::F32 : ExecType::I64, true};
    default:
      break;
  }
  const bool selects =
      inst.op == Opcode::Cmp || inst.op == Opcode::Cmpn || inst.op == Opcode::Sel || inst.op == Opcode::Csel;
  // An accumulator as an ordinary destination needs no more than a store of its own (translate.cpp).
  const bool special_accumulator = writes_integer_accumulator(inst) && has_general_form(inst.op);
  const bool general = (inst.cond_mod != isa::FlagMod::None && !selects) || special_accumulator || inst.acc_wr_en;
  if (types.any_float) return {types.any_double ? ExecType::F64 : ExecType::F32, general};
  if (general || inst.saturate) return {ExecType::I64, true};
  if (types.any_qword)
    return {types.all_unsigned && (selects || inst.op == Opcode::Shr || inst.op == Opcode::Asr) ? ExecType::U64
                                                                                                : ExecType::I64,
            false};
  switch (inst.op) {
    case Opcode::Shr:
    case Opcode::Lzd:
    case Opcode::Fbl:
    case Opcode::Cbit:
    case Opcode::Bfrev:
    case Opcode::Bfi1:
    case Opcode::Bfi2:
      return {ExecType::U32, false};
    case Opcode::Rol:
    case Opcode::Ror:
      return {isa::bytes_of(inst.dst.type) == 2 ? ExecType::U16 : ExecType::U32, false};
    case Opcode::Asr:
    case Opcode::Fbh:
      return {isa::is_signed(inst.src[0].type) ? ExecType::I32 : ExecType::U32, false};
    case Opcode::Bfe:
      return {isa::is_signed(inst.src[2].type) ? ExecType::I32 : ExecType::U32, false};
    case Opcode::Cmp:
    case Opcode::Sel:
    case Opcode::Csel:
    case Opcode::Avg:
      if (types.any_unsigned_dword)
        return {types.any_signed ? ExecType::I64 : ExecType::U32, inst.op == Opcode::Avg && types.any_signed};
      return {ExecType::I32, false};
    default:
      return {ExecType::I32, false};
  }
}

}  // namespace xeforge::machine
