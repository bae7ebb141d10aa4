// SPDX-License-Identifier: Apache-2.0
// The side of the decoder.
#include <algorithm>
#include <array>
#include <cstdio>
#include <map>

#include "canonical.h"
#include "canonical_operand.h"

namespace xeforge::isa::testing {
namespace {

std::string hex(uint32_t value) {
  std::array<char, 16> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "0x%X", value);
  return buffer.data();
}

const std::map<PredCtrl, std::string> kPredicates{
    {PredCtrl::None, ""},          {PredCtrl::Normal, ""},        {PredCtrl::AnyV, ".anyv"},
    {PredCtrl::AllV, ".allv"},     {PredCtrl::Any2h, ".any2h"},   {PredCtrl::All2h, ".all2h"},
    {PredCtrl::Any4h, ".any4h"},   {PredCtrl::All4h, ".all4h"},   {PredCtrl::Any8h, ".any8h"},
    {PredCtrl::All8h, ".all8h"},   {PredCtrl::Any16h, ".any16h"}, {PredCtrl::All16h, ".all16h"},
    {PredCtrl::Any32h, ".any32h"}, {PredCtrl::All32h, ".all32h"}, {PredCtrl::Any, ".any"},
    {PredCtrl::All, ".all"}};
const std::map<FlagMod, std::string> kConditions{{FlagMod::Eq, "eq"}, {FlagMod::Ne, "ne"}, {FlagMod::Gt, "gt"},
                                                 {FlagMod::Ge, "ge"}, {FlagMod::Lt, "lt"}, {FlagMod::Le, "le"},
                                                 {FlagMod::Ov, "ov"}, {FlagMod::Un, "un"}};
const std::map<MathFn, std::string> kMath{{MathFn::Inv, "inv"},   {MathFn::Log, "log"},    {MathFn::Exp, "exp"},
                                          {MathFn::Sqt, "sqt"},   {MathFn::Rsqt, "rsqt"},  {MathFn::Sin, "sin"},
                                          {MathFn::Cos, "cos"},   {MathFn::Fdiv, "fdiv"},  {MathFn::Pow, "pow"},
                                          {MathFn::Idiv, "idiv"}, {MathFn::Iqot, "iqot"},  {MathFn::Irem, "irem"},
                                          {MathFn::Invm, "invm"}, {MathFn::Rsqtm, "rsqtm"}};
const std::map<SyncFn, std::string> kSync{{SyncFn::Nop, "nop"}, {SyncFn::Allrd, "allrd"}, {SyncFn::Allwr, "allwr"},
                                          {SyncFn::Bar, "bar"}, {SyncFn::Fence, "fence"}, {SyncFn::Host, "host"}};
const std::map<SwsbDist, std::string> kDistances{
    {SwsbDist::Any, "A"},  {SwsbDist::Float, "F"},  {SwsbDist::Int, "I"},    {SwsbDist::Long, "L"},
    {SwsbDist::Math, "M"}, {SwsbDist::Scalar, "S"}, {SwsbDist::SelfPipe, ""}};

bool is_macro(const Instruction& i) {
  return i.op == Opcode::Madm || i.math_fn == MathFn::Invm || i.math_fn == MathFn::Rsqtm;
}

bool is_dpas(const Instruction& i) { return i.op == Opcode::Dpas || i.op == Opcode::Dpasw; }

std::string flag(const Instruction& i) {
  return "f" + std::to_string(i.flag_reg) + "." + std::to_string(i.flag_subreg);
}

std::string predicate(const Instruction& i) {
  std::string text = i.no_mask ? "W" : "";
  if (i.pred != PredCtrl::None) {
    text += std::string(text.empty() ? "" : "&") + (i.pred_inverse ? "~" : "") + flag(i) + kPredicates.at(i.pred);
  }
  return text.empty() ? text : "(" + text + ") ";
}

std::string mnemonic(const Instruction& i) {
  std::string text(name_of(i.op));
  if (i.op == Opcode::Math) text += "." + kMath.at(i.math_fn);
  if (i.op == Opcode::Sync) text += "." + kSync.at(i.sync_fn);
  if (i.op == Opcode::Bfn) text += "." + hex(i.bfn_lut);
  if (is_dpas(i)) text += "." + std::to_string(i.dpas.systolic_depth) + "x" + std::to_string(i.dpas.repeat_count);
  if (i.is_send()) text += "." + std::string(name_of(i.msg.sfid));
  if (i.branch_ctrl) text += ".b";
  return text;
}

// Where an implicit size is not written (jmpi, sync, nop) it is not compared.
std::string size(const Instruction& i) {
  if (i.op == Opcode::Jmpi || i.op == Opcode::Sync || i.op == Opcode::Nop) return {};
  return " (" + std::to_string(i.exec_size) + "|M" + std::to_string(i.channel_offset) + ")";
}

std::string place(const Operand& o) {
  if (o.kind == OperandKind::Indirect) {
    return "r[a0." + std::to_string(o.addr_subreg) + "," + std::to_string(o.addr_offset) + "]";
  }
  switch (o.file) {
    case RegFile::Null:
    case RegFile::Ip:
    case RegFile::ChannelEnable:
      return std::string(name_of(o.file));
    default:
      return std::string(name_of(o.file)) + std::to_string(o.reg);
  }
}

CanonicalOperand common(const Instruction& i, const Operand& o) {
  CanonicalOperand c;
  c.negate = o.negate;
  c.absolute = o.absolute;
  c.place = place(o);
  c.sub_bytes = o.sub_bytes;
  if (is_macro(i)) c.macro = o.mme == 8 ? "nomme" : "mme" + std::to_string(o.mme);
  c.type = name_of(o.type);
  return c;
}

std::string destination(const Instruction& i) {
  if (!i.dst.exists()) return {};
  auto c = common(i, i.dst);
  if (i.is_send() || info(i.op).cls == OpClass::Control) {
    c.type.clear();
  } else {
    c.elements = "stride " + std::to_string(i.dst.region.h);
  }
  return " " + std::string(i.saturate ? "(sat)" : "") + c.text();
}

std::string source(const Instruction& i, const Operand& o) {
  // Listings show the mask or barrier number of a sync without its type.
  if (i.op == Opcode::Sync && o.kind == OperandKind::Immediate) return " " + immediate_text(o.imm, "ud");
  if (o.kind == OperandKind::Immediate)
    return " " + immediate_text(o.imm, name_of(o.type)) + ":" + std::string(name_of(o.type));
  auto c = common(i, o);
  if (info(i.op).cls == OpClass::Control || i.is_send() || i.op == Opcode::Sync) {
    c.type.clear();
    return " " + c.text();
  }
  // The systolic array's precisions go by the byte types' names in listings.
  if (is_dpas(i) && o.type == DataType::U8) c.type = "ub";
  if (is_dpas(i) && o.type == DataType::S8) c.type = "b";
  if (!o.is_null()) c.elements = element_list(i.exec_size, o.region.v, o.region.w, o.region.h, o.region.vxh);
  return " " + c.text();
}

std::string target(int32_t pc) { return " L" + std::to_string(pc); }

std::string message(const Instruction& i) {
  const Message& m = i.msg;
  std::string text;
  text += m.src1_len_in_reg ? ":a0" : ":" + std::to_string(m.src1_len);
  text += " exdesc ";
  if (m.exdesc_in_reg) {
    text += (m.exdesc != 0 ? hex(m.exdesc) + ":" : "") + "a0." + std::to_string(m.exdesc_a0_subreg);
  } else {
    text += hex(m.exdesc);
  }
  text += m.desc_in_reg ? " desc a0." + std::to_string(m.desc_a0_subreg) : " desc " + hex(m.desc);
  if (m.desc_in_reg) return text;
  return text + " wr " + std::to_string(m.src0_len) + (m.header ? "h" : "") + " rd " + std::to_string(m.dst_len) + " " +
         describe(m);
}

std::string options(const Instruction& i) {
  std::vector<std::string> list;
  if (i.swsb.dist_pipe != SwsbDist::None) {
    list.push_back(kDistances.at(i.swsb.dist_pipe) + "@" + std::to_string(i.swsb.dist));
  }
  const std::string token = "$" + std::to_string(i.swsb.token);
  if (i.swsb.token_kind == SwsbToken::Set) list.push_back(token);
  if (i.swsb.token_kind == SwsbToken::Src) list.push_back(token + ".src");
  if (i.swsb.token_kind == SwsbToken::Dst) list.push_back(token + ".dst");
  if (i.swsb.no_acc_sb_set) list.emplace_back("NoAccSBSet");
  if (i.acc_wr_en) list.emplace_back("AccWrEn");
  if (i.atomic) list.emplace_back("Atomic");
  if (i.end_of_thread) list.emplace_back("EOT");
  if (i.fwd) list.emplace_back("Fwd");
  if (i.msg.exbso) list.emplace_back("ExBSO");
  if (i.size == 8) list.emplace_back("Compacted");
  std::sort(list.begin(), list.end());
  std::string text;
  for (const auto& item : list) text += " " + item;
  return " |" + text;
}

}  // namespace

std::string canonical_from_instruction(const Instruction& i) {
  std::string text = predicate(i) + mnemonic(i) + size(i);
  if (i.cond_mod != FlagMod::None) text += " (" + kConditions.at(i.cond_mod) + ")" + flag(i);
  if (i.math_fn == MathFn::Invm || i.math_fn == MathFn::Rsqtm) text += " (eo)" + flag(i);
  text += destination(i);
  for (unsigned k = 0; k < i.num_src; ++k) text += source(i, i.src[k]);
  if (i.jip >= 0) text += target(i.jip);
  if (i.uip >= 0) text += target(i.uip);
  if (i.is_send()) text += message(i);
  return text + options(i);
}

}  // namespace xeforge::isa::testing
