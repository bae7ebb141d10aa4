// SPDX-License-Identifier: Apache-2.0
#include "observe/check/init.h"

#include <algorithm>
#include <cstring>

namespace xeforge::observe::check {
namespace {

using isa::Opcode;
using machine::Thread;
using machine::Uop;
namespace regspace = machine::regspace;
using Kind_ = Elements::Kind;
using Rule = InitPlan::Rule;

constexpr unsigned kMaxLanes = 32;

uint32_t enabled_channels(const Thread& t, const Uop& u) {
  return u.no_mask ? u.lanes : (t.exec_mask >> u.channel_offset) & u.lanes;
}

bool predicate_undefined(const ShadowRegisters& regs, const Uop& u) {
  return regs.flags_undefined(flag_base(u) + u.channel_offset, u.exec_size);
}

}  // namespace

InitPart::InitPart(Findings& findings, const machine::LaunchContext& context, const Environment& environment)
    : Part(findings),
      context_(context),
      code_(*context.code),
      defined_(environment.defined),
      grf_(code_.platform == isa::Platform::Xe2 ? 64 : 32) {
  for (const Uop& u : code_.uops) plans_.push_back(init_plan(u, grf_));
  summaries_ = summarise_blocks(code_, plans_);
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
  // The payload is what does not hold the poison that start_thread left everywhere else; all threads of a launch have
  // one of the same size.
  const uint32_t grf_bytes = code_.grf_count * grf_;
  const uint32_t most = std::min<uint32_t>(grf_bytes, 32 * grf_);
  const auto poison = std::byte{context_.options->poison};
  const auto untouched = [&](uint32_t from) {
    const std::byte* at = t.at(from);
    return *at == poison && std::memcmp(at, at + 1, grf_ - 1) == 0;
  };
  if (payload_ == 0) {
    payload_ = most;
    while (payload_ > grf_ && untouched(payload_ - grf_)) payload_ -= grf_;
  }
  while (payload_ < most && !untouched(payload_)) payload_ += grf_;
  me->regs.reset(payload_, grf_bytes);
  me->settled.resize(code_.blocks.size());
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
    me.regs.copy(at, e.size, bytes);
  }
  for (unsigned k = 0; k < e.size; ++k) all = static_cast<uint8_t>(all | bytes[k]);
  return all;
}

uint8_t InitPart::predicate(const ThreadState& me, const Uop& u, unsigned channel) const {
  if (u.pred == isa::PredCtrl::None) return 0;
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
  if (u.pred == isa::PredCtrl::None || !predicate_undefined(me.regs, u)) return;
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

void InitPart::mask_flags(const Thread& t, ThreadState& me, const Uop& u, const InitPlan& p) {
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

void InitPart::compute(Thread& t, ThreadState& me, const Uop& u, const InitPlan& p) {
  ShadowRegisters& regs = me.regs;
  bool clean = true;
  for (unsigned i = 0; i < p.sources && clean; ++i) {
    const Elements& e = p.src[i];
    if (e.kind == Kind_::Registers)
      clean = !regs.undefined(e.offset, e.span);
    else if (e.kind == Kind_::Flags)
      clean = !regs.flags_undefined(e.offset, e.span * 8);
    else if (e.kind == Kind_::Indirect)
      clean = false;
  }
  if (u.pred != isa::PredCtrl::None && predicate_undefined(regs, u)) clean = false;
  // The common case: nothing undefined goes in, and nothing undefined is overwritten.
  const bool only_registers =
      (p.dst.kind == Kind_::Registers || p.dst.kind == Kind_::None) && !p.writes_flags && !p.writes_accumulator;
  if (clean && only_registers && (p.dst.kind == Kind_::None || !regs.undefined(p.dst.offset, p.dst.span))) return;
  // The predicate of a selection chooses between sources; it masks nothing.
  const bool selects = u.inst->op == Opcode::Sel;
  const uint32_t mask = selects ? enabled_channels(t, u) : machine::channel_mask(t, u);
  if (clean && only_registers && mask == u.lanes && p.dst.contiguous) return regs.define(p.dst.offset, p.dst.span);
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
      if (at != UINT32_MAX && whole[c] == 0) regs.define(at, p.dst.size);
      if (at != UINT32_MAX && whole[c] != 0) regs.set_bytes(at, results[c], p.dst.size);
    } else if (p.dst.kind == Kind_::Flags) {
      for (unsigned k = 0; k < p.dst.size * 8u; ++k) {
        const unsigned bit = p.dst.offset + c * p.dst.size * 8u + k;
        if (bit < ShadowRegisters::kFlagBits) regs.set_flag(bit, results[c][k / 8]);
      }
    }
    if (p.writes_flags && flags + c < ShadowRegisters::kFlagBits) regs.set_flag(flags + c, whole[c]);
    if (p.writes_accumulator) regs.set(accumulator_lane(p, c, grf_), 4, whole[c]);
  }
}

void InitPart::compute_dpas(Thread& t, ThreadState& me, const Uop& u, const InitPlan&) {
  ShadowRegisters& regs = me.regs;
  const DpasRanges ranges = dpas_ranges(u, grf_);
  const bool clean = !regs.undefined(u.src[0].offset, ranges.src0_bytes()) &&
                     !regs.undefined(ranges.b, ranges.depth * grf_) &&
                     !regs.undefined(ranges.a, ranges.own_rows * ranges.depth * 4);
  if (clean) return regs.define(u.dst.offset, ranges.dst_bytes());
  const auto [rows, depth, columns, in_size, out_size, adds, a, b, own_rows] = ranges;
  const unsigned first_row = u.inst->op == Opcode::Dpasw && (t.id & 1u) != 0 ? rows - own_rows : 0;
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

void InitPart::block(Thread& t, uint32_t b) {
  const BlockSummary& summary = summaries_[b];
  quiet_ = summary.whole;
  if (!quiet_) return;
  ThreadState& me = *states_.of(*t.group).threads[t.id];
  if (me.settled[b] == me.regs.generation()) return;
  if (me.regs.any_undefined(summary.needs)) {
    quiet_ = false;
    return;
  }
  if ((summary.lanes & ~t.exec_mask) == 0)
    me.regs.define(summary.gives);
  else if (me.regs.any_undefined(summary.gives))
    quiet_ = false;
  if (quiet_) me.settled[b] = me.regs.generation();
}

void InitPart::before(Thread& t, const Uop& u) {
  const InitPlan& p = plans_[static_cast<size_t>(&u - code_.uops.data())];
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

}  // namespace xeforge::observe::check
