// SPDX-License-Identifier: Apache-2.0
//
// Instructions to uops: operands become offsets, handlers are chosen, basic blocks are cut.
#include "machine/translate.h"

#include <algorithm>
#include <cstring>

#include "machine/control.h"

namespace xeforge::machine {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Operand;
using isa::OperandKind;
using isa::RegFile;

[[noreturn]] void refuse(const isa::Program& program, const isa::Instruction& inst, const std::string& why) {
  throw isa::DecodeError(
      inst.pc, "pc 0x" +
                   [&] {
                     char hex[16];
                     std::snprintf(hex, sizeof hex, "%x", inst.pc);
                     return std::string(hex);
                   }() +
                   ": " + program.text(inst.pc) + ": " + why);
}

unsigned size_of(ExecType t) {
  switch (t) {
    case ExecType::U8:
      return 1;
    case ExecType::U16:
      return 2;
    case ExecType::U64:
    case ExecType::I64:
    case ExecType::F64:
      return 8;
    default:
      return 4;
  }
}

/// True if register elements of type `d` are elements of execution type `t` bit for bit.
bool same_representation(ExecType t, DataType d) {
  switch (t) {
    case ExecType::U8:
    case ExecType::U16:
      return isa::bytes_of(d) == size_of(t);
    case ExecType::U32:
      return isa::bytes_of(d) == 4;
    case ExecType::U64:
      return isa::bytes_of(d) == 8;
    case ExecType::I32:
      return d == DataType::D || d == DataType::UD;
    case ExecType::I64:
      return d == DataType::Q || d == DataType::UQ;
    case ExecType::F32:
      return d == DataType::F;
    case ExecType::F64:
      return d == DataType::DF;
  }
  return false;
}

float half_bits_to_float(uint16_t h) {
  const uint32_t sign = static_cast<uint32_t>(h & 0x8000u) << 16;
  const uint32_t e = (h >> 10) & 31u;
  const uint32_t m = h & 0x3FFu;
  uint32_t bits = sign | ((e + 112u) << 23) | (m << 13);
  if (e == 31) bits = sign | 0x7F800000u | (m << 13);
  float f;
  std::memcpy(&f, &bits, 4);
  if (e == 0) f = (sign ? -1.0F : 1.0F) * static_cast<float>(m) * 5.9604644775390625e-08F;
  return f;
}

/// The immediate in the execution type.
uint64_t immediate_value(const Operand& o, ExecType t) {
  const auto as_double = [&]() -> double {
    switch (o.type) {
      case DataType::HF:
        return static_cast<double>(half_bits_to_float(static_cast<uint16_t>(o.imm)));
      case DataType::BF:
      case DataType::F: {
        const uint32_t bits = o.type == DataType::F ? static_cast<uint32_t>(o.imm) : static_cast<uint32_t>(o.imm) << 16;
        float f;
        std::memcpy(&f, &bits, 4);
        return static_cast<double>(f);
      }
      case DataType::DF: {
        double d;
        std::memcpy(&d, &o.imm, 8);
        return d;
      }
      default:
        return 0;
    }
  };
  const auto as_integer = [&]() -> int64_t {
    switch (o.type) {
      case DataType::B:
        return static_cast<int8_t>(o.imm);
      case DataType::W:
        return static_cast<int16_t>(o.imm);
      case DataType::D:
        return static_cast<int32_t>(o.imm);
      default:
        return static_cast<int64_t>(o.imm);
    }
  };
  uint64_t out = 0;
  if (t == ExecType::F32) {
    // F bits pass unchanged so that a NaN keeps its payload.
    if (o.type == DataType::F) return o.imm & 0xFFFFFFFFu;
    const auto f = isa::is_float(o.type) ? static_cast<float>(as_double()) : static_cast<float>(as_integer());
    std::memcpy(&out, &f, 4);
    return out;
  }
  if (t == ExecType::F64) {
    const double d = isa::is_float(o.type) ? as_double() : static_cast<double>(as_integer());
    std::memcpy(&out, &d, 8);
    return out;
  }
  return isa::is_float(o.type) ? o.imm : static_cast<uint64_t>(as_integer());
}

class Translator {
 public:
  Translator(std::shared_ptr<const isa::Program> program, const device::Device& device, unsigned grf_count,
             std::span<const uint32_t> entries, Code& code)
      : program_(std::move(program)),
        device_(device),
        entries_(entries),
        code_(code),
        grf_bytes_(isa::grf_bytes(program_->platform())),
        grf_limit_(grf_count * grf_bytes_) {}

