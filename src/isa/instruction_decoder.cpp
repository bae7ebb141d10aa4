// SPDX-License-Identifier: Apache-2.0
#include "isa/instruction_decoder.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "isa/decode.h"
#include "isa/iga_tables.h"
#include "isa/operand_text.h"

namespace xeforge::isa {
namespace {

// IGA's marks for "this instruction format has no such field".
constexpr uint32_t kNoVerticalStride = 63;
constexpr uint32_t kNoWidth = 31;
constexpr uint32_t kVxH = 31;
// Math macro registers mme0..mme7 are accumulator numbers 8..15 on Xe (IGA, iga_types_ext.hpp).
constexpr uint16_t kFirstMacroAccumulator = 8;
constexpr uint32_t kAbsentLength = 0xFFFFFFFFU;

class Decoder {
 public:
  Decoder(const IgaView& view, uint32_t pc) : view_(view), kv_(view.handle()), local_(view.local(pc)) { out_.pc = pc; }

  Instruction run() {
    out_.size = static_cast<uint8_t>(view_.size_at(out_.pc));
    if (const auto error = view_.error_at(out_.pc); !error.empty()) fail(error);
    out_.op = require(opcode_of(static_cast<iga::Op>(kv_get_opcode(kv_, local_))), "opcode");
    if (out_.op == Opcode::Illegal) fail("illegal instruction");
    execution_controls();
    subfunction();
    options();
    software_scoreboard();
    operands();
    targets();
    if (out_.is_send()) message();
    return out_;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw DecodeError(out_.pc, "cannot decode the instruction at " + std::to_string(out_.pc) + " '" +
                                   view_.text(out_.pc) + "': " + what);
  }

  template <typename T>
  T require(std::optional<T> value, const char* what) const {
    if (!value) fail(std::string("unsupported ") + what);
    return *value;
  }

  bool has_option(iga::InstOpt option) const { return kv_has_inst_opt(kv_, local_, static_cast<uint32_t>(option)); }

  void execution_controls() {
    out_.exec_size = static_cast<uint8_t>(kv_get_execution_size(kv_, local_));
    out_.channel_offset = static_cast<uint8_t>(4 * kv_get_channel_offset(kv_, local_));
    out_.no_mask = kv_get_mask_control(kv_, local_) == static_cast<uint32_t>(iga::MaskCtrl::NOMASK);
    out_.pred = require(predicate_of(static_cast<iga::PredCtrl>(kv_get_predicate(kv_, local_))), "predicate control");
    out_.pred_inverse = kv_get_is_inverse_predicate(kv_, local_) != 0;
    out_.cond_mod =
        require(condition_of(static_cast<iga::FlagModifier>(kv_get_flag_modifier(kv_, local_))), "flag modifier");
    out_.flag_reg = static_cast<uint8_t>(kv_get_flag_register(kv_, local_));
    out_.flag_subreg = static_cast<uint8_t>(kv_get_flag_sub_register(kv_, local_));
    out_.saturate = kv_get_destination_modifier(kv_, local_) == static_cast<uint32_t>(iga::DstModifier::SAT);
  }

  void subfunction() {
    uint32_t bits = 0;
    kv_get_subfunction(kv_, local_, &bits);
    switch (out_.op) {
      case Opcode::Math:
        out_.math_fn = require(math_of(static_cast<iga::MathFC>(bits)), "math function");
        break;
      case Opcode::Sync:
        out_.sync_fn = require(sync_of(static_cast<iga::SyncFC>(bits)), "sync function");
        break;
      case Opcode::Bfn:
        out_.bfn_lut = static_cast<uint8_t>(bits);
        break;
      case Opcode::Dpas:
      case Opcode::Dpasw:
        out_.dpas = {static_cast<uint8_t>(bits >> 8), static_cast<uint8_t>(bits)};
        break;
      case Opcode::If:
      case Opcode::Else:
      case Opcode::Goto:
        out_.branch_ctrl = bits == static_cast<uint32_t>(iga::BranchCtrl::ON);
        break;
      default:
        break;
    }
  }

