// SPDX-License-Identifier: Apache-2.0
#include "observe/check/init_blocks.h"

#include <algorithm>

namespace xeforge::observe::check {
namespace {

using isa::Opcode;
using machine::Uop;
namespace regspace = machine::regspace;
using Kind_ = Elements::Kind;
using Rule = InitPlan::Rule;

/// All bytes that can be followed, and flags, a bit each.
struct Bits {
  std::array<uint64_t, ShadowRegisters::kWords> bytes{};
  std::array<uint64_t, 2> flags{};

  void add(uint32_t offset, uint32_t n) {
    for (uint32_t i = offset; i < std::min(offset + n, ShadowRegisters::kBytes); ++i)
      bytes[i / 64] |= uint64_t{1} << i % 64;
  }
  void add_flags(unsigned first, unsigned n) {
    for (unsigned i = first; i < std::min(first + n, ShadowRegisters::kFlagBits); ++i)
      flags[i / 64] |= uint64_t{1} << i % 64;
  }
  void add(const Bits& other) {
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] |= other.bytes[i];
    for (size_t i = 0; i < flags.size(); ++i) flags[i] |= other.flags[i];
  }
  Bits without(const Bits& other) const {
    Bits out = *this;
    for (size_t i = 0; i < bytes.size(); ++i) out.bytes[i] &= ~other.bytes[i];
    for (size_t i = 0; i < flags.size(); ++i) out.flags[i] &= ~other.flags[i];
    return out;
  }
  Bits common(const Bits& other) const {
    Bits out = *this;
    for (size_t i = 0; i < bytes.size(); ++i) out.bytes[i] &= other.bytes[i];
    for (size_t i = 0; i < flags.size(); ++i) out.flags[i] &= other.flags[i];
    return out;
  }
  Touched list() const {
    Touched out;
    out.flags = flags;
    for (uint32_t i = 0; i < bytes.size(); ++i) {
      if (bytes[i] != 0) out.words.push_back({i, bytes[i]});
    }
    return out;
  }
};

void add_elements(Bits& to, const Elements& e, unsigned exec_size) {
  if (e.kind == Kind_::Flags) to.add_flags(e.offset, exec_size * e.size * 8u);
  if (e.kind != Kind_::Registers) return;
  for (unsigned i = 0; i < exec_size; ++i) to.add(e.at(i), e.size);
}

void add_registers(Bits& to, const machine::SrcOperand& o, unsigned registers, unsigned grf_bytes) {
  if (o.offset < regspace::kGrfBytes) to.add(o.offset, registers * grf_bytes);
}

/// What one block does, instruction by instruction.
class Walk {
 public:
  Walk(const machine::Code& code, unsigned grf_bytes) : code_(code), grf_(grf_bytes) {}

  bool add(const Uop& u, const InitPlan& p) {
    Bits reads, writes;
    const bool predicated = u.pred != isa::PredCtrl::None;
    const bool selects = u.inst->op == Opcode::Sel;
    switch (p.rule) {
      case Rule::Skip:
        return true;
      case Rule::Send:
        return add_send(u);
      case Rule::Branch:
        if (predicated) reads.add_flags(flag_base(u) + u.channel_offset, u.exec_size);
        needs_.add(reads.without(written_));
        return true;
      case Rule::Dpas: {
        if (u.inst->op == Opcode::Dpasw) return false;
        const DpasRanges d = dpas_ranges(u, grf_);
        if (d.adds) reads.add(u.src[0].offset, d.src0_bytes());
        reads.add(d.b, d.depth * grf_);
        reads.add(d.a, d.own_rows * d.depth * 4);
        writes.add(u.dst.offset, d.dst_bytes());
        needs_.add(reads.without(written_));
        give(writes);
        return true;
      }
      case Rule::FlagMask: {
        const uint64_t mask = u.inst->src[1].imm;
        for (unsigned k = 0; k < p.src[0].size * 8u; ++k) {
          if ((mask >> k & 1u) != 0) reads.add_flags(p.src[0].offset + k, 1);
        }
        break;
      }
      case Rule::Zero:
        break;
      default:
        for (unsigned i = 0; i < p.sources; ++i) {
          if (p.src[i].kind == Kind_::Indirect) return false;
          add_elements(reads, p.src[i], u.exec_size);
        }
        break;
    }
    if (p.dst.kind == Kind_::Indirect) return false;
    if (predicated) reads.add_flags(flag_base(u) + u.channel_offset, u.exec_size);
    add_elements(writes, p.dst, u.exec_size);
    if (p.writes_flags) writes.add_flags(flag_base(u) + u.channel_offset, u.exec_size);
    if (p.writes_accumulator) {
      for (unsigned c = 0; c < u.exec_size; ++c) writes.add(accumulator_lane(p, c, grf_), 4);
    }
    // What a predicate leaves out stays as it is; that of a selection leaves out nothing.
    if (predicated && !selects) {
      reads.add(writes);
      needs_.add(reads.without(written_));
      return true;
    }
    needs_.add(reads.without(written_));
    give(writes);
    if (!u.no_mask) lanes_ |= u.lanes << u.channel_offset;
    return true;
  }

