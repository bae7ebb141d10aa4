// SPDX-License-Identifier: Apache-2.0
#include "observe/check/init.h"

#include <algorithm>
#include <cstring>

namespace xeforge::observe::check {
namespace {

using isa::DataType;
using isa::Opcode;
using machine::Footprint;
using machine::Thread;
using machine::Uop;
namespace regspace = machine::regspace;
using Kind_ = Elements::Kind;

constexpr unsigned kMaxLanes = 32;

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

uint32_t enabled_channels(const Thread& t, const Uop& u) {
  return u.no_mask ? u.lanes : (t.exec_mask >> u.channel_offset) & u.lanes;
}

unsigned flag_base(const Uop& u) { return (u.flag_offset - regspace::kFlag) * 8u + u.flag_shift; }

bool is_prefix(const isa::Message& m, isa::MessageKind a, isa::MessageKind b) { return m.kind == a || m.kind == b; }

}  // namespace

InitPart::InitPart(Findings& findings, const machine::LaunchContext& context, const Environment& environment)
    : Part(findings),
      context_(context),
      code_(*context.code),
      defined_(environment.defined),
      grf_(code_.platform == isa::Platform::Xe2 ? 64 : 32) {
  for (const Uop& u : code_.uops) plans_.push_back(plan_of(u));
}

InitPart::Plan InitPart::plan_of(const Uop& u) const {
  const isa::Instruction& inst = *u.inst;
  Plan p;
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
  for (unsigned i = 0; i < p.sources; ++i) p.src[i] = source_elements(inst.src[i], inst.exec_size, grf_);
  if (inst.dst.exists() && !inst.dst.is_null()) p.dst = destination_elements(inst.dst, inst.exec_size, grf_);
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

void InitPart::group_begins(const machine::Group& group) {
  State& state = states_.begin(group);
  state.threads.resize(group.threads.size());
  state.slm.assign(group.slm.size(), origin::kLocal);
}

void InitPart::group_ends(const machine::Group& group) {
  for (auto& thread : states_.of(group).threads) {
    if (thread != nullptr) idle_.push_back(std::move(thread));
  }
  states_.end(group);
}

void InitPart::thread_begins(Thread& t) {
  std::unique_ptr<ThreadState>& me = states_.of(*t.group).threads[t.id];
  if (idle_.empty()) {
    me = std::make_unique<ThreadState>();
  } else {
    me = std::move(idle_.back());
    idle_.pop_back();
  }
  // The payload is what does not hold the poison that start_thread left everywhere else.
  const uint32_t grf_bytes = code_.grf_count * grf_;
  const auto poison = std::byte{context_.options->poison};
  uint32_t payload = std::min<uint32_t>(grf_bytes, 32 * grf_);
  while (payload > grf_ && *t.at(payload - 1) == poison) --payload;
  me->regs.reset((payload + grf_ - 1) / grf_ * grf_, grf_bytes);
  me->scratch.assign(t.scratch.size(), origin::kScratch);
}

void InitPart::report(const Thread& t, const Uop& u, Kind kind, uint32_t lanes, const std::string& what,
                      uint8_t origins) {
  findings_.add(kind, u.pc, Findings::kNoPc, t.group->linear, [&] {
    Finding finding;
    finding.first = place_of(t, u.pc, lanes == 0 ? 0 : lanes << u.channel_offset);
    finding.message = what + " comes from " + origins_text(origins);
    return finding;
  });
}

uint32_t InitPart::locate(const Thread& t, const Elements& e, unsigned i, bool destination) const {
  if (e.kind == Kind_::Registers) return e.at(i);
  const isa::Operand& o = *e.operand;
  const bool vxh = o.region.vxh && !destination;
  uint16_t base;
  std::memcpy(&base, t.at(regspace::kAddress + 2u * (o.addr_subreg + (vxh ? i / e.w : 0))), sizeof base);
  const int32_t inner = vxh ? static_cast<int32_t>(i % e.w) * e.h
                            : static_cast<int32_t>(i / e.w) * e.v + static_cast<int32_t>(i % e.w) * e.h;
  const uint32_t at = (static_cast<uint32_t>(base + o.addr_offset) & 0xFFFFu) + static_cast<uint32_t>(inner);
  return at + e.size <= code_.grf_count * grf_ ? at : UINT32_MAX;
}

uint8_t InitPart::source(const Thread& t, const ThreadState& me, const Uop&, const Elements& e, unsigned i,
                         uint8_t* bytes) const {
  std::memset(bytes, 0, 8);
  if (e.kind == Kind_::None) return 0;
  uint8_t all = 0;
  if (e.kind == Kind_::Flags) {
    // Registers are followed by bytes: a byte counts as written if one of its bits is (IGC spills flags to registers in
    // which the bits of channels that do not exist were never written).
    for (unsigned byte = 0; byte < e.size; ++byte) {
      const unsigned first = e.offset + (i * e.size + byte) * 8u;
      uint8_t any = 0;
      bool written = false;
      for (unsigned bit = first; bit < first + 8 && bit < ShadowRegisters::kFlagBits; ++bit) {
        any = static_cast<uint8_t>(any | me.regs.flag(bit));
        written |= me.regs.flag(bit) == 0;
      }
      if (!written) bytes[byte] = any;
    }
  } else {
    const uint32_t at = locate(t, e, i, false);
    if (at == UINT32_MAX) return 0;
    std::memcpy(bytes, me.regs.data(at), e.size);
  }
  for (unsigned k = 0; k < e.size; ++k) all = static_cast<uint8_t>(all | bytes[k]);
  return all;
}

uint8_t InitPart::predicate(const ThreadState& me, const Uop& u, unsigned channel) const {
  if (u.pred == isa::PredCtrl::None || !me.regs.flags_maybe_undefined()) return 0;
  const unsigned base = flag_base(u);
  if (u.pred == isa::PredCtrl::Normal) {
    const unsigned bit = base + u.channel_offset + channel;
    return bit < ShadowRegisters::kFlagBits ? me.regs.flag(bit) : 0;
  }
  // Bits of several channels together: a single written one may decide, so only if there is none.
  uint8_t all = 0;
  for (unsigned i = 0; i < u.exec_size; ++i) {
    const unsigned bit = base + u.channel_offset + i;
    const uint8_t flag = bit < ShadowRegisters::kFlagBits ? me.regs.flag(bit) : 0;
    if (flag == 0) return 0;
    all = static_cast<uint8_t>(all | flag);
  }
  return all;
}

void InitPart::branch(Thread& t, ThreadState& me, const Uop& u) {
  if (u.pred == isa::PredCtrl::None || !me.regs.flags_maybe_undefined()) return;
  const uint32_t enabled = enabled_channels(t, u);
  uint32_t lanes = 0;
  uint8_t origins = 0;
  for (uint32_t rest = enabled; rest != 0; rest &= rest - 1) {
    const auto channel = static_cast<unsigned>(__builtin_ctz(rest));
    const uint8_t flag = predicate(me, u, channel);
    if (flag == 0) continue;
    lanes |= 1u << channel;
    origins = static_cast<uint8_t>(origins | flag);
  }
  if (lanes != 0) report(t, u, Kind::UndefinedBranch, lanes, "the condition of this branch", origins);
}

void InitPart::mask_flags(const Thread& t, ThreadState& me, const Uop& u, const Plan& p) {
  if (machine::channel_mask(t, u) == 0) return;
  const uint64_t mask = u.inst->src[1].imm;
  std::array<uint8_t, 8> bytes{};
  for (unsigned k = 0; k < p.dst.size * 8u; ++k) {
    const unsigned from = p.src[0].offset + k;
    const bool used = k < p.src[0].size * 8u && (mask >> k & 1u) != 0 && from < ShadowRegisters::kFlagBits;
    const uint8_t value = used ? me.regs.flag(from) : uint8_t{0};
    bytes[k / 8] = static_cast<uint8_t>(bytes[k / 8] | value);
    const unsigned to = p.dst.offset + k;
    if (p.dst.kind == Kind_::Flags && to < ShadowRegisters::kFlagBits) me.regs.set_flag(to, value);
  }
  if (p.dst.kind == Kind_::Registers) me.regs.set_bytes(p.dst.offset, bytes.data(), p.dst.size);
}

void InitPart::compute(Thread& t, ThreadState& me, const Uop& u, const Plan& p) {
  ShadowRegisters& regs = me.regs;
  bool clean = true;
  for (unsigned i = 0; i < p.sources && clean; ++i) {
    const Elements& e = p.src[i];
    if (e.kind == Kind_::Registers)
      clean = !regs.maybe_undefined(e.offset, e.span);
    else if (e.kind == Kind_::Flags)
      clean = !regs.flags_maybe_undefined();
    else if (e.kind == Kind_::Indirect)
      clean = false;
  }
  if (u.pred != isa::PredCtrl::None && regs.flags_maybe_undefined()) clean = false;
  // The common case: nothing undefined goes in, and nothing undefined is overwritten.
  const bool only_registers =
      (p.dst.kind == Kind_::Registers || p.dst.kind == Kind_::None) && !p.writes_flags && !p.writes_accumulator;
  if (clean && only_registers && (p.dst.kind == Kind_::None || !regs.maybe_undefined(p.dst.offset, p.dst.span))) return;
  // The predicate of a selection chooses between sources; it masks nothing.
  const bool selects = u.inst->op == Opcode::Sel;
  const uint32_t mask = selects ? enabled_channels(t, u) : machine::channel_mask(t, u);
  if (clean && only_registers && mask == u.lanes && p.dst.contiguous) return regs.set(p.dst.offset, p.dst.span, 0);
  if (mask == 0) return;

  uint8_t results[kMaxLanes][8];
  uint8_t whole[kMaxLanes];
  const uint32_t chosen = selects ? machine::predicate_mask(t, u) : 0;
  const isa::Instruction& inst = *u.inst;
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const auto c = static_cast<unsigned>(__builtin_ctz(rest));
    std::memset(results[c], 0, 8);
    whole[c] = 0;
    if (clean || p.rule == Rule::Zero) continue;
    uint8_t in[3][8] = {};
    uint8_t origins[3] = {0, 0, 0};
    for (unsigned i = 0; i < p.sources; ++i) origins[i] = source(t, me, u, p.src[i], c, in[i]);
    const uint8_t flag = predicate(me, u, c);
    uint8_t all = static_cast<uint8_t>(origins[0] | origins[1] | origins[2] | flag);
    const unsigned n = p.dst.size;
    switch (p.rule) {
      case Rule::Copy: {
        const uint8_t sign = isa::is_signed(inst.src[0].type) ? in[0][p.src[0].size - 1] : 0;
        for (unsigned k = 0; k < n; ++k) results[c][k] = k < p.src[0].size ? in[0][k] : sign;
        break;
      }
      case Rule::BitLogic:
        for (unsigned k = 0; k < n; ++k) results[c][k] = static_cast<uint8_t>(in[0][k] | in[1][k] | in[2][k]);
        if (inst.op == Opcode::And || inst.op == Opcode::Or) {
          // A written 0 decides an `and`, written ones an `or`, whatever the other side holds.
          for (unsigned i = 0; i < 2; ++i) {
            uint64_t value = inst.src[i].imm;
            if (inst.src[i].negate) continue;
            if (p.src[i].kind == Kind_::Registers) {
              value = 0;
              std::memcpy(&value, t.at(p.src[i].at(c)), p.src[i].size);
            } else if (inst.src[i].kind != isa::OperandKind::Immediate) {
              continue;
            }
            const uint8_t deciding = inst.op == Opcode::And ? 0 : 0xFF;
            for (unsigned k = 0; k < n; ++k) {
              if (in[i][k] == 0 && static_cast<uint8_t>(value >> (8 * k)) == deciding) results[c][k] = 0;
            }
          }
        }
        break;
      case Rule::Shift: {
        const auto amount = static_cast<int>(inst.src[1].imm & (8 * n - 1));
        const int by = inst.op == Opcode::Shl ? -amount : amount;
        for (int k = 0; k < static_cast<int>(n); ++k) {
          for (int bit = 8 * k + by; bit <= 8 * k + 7 + by; bit += 7) {
            const int last = static_cast<int>(n) - 1;
            const int byte = bit < 0 ? -1 : bit / 8;
            if (byte < 0 || (byte > last && inst.op != Opcode::Asr)) continue;
            results[c][k] = static_cast<uint8_t>(results[c][k] | in[0][std::min(byte, last)]);
          }
        }
        break;
      }
      case Rule::Select: {
        const unsigned taken = (chosen >> c & 1u) != 0 ? 0 : 1;
        const unsigned last = std::max<unsigned>(p.src[taken].size, 1) - 1;
        for (unsigned k = 0; k < n; ++k) results[c][k] = in[taken][std::min(k, last)];
      } break;
      default:
        std::memset(results[c], all, 8);
        break;
    }
    if (flag != 0) std::memset(results[c], all, 8);
    whole[c] = all;
  }

  const unsigned flags = flag_base(u) + u.channel_offset;
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const auto c = static_cast<unsigned>(__builtin_ctz(rest));
    if (p.dst.kind == Kind_::Registers || p.dst.kind == Kind_::Indirect) {
      const uint32_t at = locate(t, p.dst, c, true);
      if (at != UINT32_MAX) regs.set_bytes(at, results[c], p.dst.size);
    } else if (p.dst.kind == Kind_::Flags) {
      for (unsigned k = 0; k < p.dst.size * 8u; ++k) {
        const unsigned bit = p.dst.offset + c * p.dst.size * 8u + k;
        if (bit < ShadowRegisters::kFlagBits) regs.set_flag(bit, results[c][k / 8]);
      }
    }
    if (p.writes_flags && flags + c < ShadowRegisters::kFlagBits) regs.set_flag(flags + c, whole[c]);
    if (p.writes_accumulator) {
      const uint32_t lane = (p.dst.kind == Kind_::Registers ? p.dst.offset % grf_ / 4 : 0) + c;
      regs.set(regspace::kAcc + lane * 4 % regspace::kAccBytes, 4, whole[c]);
    }
  }
}