  void run() {
    const auto insts = program_->instructions();
    find_leaders();
    code_.uop_by_pc8.assign(insts.empty() ? 0 : (insts.back().pc + insts.back().size) / 8 + 1, 0);
    for (uint32_t i = 0; i < insts.size(); ++i) {
      const auto first = static_cast<UopIndex>(code_.uops.size());
      if (leader_[i]) open_block(i, first);
      ++code_.blocks.back().inst_count;
      for (uint32_t pc = insts[i].pc; pc < insts[i].pc + insts[i].size; pc += 8) code_.uop_by_pc8[pc / 8] = first;
      if (emit(i)) ++code_.blocks.back().count;
    }
    // A jump may also name the end of the program.
    if (!code_.uop_by_pc8.empty()) code_.uop_by_pc8.back() = static_cast<UopIndex>(code_.uops.size());
    append_end();
    resolve_targets();
  }

 private:
  void open_block(uint32_t inst, UopIndex first) { code_.blocks.push_back({first, 0, inst, 0}); }

  /// Running past the last instruction is a fault, not undefined behaviour of the host.
  void append_end() {
    Uop u;
    static const isa::Instruction kEnd{};
    u.inst = &kEnd;
    u.pc = program_->instructions().empty() ? 0
                                            : program_->instructions().back().pc + program_->instructions().back().size;
    u.fn = [](Thread&, const Uop& at) {
      raise_fault(FaultKind::UnknownInstruction, at.pc, -1, "ran past the last instruction");
    };
    code_.blocks.push_back(
        {static_cast<UopIndex>(code_.uops.size()), 1, static_cast<uint32_t>(program_->instructions().size()), 0});
    code_.uops.push_back(u);
    code_.block_of_uop.assign(code_.uops.size(), 0);
    for (uint32_t b = 0; b < code_.blocks.size(); ++b) code_.block_of_uop[code_.blocks[b].first] = b;
  }

  void find_leaders() {
    const auto insts = program_->instructions();
    leader_.assign(insts.size(), false);
    const auto mark = [&](int64_t pc) {
      if (pc < 0) return;
      const int32_t i = program_->index_of(static_cast<uint32_t>(pc));
      if (i >= 0) leader_[static_cast<uint32_t>(i)] = true;
    };
    bool indirect = false;
    for (uint32_t i = 0; i < insts.size(); ++i) {
      const isa::Instruction& inst = insts[i];
      if (i == 0 || insts[i - 1].pc + insts[i - 1].size != inst.pc) leader_[i] = true;
      mark(inst.jip);
      mark(inst.uip);
      const bool pair = inst.op == Opcode::Dpasw;
      if (ends_block(inst) && i + 1 < insts.size()) leader_[i + 1] = true;
      if (i > 0 && pair != (insts[i - 1].op == Opcode::Dpasw)) leader_[i] = true;
      const bool jumps = inst.op == Opcode::Jmpi || inst.op == Opcode::Brd || inst.op == Opcode::Brc ||
                         inst.op == Opcode::Call || inst.op == Opcode::Calla;
      indirect |= jumps && inst.jip < 0;
    }
    for (const uint32_t entry : entries_) mark(entry);
    // Any instruction may be the target of a jump through a register.
    if (indirect) std::fill(leader_.begin(), leader_.end(), true);
  }