  void options() {
    out_.acc_wr_en = has_option(iga::InstOpt::ACCWREN);
    out_.atomic = has_option(iga::InstOpt::ATOMIC);
    out_.end_of_thread = has_option(iga::InstOpt::EOT);
    out_.fwd = has_option(iga::InstOpt::FWD);
  }

  void software_scoreboard() {
    iga::SWSB bits;
    // The mode was given when the view was made; IGA ignores this one.
    if (!kv_get_swsb_info(kv_, local_, iga::SWSB_ENCODE_MODE::SWSBInvalidMode, bits)) return;
    out_.swsb.dist_pipe = require(distance_of(bits.distType), "scoreboard distance");
    out_.swsb.dist = static_cast<uint8_t>(bits.minDist);
    out_.swsb.token_kind = require(token_of(bits.tokenType), "scoreboard token");
    out_.swsb.token = static_cast<uint8_t>(bits.sbid);
    out_.swsb.no_acc_sb_set = bits.spToken == iga::SWSB::SpecialToken::NOACCSBSET;
  }

  void operands() {
    if (kv_get_has_destination(kv_, local_) == 1) out_.dst = destination();
    const int32_t count = kv_get_number_sources(kv_, local_);
    for (int32_t i = 0; i < count && i < 3; ++i) {
      Operand source = this->source(static_cast<uint32_t>(i));
      if (!source.exists()) break;  // a branch target
      if (out_.op == Opcode::Sync && source.is_null()) break;
      // The register form of brc holds both targets; IGA adds a null for the second.
      if (out_.op == Opcode::Brc && i == 1) break;
      out_.src[static_cast<size_t>(i)] = source;
      out_.num_src = static_cast<uint8_t>(i + 1);
    }
  }

  Operand destination() const {
    Operand dst;
    const auto kind = static_cast<iga::Kind>(kv_get_destination_register_kind(kv_, local_));
    const auto name = static_cast<iga::RegName>(kv_get_destination_register_type(kv_, local_));
    dst.type = operand_type(static_cast<iga::Type>(kv_get_destination_data_type(kv_, local_)));
    uint32_t stride = 0;
    kv_get_destination_region(kv_, local_, &stride);
    dst.region = {0, 1, static_cast<uint8_t>(stride == 0 || stride > 4 ? 1 : stride), false};
    const int32_t reg = kv_get_destination_register(kv_, local_);
    const int32_t sub = kv_get_destination_sub_register(kv_, local_);
    if (kind == iga::Kind::INDIRECT) {
      kv_get_destination_indirect_imm_off(kv_, local_, &dst.addr_offset);
      indirect(dst, sub);
      return dst;
    }
    direct(dst, name, reg, sub);
    if (kind == iga::Kind::MACRO) {
      int16_t mme = 0;
      kv_get_destination_mme_number(kv_, local_, &mme);
      dst.mme = macro_number(mme);
    }
    return dst;
  }

  Operand source(uint32_t index) const {
    Operand src;
    const auto kind = static_cast<iga::Kind>(kv_get_source_register_kind(kv_, local_, index));
    if (kind == iga::Kind::LABEL || kind == iga::Kind::INVALID) return src;
    const auto name = static_cast<iga::RegName>(kv_get_source_register_type(kv_, local_, index));
    const auto type = operand_type(static_cast<iga::Type>(kv_get_source_data_type(kv_, local_, index)));
    src.type = is_dpas() && index > 0 ? precision_of(type) : type;
    if (kind == iga::Kind::IMMEDIATE) {
      immediate(src, index);
      return src;
    }
    const auto modifier = static_cast<iga::SrcModifier>(kv_get_source_modifier(kv_, local_, index));
    src.negate = modifier == iga::SrcModifier::NEG || modifier == iga::SrcModifier::NEG_ABS;
    src.absolute = modifier == iga::SrcModifier::ABS || modifier == iga::SrcModifier::NEG_ABS;
    const int32_t reg = kv_get_source_register(kv_, local_, index);
    const int32_t sub = kv_get_source_sub_register(kv_, local_, index);
    if (kind == iga::Kind::INDIRECT) {
      kv_get_source_indirect_imm_off(kv_, local_, index, &src.addr_offset);
      indirect(src, sub);
    } else {
      direct(src, name, reg, sub);
    }
    if (kind == iga::Kind::MACRO) {
      int16_t mme = 0;
      kv_get_source_mme_number(kv_, local_, index, &mme);
      src.mme = macro_number(mme);
    }
    src.region = source_region(index, kind, src.file);
    return src;
  }