void InitPart::compute_dpas(Thread& t, ThreadState& me, const Uop& u, const Plan&) {
  const isa::Instruction& inst = *u.inst;
  ShadowRegisters& regs = me.regs;
  const unsigned rows = inst.dpas.repeat_count, depth = inst.dpas.systolic_depth, columns = grf_ / 4;
  const bool pair = inst.op == Opcode::Dpasw;
  const bool adds = !inst.src[0].is_null();
  const unsigned in_size = isa::bytes_of(inst.src[0].type), out_size = isa::bytes_of(inst.dst.type);
  const uint32_t b = u.src[1].offset;
  const uint32_t a = pair ? static_cast<uint32_t>(u.src[2].value) : u.src[2].offset;
  const unsigned own_rows = pair ? (rows + 1) / 2 : rows;
  const unsigned first_row = pair && (t.id & 1u) != 0 ? rows - own_rows : 0;
  const bool clean = (!adds || !regs.maybe_undefined(u.src[0].offset, rows * columns * in_size)) &&
                     !regs.maybe_undefined(b, depth * grf_) && !regs.maybe_undefined(a, own_rows * depth * 4);
  if (clean) {
    if (regs.maybe_undefined(u.dst.offset, rows * columns * out_size))
      regs.set(u.dst.offset, rows * columns * out_size, 0);
    return;
  }
  std::array<uint8_t, 16> column{};
  for (unsigned n = 0; n < columns; ++n) {
    for (unsigned d = 0; d < depth; ++d)
      column[n] = static_cast<uint8_t>(column[n] | regs.origins(b + d * grf_ + n * 4, 4));
  }
  std::vector<uint8_t> out(size_t{rows} * columns * out_size);
  for (unsigned r = 0; r < rows; ++r) {
    uint8_t row = 0;
    if (r >= first_row && r < first_row + own_rows) row = regs.origins(a + (r - first_row) * depth * 4, depth * 4);
    for (unsigned n = 0; n < columns; ++n) {
      uint8_t all = static_cast<uint8_t>(row | column[n]);
      if (adds) all = static_cast<uint8_t>(all | regs.origins(u.src[0].offset + (r * columns + n) * in_size, in_size));
      std::memset(out.data() + size_t{r * columns + n} * out_size, all, out_size);
    }
  }
  regs.set_bytes(u.dst.offset, out.data(), static_cast<uint32_t>(out.size()));
}