  /// False if the instruction does nothing when executed in order.
  bool emit(uint32_t index) {
    const isa::Instruction& inst = program_->instructions()[index];
    const auto insts = program_->instructions();
    const bool inert = inst.op == Opcode::Nop || (inst.op == Opcode::Sync && inst.sync_fn != isa::SyncFn::Bar) ||
                       (index + 1 < insts.size() && is_dummy_dpas(inst, insts[index + 1]));
    if (inert && !leader_[index]) return false;
    Uop u = common(inst);
    const std::string lacking = unsupported_reason(inst, device_);
    if (!lacking.empty()) {
      u.fn = [](Thread& t, const Uop& at) {
        raise_fault(FaultKind::UnsupportedOnDevice, at.pc, -1,
                    unsupported_reason(*at.inst, *t.worker->context->launch->kernel->device));
      };
    } else if (inert) {
      u.fn = [](Thread&, const Uop&) {};
    } else if (const Handler control = control_handler(inst)) {
      u.fn = control;
      if (inst.src[0].kind == OperandKind::Direct) u.src[0].offset = direct_offset(inst, inst.src[0], 8);
      if (inst.dst.kind == OperandKind::Direct && !inst.dst.is_null()) u.dst.offset = direct_offset(inst, inst.dst, 8);
    } else if (inst.is_send()) {
      emit_send(inst, u);
    } else if (inst.op == Opcode::Dpas || inst.op == Opcode::Dpasw) {
      emit_dpas(inst, u);
    } else {
      emit_alu(inst, u);
    }
    if (u.fn == nullptr) refuse(*program_, inst, "the virtual machine has no handler for this form of the instruction");
    code_.uops.push_back(u);
    return true;
  }

  Uop common(const isa::Instruction& inst) const {
    Uop u;
    u.exec_size = inst.exec_size;
    u.channel_offset = inst.channel_offset;
    u.no_mask = inst.no_mask;
    u.pred = inst.pred;
    u.pred_inverse = inst.pred_inverse;
    u.cond_mod = inst.cond_mod;
    u.saturate = inst.saturate;
    u.acc_wr_en = inst.acc_wr_en;
    u.flag_offset = static_cast<uint16_t>(regspace::kFlag + inst.flag_reg * 4u);
    u.flag_shift = static_cast<uint8_t>(inst.flag_subreg * 16u);
    u.grf_bytes = static_cast<uint8_t>(grf_bytes_);
    u.lanes = inst.exec_size >= 32 ? 0xFFFFFFFFu : (1u << inst.exec_size) - 1u;
    u.pc = inst.pc;
    u.pc_next = inst.pc + inst.size;
    u.pc_jip = static_cast<uint32_t>(inst.jip);
    u.pc_uip = static_cast<uint32_t>(inst.uip);
    u.inst = &inst;
    return u;
  }

  /// Offset of a direct operand of `extent` bytes; outside the thread's registers is an error now.
  uint32_t direct_offset(const isa::Instruction& inst, const Operand& o, uint32_t extent) const {
    const uint32_t offset = register_offset(o, grf_bytes_);
    if (o.file == RegFile::Grf && offset + extent > grf_limit_)
      refuse(*program_, inst,
             "register r" + std::to_string(o.reg) + " is beyond the thread's " +
                 std::to_string(grf_limit_ / grf_bytes_) + " registers");
    return offset;
  }

  void emit_send(const isa::Instruction& inst, Uop& u) {
    u.fn = send_handler(inst, device_);
    if (u.fn == nullptr) refuse(*program_, inst, "unknown message: " + isa::describe(inst.msg));
    const auto payload = [&](const Operand& o, unsigned regs) {
      return o.kind == OperandKind::Direct && !o.is_null() ? direct_offset(inst, o, regs * grf_bytes_)
                                                           : regspace::kNull;
    };
    u.src[0].offset = payload(inst.src[0], inst.msg.src0_len);
    u.src[1].offset = payload(inst.src[1], inst.msg.src1_len);
    u.dst.null = !inst.dst.exists() || inst.dst.is_null();
    u.dst.offset = u.dst.null ? regspace::kNull : payload(inst.dst, inst.msg.dst_len);
    const bool global = inst.msg.sfid != isa::Sfid::Slm;
    const bool atomic = inst.msg.kind == isa::MessageKind::Atomic || inst.msg.kind == isa::MessageKind::UntypedAtomic ||
                        inst.msg.kind == isa::MessageKind::A64UntypedAtomic;
    const bool is_float = inst.msg.atomic == isa::AtomicOp::FAdd || inst.msg.atomic == isa::AtomicOp::FSub;
    code_.single_worker |= global && atomic && (inst.msg.returns_data || is_float);
    code_.has_barrier |= inst.msg.kind == isa::MessageKind::BarrierSignal;
  }