  bool is_dpas() const { return out_.op == Opcode::Dpas || out_.op == Opcode::Dpasw; }

  DataType operand_type(iga::Type type) const {
    // Sends and branches carry no type: payload is dwords, a branch register holds a signed distance.
    if (out_.is_send()) return DataType::UD;
    if (type == iga::Type::INVALID) return info(out_.op).cls == OpClass::Control ? DataType::D : DataType::UD;
    return require(type_of(type), "data type");
  }

  static DataType precision_of(DataType type) {
    if (type == DataType::UB) return DataType::U8;
    return type == DataType::B ? DataType::S8 : type;
  }

  void direct(Operand& operand, iga::RegName name, int32_t reg, int32_t sub) const {
    operand.kind = OperandKind::Direct;
    operand.reg = static_cast<uint16_t>(reg);
    if (name == iga::RegName::ARF_MME) {
      operand.file = RegFile::Acc;
      operand.reg = static_cast<uint16_t>(operand.reg + kFirstMacroAccumulator);
    } else {
      operand.file = require(file_of(name), "register file");
    }
    if (sub > 0) operand.sub_bytes = static_cast<uint16_t>(static_cast<uint32_t>(sub) * bits_of(operand.type) / 8);
  }

  static void indirect(Operand& operand, int32_t sub) {
    operand.kind = OperandKind::Indirect;
    operand.file = RegFile::Grf;
    operand.addr_subreg = static_cast<uint8_t>(sub);
  }

  void immediate(Operand& src, uint32_t index) const {
    src.kind = OperandKind::Immediate;
    src.file = RegFile::Null;
    uint64_t bits = 0;
    kv_get_source_immediate(kv_, local_, index, &bits);
    const unsigned width = bits_of(src.type);
    src.imm = width >= 64 ? bits : bits & ((uint64_t{1} << width) - 1);
    // A packed vector holds a value per element: reading it as a scalar would broadcast the first one.
    const bool vector = src.type == DataType::V || src.type == DataType::UV || src.type == DataType::VF;
    src.region = vector ? Region{1, 1, 0, false} : Region{};
  }

  uint8_t macro_number(int16_t mme) const {
    if (mme < 0) fail("math macro operand without a macro register");
    return static_cast<uint8_t>(mme);
  }

  Region source_region(uint32_t index, iga::Kind kind, RegFile file) const {
    constexpr Region kPacked{1, 1, 0, false};
    if (out_.is_send() || is_dpas()) return kPacked;
    if (file == RegFile::Null) return {};
    if (info(out_.op).cls == OpClass::Control) return {};
    uint32_t v = 0;
    uint32_t w = 0;
    uint32_t h = 0;
    if (kv_get_source_region(kv_, local_, index, &v, &w, &h) == 0) return normalised(v, w, h, kind);
    // IGA's interface has regions for general, state and accumulator registers only; its text has all.
    const auto written = region_in_text(view_.text(out_.pc), index, kv_get_has_destination(kv_, local_) == 1);
    if (written) return normalised(written->v, written->w, written->h, kind);
    if (kind == iga::Kind::MACRO) return out_.exec_size == 1 ? Region{} : kPacked;
    return {};
  }