void InitPart::before(Thread& t, const Uop& u) {
  const Plan& p = plans_[static_cast<size_t>(&u - code_.uops.data())];
  if (p.rule == Rule::Skip || p.rule == Rule::Send) return;
  ThreadState& me = *states_.of(*t.group).threads[t.id];
  switch (p.rule) {
    case Rule::Branch:
      return branch(t, me, u);
    case Rule::Dpas:
      return compute_dpas(t, me, u, p);
    case Rule::FlagMask:
      return mask_flags(t, me, u, p);
    default:
      return compute(t, me, u, p);
  }
}

// --- Messages ---

/// False: an address was undefined; what the message moves is taken as written then.
bool InitPart::check_payload(Thread& t, ThreadState& me, const Uop& u, const Footprint& f) {
  using isa::MessageKind;
  const isa::Message& m = *f.message;
  const ShadowRegisters& regs = me.regs;
  const auto descriptor = [&](bool in_register, unsigned subreg) {
    if (!in_register || !regs.maybe_undefined(regspace::kAddress + 4 * subreg, 4)) return;
    const uint8_t origins = regs.origins(regspace::kAddress + 4 * subreg, 4);
    if (origins != 0) report(t, u, Kind::UndefinedMessage, 0, "the descriptor in a0", origins);
  };
  descriptor(u.inst->msg.desc_in_reg, u.inst->msg.desc_a0_subreg);
  descriptor(u.inst->msg.exdesc_in_reg, u.inst->msg.exdesc_a0_subreg);

  const uint32_t payload = u.src[0].offset;
  if (payload >= regspace::kGrfBytes || m.src0_len == 0 || !regs.maybe_undefined(payload, m.src0_len * grf_))
    return true;
  const auto whole = [&](uint32_t offset, uint32_t n, Kind kind, const char* what) {
    const uint8_t origins = regs.origins(payload + offset, n);
    if (origins != 0) report(t, u, kind, 0, what, origins);
    return origins == 0;
  };
  constexpr const char* kAddress = "the address of this access";
  switch (m.kind) {
    case MessageKind::BarrierSignal:
    case MessageKind::NamedBarrierSignal:
      return whole(8, 4, Kind::UndefinedMessage, "the barrier's header");
    case MessageKind::LoadBlock2d:
    case MessageKind::StoreBlock2d:
      return whole(0, 32, Kind::UndefinedAddress, kAddress);
    case MessageKind::OwordBlockRead:
    case MessageKind::OwordBlockWrite:
    case MessageKind::AlignedOwordBlockRead:
      return whole(8, 4, Kind::UndefinedAddress, kAddress);
    case MessageKind::A64BlockRead:
    case MessageKind::A64BlockWrite:
      return whole(0, 8, Kind::UndefinedAddress, kAddress);
    case MessageKind::Fence:
    case MessageKind::LegacyMemoryFence:
    case MessageKind::EndOfThread:
    case MessageKind::ScratchBlockRead:
    case MessageKind::ScratchBlockWrite:
    case MessageKind::Unknown:
      return true;
    default:
      break;
  }
  const uint32_t size = m.address_bits / 8u;
  const uint32_t base = m.header ? grf_ : 0;
  if (m.transposed) return whole(base, size, Kind::UndefinedAddress, kAddress);
  uint32_t lanes = 0;
  uint8_t origins = 0;
  for (uint32_t rest = f.channels; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
    const uint8_t one = regs.origins(payload + base + lane * size, size);
    if (one == 0) continue;
    lanes |= 1u << lane;
    origins = static_cast<uint8_t>(origins | one);
  }
  if (lanes != 0) report(t, u, Kind::UndefinedAddress, lanes, kAddress, origins);
  return lanes == 0;
}