  void emit_dpas(const isa::Instruction& inst, Uop& u) {
    const unsigned n = isa::native_simd(program_->platform());
    u.fn = exec_library().dpas(inst, n);
    if (u.fn == nullptr) refuse(*program_, inst, "this combination of dpas types and shape is not executed");
    code_.has_dpasw |= inst.op == Opcode::Dpasw;
    const unsigned rows = inst.dpas.repeat_count;
    const auto rows_of = [&](const Operand& o) { return rows * n * isa::bytes_of(o.type); };
    u.dst.offset = direct_offset(inst, inst.dst, rows_of(inst.dst));
    u.src[0].offset = inst.src[0].is_null() ? regspace::kNull : direct_offset(inst, inst.src[0], rows_of(inst.src[0]));
    u.src[1].offset = direct_offset(inst, inst.src[1], 8 * n * 4);
    if (inst.op == Opcode::Dpas) {
      u.src[2].offset = direct_offset(inst, inst.src[2], rows * 32);
    } else {
      u.src[2].value = direct_offset(inst, inst.src[2], (rows + 1) / 2 * 32);
      u.src[2].offset = regspace::kPairOperand;
    }
  }

  void emit_alu(const isa::Instruction& inst, Uop& u) {
    const ExecForm form = exec_form(inst);
    u.fn = inst.op == Opcode::Math
               ? exec_library().math(inst.math_fn, form.type)
               : exec_library().alu(inst.op == Opcode::Mach && is_macl(inst) ? Opcode::Macl : inst.op, form.type,
                                    inst.exec_size, form.general);
    for (unsigned i = 0; i < inst.num_src; ++i) {
      const bool packed_bytes = inst.op == Opcode::Dp4a && i > 0;
      u.src[i] = source(inst, inst.src[i], packed_bytes ? ExecType::U32 : form.type, inst.op == Opcode::Movi);
    }
    destination(inst, form, u.dst);
  }

  /// DG2 spells macl as mach without {AccWrEn} (isa.md section 3).
  bool is_macl(const isa::Instruction& inst) const {
    return program_->platform() == isa::Platform::XeHpg && !inst.acc_wr_en;
  }

  SrcOperand source(const isa::Instruction& inst, const Operand& o, ExecType type, bool address_only) const {
    SrcOperand s;
    s.type = o.type;
    s.negate = o.negate;
    s.absolute = o.absolute;
    const bool packed = o.type == DataType::V || o.type == DataType::UV || o.type == DataType::VF;
    if (o.kind == OperandKind::Immediate && !packed) {
      s.fetch = Fetch::Immediate;
      s.value = immediate_value(o, type);
      return s;
    }
    const unsigned element = isa::bytes_of(o.type);
    const unsigned n = inst.exec_size;
    s.load = exec_library().load(type, o.type);
    s.fetch = Fetch::Convert;
    if (o.kind == OperandKind::Immediate) {
      s.value = o.imm;
      if (s.load == nullptr) refuse(*program_, inst, "packed-vector immediate in this execution type");
      return s;
    }
    region(o, n, element, s);
    if (o.kind == OperandKind::Indirect) {
      s.indirect = true;
      s.vxh = o.region.vxh;
      s.addr_subreg = o.addr_subreg;
      s.offset = static_cast<uint32_t>(static_cast<int32_t>(o.addr_offset)) & 0xFFFFu;
    } else {
      const uint32_t last = n == 0 ? 0 : n - 1;
      const uint32_t extent = s.region_1d ? last * static_cast<uint32_t>(s.stride) + element
                                          : (last / s.width) * s.v_bytes + (s.width - 1u) * s.h_bytes + element;
      s.offset = o.file == RegFile::Null ? regspace::kNull : direct_offset(inst, o, extent);
      if (same_representation(type, o.type)) {
        if (n == 1 || o.region.is_scalar())
          s.fetch = Fetch::Uniform;
        else if (o.region.is_contiguous(n))
          s.fetch = Fetch::Contiguous;
      }
    }
    if (s.fetch == Fetch::Convert && s.load == nullptr && !address_only)
      refuse(*program_, inst, "source type " + std::string(isa::name_of(o.type)) + " in this execution type");
    return s;
  }

