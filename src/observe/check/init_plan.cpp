// SPDX-License-Identifier: Apache-2.0
#include "observe/check/init_plan.h"

#include <algorithm>

namespace xeforge::observe::check {

using isa::Opcode;
using machine::Uop;
namespace regspace = machine::regspace;
using Kind_ = Elements::Kind;
using Rule = InitPlan::Rule;

namespace {

bool same_register(const isa::Operand& a, const isa::Operand& b) {
  return a.kind == isa::OperandKind::Direct && b.kind == isa::OperandKind::Direct && a.file == b.file &&
         a.reg == b.reg && a.sub_bytes == b.sub_bytes && a.region == b.region && a.type == b.type &&
         a.negate == b.negate;
}

bool is_raw_copy(const isa::Instruction& inst) {
  const isa::Operand& s = inst.src[0];
  if (inst.saturate || s.absolute || s.kind == isa::OperandKind::Immediate) return false;
  if (inst.dst.type == s.type) return true;
  // Between integers: narrowing keeps low bytes, widening extends.
  return !isa::is_float(inst.dst.type) && !isa::is_float(s.type);
}

}  // namespace

unsigned flag_base(const Uop& u) { return (u.flag_offset - regspace::kFlag) * 8u + u.flag_shift; }

InitPlan init_plan(const Uop& u, unsigned grf_bytes) {
  const isa::Instruction& inst = *u.inst;
  InitPlan p;
  if (inst.is_send()) {
    p.rule = Rule::Send;
    return p;
  }
  switch (inst.op) {
    case Opcode::Dpas:
    case Opcode::Dpasw:
      p.rule = Rule::Dpas;
      return p;
    case Opcode::Jmpi:
    case Opcode::If:
    case Opcode::While:
    case Opcode::Break:
    case Opcode::Continue:
    case Opcode::Halt:
    case Opcode::Goto:
    case Opcode::Brc:
    case Opcode::Brd:
      p.rule = Rule::Branch;
      return p;
    case Opcode::Sync:
    case Opcode::Nop:
    case Opcode::Else:
    case Opcode::Endif:
    case Opcode::Join:
    case Opcode::Ret:
    case Opcode::Illegal:
      return p;
    default:
      break;
  }
  p.rule = Rule::Combine;
  p.sources = std::min<uint8_t>(inst.num_src, 3);
  for (unsigned i = 0; i < p.sources; ++i) p.src[i] = source_elements(inst.src[i], inst.exec_size, grf_bytes);
  if (inst.dst.exists() && !inst.dst.is_null()) p.dst = destination_elements(inst.dst, inst.exec_size, grf_bytes);
  p.writes_flags = inst.cond_mod != isa::FlagMod::None && inst.op != Opcode::Sel && inst.op != Opcode::Csel;
  p.writes_accumulator = inst.acc_wr_en || inst.op == Opcode::Addc || inst.op == Opcode::Subb;
  switch (inst.op) {
    case Opcode::Mov:
      if (is_raw_copy(inst)) p.rule = Rule::Copy;
      break;
    case Opcode::Xor:
      p.rule = same_register(inst.src[0], inst.src[1]) ? Rule::Zero : Rule::BitLogic;
      break;
    case Opcode::Cmp:
      // IGC's way to ask which channels are active: a register is compared with itself.
      if (same_register(inst.src[0], inst.src[1]) && !isa::is_float(inst.src[0].type)) p.rule = Rule::Zero;
      break;
    case Opcode::And:
    case Opcode::Or:
    case Opcode::Not:
    case Opcode::Bfn:
      p.rule = Rule::BitLogic;
      break;
    case Opcode::Shl:
    case Opcode::Shr:
    case Opcode::Asr:
      if (inst.src[1].kind == isa::OperandKind::Immediate && inst.dst.exists() && !inst.dst.is_null() &&
          isa::bytes_of(inst.dst.type) == isa::bytes_of(inst.src[0].type))
        p.rule = Rule::Shift;
      break;
    case Opcode::Sel:
      if (inst.cond_mod == isa::FlagMod::None) p.rule = Rule::Select;
      break;
    case Opcode::Call:
    case Opcode::Calla:
      p.rule = Rule::Zero;
      break;
    default:
      break;
  }
  // Flags are masked bit by bit: a comparison of one channel writes one of them.
  if (inst.op == Opcode::And && p.src[0].kind == Kind_::Flags && inst.src[1].kind == isa::OperandKind::Immediate &&
      inst.exec_size == 1 && !inst.src[0].negate && inst.pred == isa::PredCtrl::None && !p.writes_flags)
    p.rule = Rule::FlagMask;
  // Bytes are matched one to one only among elements of one size.
  const bool widens = p.rule == Rule::Select && !isa::is_float(inst.dst.type);
  if (p.rule == Rule::BitLogic || (p.rule == Rule::Select && !widens)) {
    for (unsigned i = 0; i < p.sources; ++i) {
      if (p.src[i].kind != Kind_::None && p.src[i].size != p.dst.size) p.rule = Rule::Combine;
    }
  }
  return p;
}

uint32_t accumulator_lane(const InitPlan& p, unsigned channel, unsigned grf_bytes) {
  const uint32_t lane = (p.dst.kind == Kind_::Registers ? p.dst.offset % grf_bytes / 4 : 0) + channel;
  return regspace::kAcc + lane * 4 % regspace::kAccBytes;
}

DpasRanges dpas_ranges(const Uop& u, unsigned grf_bytes) {
  const isa::Instruction& inst = *u.inst;
  DpasRanges d;
  const bool pair = inst.op == Opcode::Dpasw;
  d.rows = inst.dpas.repeat_count;
  d.depth = inst.dpas.systolic_depth;
  d.columns = grf_bytes / 4;
  d.adds = !inst.src[0].is_null();
  d.in_size = isa::bytes_of(inst.src[0].type);
  d.out_size = isa::bytes_of(inst.dst.type);
  d.b = u.src[1].offset;
  d.a = pair ? static_cast<uint32_t>(u.src[2].value) : u.src[2].offset;
  d.own_rows = pair ? (d.rows + 1) / 2 : d.rows;
  return d;
}

}  // namespace xeforge::observe::check