InitPart::Transfer InitPart::transfer_of(const Uop& u, const isa::Message& m, bool load) const {
  using isa::MessageKind;
  Transfer transfer;
  transfer.element = isa::memory_bytes(m.data_size);
  transfer.register_bytes = isa::register_bytes(m.data_size);
  transfer.high = m.data_size == isa::DataSize::D16U32H ? 2 : 0;
  switch (m.kind) {
    case MessageKind::OwordBlockRead:
    case MessageKind::OwordBlockWrite:
    case MessageKind::AlignedOwordBlockRead:
    case MessageKind::A64BlockRead:
    case MessageKind::A64BlockWrite:
    case MessageKind::ScratchBlockRead:
    case MessageKind::ScratchBlockWrite:
      return transfer;
    case MessageKind::LoadBlock2d:
    case MessageKind::StoreBlock2d:
      transfer.row = 1;
      return transfer;
    default:
      break;
  }
  if (m.transposed) return transfer;
  transfer.lanes = true;
  if (is_prefix(m, MessageKind::DwordScatteredRead, MessageKind::DwordScatteredWrite))
    transfer.element = transfer.register_bytes = 4;
  if (is_prefix(m, MessageKind::QwordScatteredRead, MessageKind::QwordScatteredWrite))
    transfer.element = transfer.register_bytes = 8;
  const unsigned channels = m.simd != 0 ? m.simd : u.exec_size;
  const uint32_t needed = (channels * transfer.register_bytes + grf_ - 1) / grf_ * grf_;
  const bool mask_form = m.kind == MessageKind::LoadCmask || m.kind == MessageKind::StoreCmask || m.component_mask != 0;
  const unsigned elements =
      mask_form ? static_cast<unsigned>(__builtin_popcount(m.component_mask & 0xFu)) : m.vector_size;
  const unsigned length = load ? m.dst_len : m.src1_len;
  // As the handlers: payloads may be padded to a wider native SIMD.
  transfer.part = needed;
  if (m.simd == 0 && elements > 1 && length != 0 && length % elements == 0)
    transfer.part = std::max(needed, length / elements * grf_);
  return transfer;
}