  static void region(const Operand& o, unsigned n, unsigned element, SrcOperand& s) {
    const isa::Region& r = o.region;
    s.width = std::max<uint8_t>(r.w, 1);
    s.v_bytes = static_cast<uint16_t>(r.v * element);
    s.h_bytes = static_cast<uint16_t>(r.h * element);
    s.region_1d = true;
    const bool one_row = r.w >= n && !r.vxh;
    if (s.width == 1 && !one_row)
      s.stride = s.v_bytes;
    else if (one_row || r.v == r.w * r.h)
      s.stride = s.h_bytes;
    else
      s.region_1d = false;
  }

  void destination(const isa::Instruction& inst, const ExecForm& form, DstOperand& d) const {
    const Operand& o = inst.dst;
    const ExecType type = form.type;
    d.type = o.type;
    if (!o.exists() || o.is_null()) {
      d.null = true;
      d.contiguous = false;
      d.offset = regspace::kNull;
      d.store = exec_library().store(type, DataType::Invalid, false);
      return;
    }
    const unsigned element = isa::bytes_of(o.type);
    d.stride = static_cast<int32_t>(std::max<unsigned>(o.region.h, 1) * element);
    d.store = exec_library().store(type, o.type, inst.saturate);
    if (d.store == nullptr)
      refuse(*program_, inst, "destination type " + std::string(isa::name_of(o.type)) + " in this execution type");
    if (o.kind == OperandKind::Indirect) {
      d.indirect = true;
      d.contiguous = false;
      d.addr_subreg = o.addr_subreg;
      d.offset = static_cast<uint32_t>(static_cast<int32_t>(o.addr_offset)) & 0xFFFFu;
      return;
    }
    d.acc = o.file == RegFile::Acc;
    d.offset = direct_offset(inst, o, (inst.exec_size - 1u) * static_cast<uint32_t>(d.stride) + element);
    d.contiguous = !inst.saturate && same_representation(type, o.type) &&
                   (inst.exec_size == 1 || d.stride == static_cast<int32_t>(element));
    // The general form keeps the 64-bit view of the accumulator by itself.
    if (d.acc && !form.general && !inst.saturate && !isa::is_float(o.type) && element == 4 && size_of(type) >= 4) {
      d.contiguous = false;
      d.store = accumulator_store(type);
    }
    // A write of cr0 may change the rounding mode for the instructions that follow.
    if (o.file == RegFile::Control) {
      d.contiguous = false;
      d.store = control_register_store(type);
    }
    // A write of sr0.2 changes which channels the thread has. Generated kernels use 16 channels in threads that were
    // dispatched with 8 (library-kernels.md section 2, item 7).
    if (o.file == RegFile::State && d.offset == regspace::kState + regspace::kDispatchMaskByte) {
      if (inst.exec_size != 1 || element != 4)
        refuse(*program_, inst, "a write of the dispatch mask that is not one dword");
      d.contiguous = false;
      d.store = dispatch_mask_store(type);
      if (d.store == nullptr) refuse(*program_, inst, "the dispatch mask in this execution type");
    }
  }

  static StoreFn accumulator_store(ExecType type) {
    if (size_of(type) == 8)
      return [](Thread& t, const Uop& u, const void* in, uint32_t mask) { write_accumulator(t, u, in, mask, 8); };
    return [](Thread& t, const Uop& u, const void* in, uint32_t mask) { write_accumulator(t, u, in, mask, 4); };
  }
  static void write_accumulator(Thread& t, const Uop& u, const void* in, uint32_t mask, uint32_t step) {
    for (uint32_t i = 0; i < u.exec_size; ++i) {
      if (!((mask >> i) & 1u)) continue;
      const uint32_t at = u.dst.offset + i * static_cast<uint32_t>(u.dst.stride);
      uint32_t low;
      std::memcpy(&low, static_cast<const std::byte*>(in) + size_t{i} * step, sizeof low);
      std::memcpy(t.at(at), &low, sizeof low);
      t.acc64[(at - regspace::kAcc) / 4] =
          isa::is_signed(u.dst.type) ? static_cast<int64_t>(static_cast<int32_t>(low)) : static_cast<int64_t>(low);
    }
  }