  Region normalised(uint32_t v, uint32_t w, uint32_t h, iga::Kind kind) const {
    const auto region = [](uint32_t rv, uint32_t rw, uint32_t rh) {
      return Region{static_cast<uint8_t>(rv), static_cast<uint8_t>(rw), static_cast<uint8_t>(rh), false};
    };
    if (kind == iga::Kind::INDIRECT && v == kVxH) {
      return {0, static_cast<uint8_t>(w), static_cast<uint8_t>(h), true};
    }
    if (w != kNoWidth && v != kNoVerticalStride) return region(v, w, h);
    if (v == kNoVerticalStride) return region(h, 1, 0);  // third source <h>
    // <v;h> of ternary instructions, "Regioning Rules for Align1 Ternary Operations": the width is v if h is 0,
    // else v / h, and v must not be 0 unless h is.
    if (v == 0 && h == 0) return {};
    if (v == 0 || (h != 0 && v % h != 0)) fail("source region <v;h> without a width");
    if (h == 0) return region(v, v, 0);
    return region(v, v / h, h);
  }

  void targets() {
    if (info(out_.op).cls != OpClass::Control) return;
    std::array<int32_t, KV_MAX_TARGETS_PER_INSTRUCTION> local{};
    const uint32_t count = kv_get_inst_targets(kv_, local_, local.data());
    // calla's target is a position already; the others are relative to the instruction.
    const uint32_t base = out_.op == Opcode::Calla ? 0 : view_.base();
    if (count > 0) out_.jip = static_cast<int32_t>(static_cast<uint32_t>(local[0]) + base);
    if (count > 1) out_.uip = static_cast<int32_t>(static_cast<uint32_t>(local[1]) + base);
  }

  void message() {
    Message partial;
    int32_t sfid = 0;
    if (kv_get_message_sfid(kv_, local_, &sfid) != KV_SUCCESS) fail("no shared function");
    uint8_t ex_reg = KV_INVALID_REG;
    uint8_t ex_sub = KV_INVALID_REG;
    uint8_t reg = KV_INVALID_REG;
    uint8_t sub = KV_INVALID_REG;
    kv_get_send_indirect_descs(kv_, local_, &ex_reg, &ex_sub, &reg, &sub);
    partial.desc_in_reg = reg != KV_INVALID_REG;
    partial.exdesc_in_reg = ex_reg != KV_INVALID_REG;
    if (partial.desc_in_reg) partial.desc_a0_subreg = sub;
    if (partial.exdesc_in_reg) partial.exdesc_a0_subreg = ex_sub;
    partial.exbso = has_option(iga::InstOpt::EXBSO);
    partial.end_of_thread = out_.end_of_thread;

    uint32_t desc = 0;
    uint32_t exdesc = 0;
    kv_get_send_descs(kv_, local_, &exdesc, &desc);
    if (partial.desc_in_reg) desc = 0;
    if (partial.exdesc_in_reg) {
      exdesc = 0;
      // Xe2: a part of the extended descriptor stays immediate beside the register (offsets from a surface).
      if (view_.platform() == Platform::Xe2) kv_get_send_exdesc_immoff(kv_, local_, &exdesc);
    }
    uint32_t src0_len = 0;
    uint32_t src1_len = 0;
    uint32_t dst_len = 0;
    kv_get_message_len(kv_, local_, &src0_len, &src1_len, &dst_len);
    partial.src1_len_in_reg = src1_len == kAbsentLength;
    if (!partial.src1_len_in_reg) partial.src1_len = static_cast<uint8_t>(src1_len);
    const Sfid port = sfid_of(static_cast<iga::SFID>(sfid));
    if (partial.desc_in_reg) {
      // Only the register says what this is; the machine decodes again when it knows it.
      out_.msg = partial;
      out_.msg.sfid = port;
      out_.msg.exdesc = exdesc;
      return;
    }
    out_.msg = decode_message(view_.platform(), port, desc, exdesc, partial);
  }

  const IgaView& view_;
  const kv_t* kv_;
  int32_t local_;
  Instruction out_;
};

}  // namespace

Instruction decode_instruction(const IgaView& view, uint32_t pc) { return Decoder(view, pc).run(); }

}  // namespace xeforge::isa