template <class Move>
void InitPart::for_each_element(const Uop& u, const Footprint& f, const Transfer& transfer, bool load,
                                const Move& move) const {
  const uint32_t base = load ? u.dst.offset : u.src[1].offset;
  std::array<uint32_t, kMaxLanes> element{};
  uint32_t done = 0;
  for (const Footprint::Piece& piece : f) {
    if (!transfer.lanes) {
      move(piece.address, base + done, piece.bytes, 0u);
      done += piece.bytes;
      continue;
    }
    const auto lane = static_cast<unsigned>(piece.part) % kMaxLanes;
    for (uint32_t k = 0; k < piece.bytes; k += transfer.element) {
      const uint32_t at = base + element[lane]++ * transfer.part + lane * transfer.register_bytes + transfer.high;
      move(piece.address + k, at, transfer.element, lane);
    }
  }
}

/// Shadow of memory: 0 is written, as for registers, except for device memory (DefinedMemory: 0 is not written).
uint8_t* InitPart::memory_shadow(Thread& t, ThreadState& me, Footprint::Space space, uint64_t address, uint32_t bytes) {
  switch (space) {
    case Footprint::Space::Slm: {
      std::vector<uint8_t>& slm = states_.of(*t.group).slm;
      return address + bytes <= slm.size() ? slm.data() + address : nullptr;
    }
    case Footprint::Space::Scratch:
      return address + bytes <= me.scratch.size() ? me.scratch.data() + address : nullptr;
    case Footprint::Space::Global:
      if (defined_ == nullptr) return nullptr;
      if (!view_.holds(address)) view_ = defined_->find(address);
      return view_.written != nullptr && address + bytes <= view_.end ? view_.at(address) : nullptr;
    default:
      return nullptr;
  }
}