  BlockSummary take() const {
    BlockSummary s;
    s.whole = true;
    s.lanes = lanes_;
    // `gives` is carried out when the block begins. Where a message looks at a byte before or while it is
    // written, this would come too early.
    Bits needs = needs_;
    needs.add(sent_.common(given_));
    s.needs = needs.list();
    s.gives = given_.list();
    return s;
  }

 private:
  void give(const Bits& writes) {
    written_.add(writes);
    given_.add(writes);
  }
  bool add_send(const Uop& u) {
    const isa::Message& m = u.inst->msg;
    Bits reads;
    add_registers(reads, u.src[0], m.desc_in_reg ? 32 : m.src0_len, grf_);
    add_registers(reads, u.src[1], m.desc_in_reg || m.exdesc_in_reg ? 32 : m.src1_len, grf_);
    reads.add(regspace::kAddress, regspace::kAddressBytes);
    sent_.add(reads.without(written_));
    if (u.dst.null || u.dst.offset >= regspace::kGrfBytes) return true;
    // Written as far as this block is concerned: the checker looks at what was loaded, and goes on instruction by
    // instruction if some of it is not.
    Bits result;
    if (m.desc_in_reg) {
      result.add(u.dst.offset, result_bytes({}, grf_));
    } else if (m.dst_len != 0 || is_load(m.kind)) {
      result.add(u.dst.offset, result_bytes(m, grf_));
      written_.add(result);
    }
    sent_.add(result);
    return true;
  }
  static bool is_load(isa::MessageKind kind) {
    return kind != isa::MessageKind::Fence && kind != isa::MessageKind::LegacyMemoryFence &&
           kind != isa::MessageKind::BarrierSignal && kind != isa::MessageKind::NamedBarrierSignal &&
           kind != isa::MessageKind::EndOfThread;
  }

  const machine::Code& code_;
  const unsigned grf_;
  uint32_t lanes_ = 0;
  Bits needs_;
  Bits written_;  ///< so far, messages included
  Bits given_;    ///< so far, messages left out
  Bits sent_;     ///< read by messages before it was written, or their results
};

}  // namespace

std::vector<BlockSummary> summarise_blocks(const machine::Code& code, const std::vector<InitPlan>& plans) {
  const unsigned grf = code.platform == isa::Platform::Xe2 ? 64 : 32;
  std::vector<BlockSummary> all(code.blocks.size());
  for (size_t b = 0; b < code.blocks.size(); ++b) {
    const machine::Block& block = code.blocks[b];
    Walk walk(code, grf);
    bool whole = true;
    for (uint32_t i = block.first; whole && i < block.first + block.count; ++i) {
      const Uop& u = code.uops[i];
      // The channels enabled are at least those of the block's beginning: endif and join only add some.
      whole = walk.add(u, plans[i]) && (u.inst->op != Opcode::Else || i + 1 == block.first + block.count);
    }
    if (whole) all[b] = walk.take();
  }
  return all;
}

}  // namespace xeforge::observe::check