  static StoreFn dispatch_mask_store(ExecType type) {
    if (size_of(type) < 4) return nullptr;
    return [](Thread& t, const Uop& u, const void* in, uint32_t mask) {
      if ((mask & 1u) == 0) return;
      uint32_t channels;
      std::memcpy(&channels, in, sizeof channels);
      std::memcpy(t.at(u.dst.offset), &channels, sizeof channels);
      std::memcpy(t.at(regspace::kChannelEnable), &channels, sizeof channels);
      // Channels that wait at a join keep waiting; new ones take part at once.
      const uint32_t waiting = t.dispatch_mask & ~t.exec_mask;
      t.dispatch_mask = channels;
      t.exec_mask = channels & ~waiting;
    };
  }

  static StoreFn control_register_store(ExecType type) {
    if (size_of(type) == 8)
      return [](Thread& t, const Uop& u, const void* in, uint32_t mask) { write_control(t, u, in, mask, 8); };
    return [](Thread& t, const Uop& u, const void* in, uint32_t mask) { write_control(t, u, in, mask, 4); };
  }
  static void write_control(Thread& t, const Uop& u, const void* in, uint32_t mask, uint32_t step) {
    for (uint32_t i = 0; i < u.exec_size; ++i)
      if ((mask >> i) & 1u)
        std::memcpy(t.at(u.dst.offset + i * 4), static_cast<const std::byte*>(in) + size_t{i} * step,
                    isa::bytes_of(u.dst.type));
    apply_control_register(t);
  }

  void resolve_targets() {
    for (Uop& u : code_.uops) {
      if (u.inst->jip >= 0) u.target_jip = code_.uop_at(static_cast<uint32_t>(u.inst->jip));
      if (u.inst->uip >= 0) u.target_uip = code_.uop_at(static_cast<uint32_t>(u.inst->uip));
    }
  }

  std::shared_ptr<const isa::Program> program_;
  const device::Device& device_;
  std::span<const uint32_t> entries_;
  Code& code_;
  unsigned grf_bytes_;
  uint32_t grf_limit_;
  std::vector<bool> leader_;
};

}  // namespace

bool is_dummy_dpas(const isa::Instruction& inst, const isa::Instruction& next) {
  if ((inst.op != Opcode::Dpas && inst.op != Opcode::Dpasw) || !inst.atomic || !inst.src[0].is_null()) return false;
  return next.op == inst.op && !next.src[0].is_null() && next.dst.reg == inst.dst.reg &&
         next.dpas.repeat_count == inst.dpas.repeat_count && next.dpas.systolic_depth == inst.dpas.systolic_depth &&
         inst.src[1].reg == inst.src[2].reg;
}

uint32_t register_offset(const Operand& o, unsigned grf_bytes) {
  switch (o.file) {
    case RegFile::Grf:
      return regspace::kGrf + o.reg * grf_bytes + o.sub_bytes;
    case RegFile::Acc:
      return regspace::kAcc + o.reg * grf_bytes + o.sub_bytes;
    case RegFile::Address:
      return regspace::kAddress + o.sub_bytes;
    case RegFile::Flag:
      return regspace::kFlag + o.reg * 4u + o.sub_bytes;
    case RegFile::State:
      return regspace::kState + o.reg * 16u + o.sub_bytes;
    case RegFile::Control:
      return regspace::kControl + o.sub_bytes;
    case RegFile::Timestamp:
      return regspace::kTimestamp + o.sub_bytes;
    case RegFile::ChannelEnable:
      return regspace::kChannelEnable + o.sub_bytes;
    case RegFile::Notification:
      return regspace::kNotification + o.sub_bytes;
    case RegFile::Null:
      return regspace::kNull;
    default:
      return regspace::kMisc + o.sub_bytes;
  }
}

UopIndex Code::uop_at(uint32_t pc) const {
  const uint32_t slot = pc / 8;
  return slot < uop_by_pc8.size() ? uop_by_pc8[slot] : static_cast<UopIndex>(uops.size() - 1);
}

std::shared_ptr<const Code> translate(std::shared_ptr<const isa::Program> program, const device::Device& device,
                                      unsigned grf_count, std::span<const uint32_t> entries) {
  auto code = std::make_shared<Code>();
  code->program = program;
  code->platform = program->platform();
  code->grf_count = grf_count;
  Translator(program, device, grf_count, entries, *code).run();
  return code;
}

}  // namespace xeforge::machine