void InitPart::load(Thread& t, ThreadState& me, const Uop& u, const Footprint& f) {
  const isa::Message& m = *f.message;
  ShadowRegisters& regs = me.regs;
  const bool global = f.space == Footprint::Space::Global;
  bool clean = true;
  for (const Footprint::Piece* piece = f.begin(); piece != f.end() && clean;) {
    // Neighbours together, and lanes that read the same once.
    const uint64_t begin = piece->address;
    uint64_t end = begin + piece->bytes;
    for (++piece; piece != f.end() && piece->address >= begin && piece->address <= end; ++piece)
      end = std::max(end, piece->address + piece->bytes);
    const auto bytes = static_cast<uint32_t>(end - begin);
    const uint8_t* shadow = memory_shadow(t, me, f.space, begin, bytes);
    if (shadow == nullptr) continue;
    clean = global ? std::memchr(shadow, 0, bytes) == nullptr
                   : std::all_of(shadow, shadow + bytes, [](uint8_t b) { return b == 0; });
  }
  unsigned registers = m.dst_len;
  if (registers == 0) registers = 32;  // five bits: 32 wraps around
  const uint32_t bytes = registers * grf_;
  const Transfer transfer = transfer_of(u, m, true);
  if (clean && !regs.maybe_undefined(u.dst.offset, bytes)) return;
  if (clean && (!transfer.lanes || f.channels == u.lanes)) return regs.set(u.dst.offset, bytes, 0);
  if (transfer.row != 0) {
    // Layouts of two-dimensional tiles are many: a tile with an unwritten element counts as unwritten where it matters
    // least, in none of its elements but those of plain tiles.
    regs.set(u.dst.offset, bytes, 0);
    if (m.transposed || m.vnni) return;
  }
  for_each_element(u, f, transfer, true, [&](uint64_t address, uint32_t at, uint32_t n, unsigned) {
    const uint8_t* shadow = memory_shadow(t, me, f.space, address, n);
    if (transfer.lanes) regs.set(at - transfer.high, transfer.register_bytes, 0);
    if (!transfer.lanes) regs.set(at, n, 0);
    if (shadow == nullptr) return;
    uint8_t values[256];
    for (uint32_t done = 0; done < n; done += sizeof values) {
      const uint32_t part = std::min<uint32_t>(n - done, sizeof values);
      for (uint32_t k = 0; k < part; ++k)
        values[k] = global ? (shadow[done + k] != 0 ? uint8_t{0} : origin::kDevice) : shadow[done + k];
      regs.set_bytes(at + done, values, part);
    }
  });
}

void InitPart::store(Thread& t, ThreadState& me, const Uop& u, const Footprint& f) {
  const isa::Message& m = *f.message;
  const ShadowRegisters& regs = me.regs;
  const bool global = f.space == Footprint::Space::Global;
  const uint32_t source = u.src[1].offset;
  const bool dirty = source < regspace::kGrfBytes && m.src1_len != 0 && regs.maybe_undefined(source, m.src1_len * grf_);
  if (!dirty) {
    for (const Footprint::Piece& piece : f) {
      if (uint8_t* shadow = memory_shadow(t, me, f.space, piece.address, piece.bytes))
        std::memset(shadow, global ? 1 : 0, piece.bytes);
    }
    return;
  }
  uint32_t lanes = 0;
  uint8_t origins = 0;
  for_each_element(u, f, transfer_of(u, m, false), false,
                   [&](uint64_t address, uint32_t at, uint32_t n, unsigned lane) {
                     if (at + n > ShadowRegisters::kBytes) return;
                     uint8_t* shadow = memory_shadow(t, me, f.space, address, n);
                     if (!global) {
                       if (shadow != nullptr) std::memcpy(shadow, regs.data(at), n);
                       return;
                     }
                     if (shadow != nullptr) std::memset(shadow, 1, n);
                     const uint8_t one = regs.origins(at, n);
                     if (one == 0) return;
                     origins = static_cast<uint8_t>(origins | one);
                     lanes |= 1u << lane;
                   });
  if (origins == 0) return;
  report(t, u, Kind::UndefinedStore, m.transposed || f.channels == 1 ? 0 : lanes, "the value that is stored", origins);
}

void InitPart::send(Thread& t, const Uop& u, const Footprint& f) {
  if (f.channels == 0) return;
  ThreadState& me = *states_.of(*t.group).threads[t.id];
  const bool addressed = check_payload(t, me, u, f);
  const bool has_result = !u.dst.null && u.dst.offset < regspace::kGrfBytes;
  switch (f.kind) {
    case Footprint::Kind::Load:
      if (!has_result) return;
      if (addressed && f.space != Footprint::Space::Indirect) return load(t, me, u, f);
      break;
    case Footprint::Kind::Store:
      return store(t, me, u, f);
    case Footprint::Kind::Atomic:
      store(t, me, u, f);
      break;
    default:
      break;
  }
  if (has_result && f.message->dst_len != 0) me.regs.set(u.dst.offset, f.message->dst_len * grf_, 0);
}

}  // namespace xeforge::observe::check
