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

/// What one instruction reads or writes.
struct Access {
  Touched touched;

  void add(uint32_t offset, uint32_t n) {
    const uint32_t end = std::min(offset + n, ShadowRegisters::kBytes);
    while (offset < end) {
      const uint32_t word = offset / 64, first = offset % 64, here = std::min(end - offset, 64 - first);
      const uint64_t bytes = UINT64_MAX >> (64 - here) << first;
      if (!touched.words.empty() && touched.words.back().index == word)
        touched.words.back().bytes |= bytes;
      else
        touched.words.push_back({word, bytes});
      offset += here;
    }
  }
  void add_flags(unsigned first, unsigned n) {
    for (unsigned i = first; i < std::min(first + n, ShadowRegisters::kFlagBits); ++i)
      touched.flags[i / 64] |= uint64_t{1} << i % 64;
  }
  void add(const Elements& e, unsigned exec_size) {
    if (e.kind == Kind_::Flags) add_flags(e.offset, exec_size * e.size * 8u);
    if (e.kind != Kind_::Registers) return;
    if (e.contiguous) return add(e.offset, exec_size * e.size);
    for (unsigned i = 0; i < exec_size; ++i) add(e.at(i), e.size);
  }
  void add(const machine::SrcOperand& o, unsigned registers, unsigned grf_bytes) {
    if (o.offset < regspace::kGrfBytes) add(o.offset, registers * grf_bytes);
  }
  void add(const Access& other) {
    touched.words.insert(touched.words.end(), other.touched.words.begin(), other.touched.words.end());
    for (size_t i = 0; i < touched.flags.size(); ++i) touched.flags[i] |= other.touched.flags[i];
  }
};

/// All bytes that can be followed, and flags, a bit each.
struct Bits {
  std::array<uint64_t, ShadowRegisters::kWords> bytes{};
  std::array<uint64_t, 2> flags{};

  void add(const Access& a) {
    for (const Touched::Word& w : a.touched.words) bytes[w.index] |= w.bytes;
    for (size_t i = 0; i < flags.size(); ++i) flags[i] |= a.touched.flags[i];
  }
  void add_without(const Access& a, const Bits& other) {
    for (const Touched::Word& w : a.touched.words) bytes[w.index] |= w.bytes & ~other.bytes[w.index];
    for (size_t i = 0; i < flags.size(); ++i) flags[i] |= a.touched.flags[i] & ~other.flags[i];
  }
  void add_common(const Access& a, const Bits& other) {
    for (const Touched::Word& w : a.touched.words) bytes[w.index] |= w.bytes & other.bytes[w.index];
    for (size_t i = 0; i < flags.size(); ++i) flags[i] |= a.touched.flags[i] & other.flags[i];
  }
  bool meets(const Access& a) const {
    uint64_t all = 0;
    for (const Touched::Word& w : a.touched.words) all |= bytes[w.index] & w.bytes;
    return all != 0;
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

/// What one block does, instruction by instruction.
class Walk {
 public:
  explicit Walk(unsigned grf_bytes) : grf_(grf_bytes) {}

  bool add(const Uop& u, const InitPlan& p) {
    Access reads, writes;
    const bool predicated = u.pred != isa::PredCtrl::None;
    const bool selects = u.inst->op == Opcode::Sel;
    switch (p.rule) {
      case Rule::Skip:
        return true;
      case Rule::Send:
        add_send(u);
        return true;
      case Rule::Branch:
        if (predicated) reads.add_flags(flag_base(u) + u.channel_offset, u.exec_size);
        needs_.add_without(reads, written_);
        return true;
      case Rule::Dpas: {
        if (u.inst->op == Opcode::Dpasw) return false;
        const DpasRanges d = dpas_ranges(u, grf_);
        reads.add(u.src[0].offset, d.src0_bytes());
        reads.add(d.b, d.depth * grf_);
        reads.add(d.a, d.own_rows * d.depth * 4);
        writes.add(u.dst.offset, d.dst_bytes());
        needs_.add_without(reads, written_);
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
          reads.add(p.src[i], u.exec_size);
        }
        break;
    }
    if (p.dst.kind == Kind_::Indirect) return false;
    if (predicated) reads.add_flags(flag_base(u) + u.channel_offset, u.exec_size);
    writes.add(p.dst, u.exec_size);
    if (p.writes_flags) writes.add_flags(flag_base(u) + u.channel_offset, u.exec_size);
    if (p.writes_accumulator) {
      for (unsigned c = 0; c < u.exec_size; ++c) writes.add(accumulator_lane(p, c, grf_), 4);
    }
    // What a predicate leaves out stays as it is; that of a selection leaves out nothing.
    if (predicated && !selects) {
      reads.add(writes);
      needs_.add_without(reads, written_);
      return true;
    }
    needs_.add_without(reads, written_);
    give(writes);
    if (!u.no_mask) lanes_ |= u.lanes << u.channel_offset;
    return true;
  }

  BlockSummary take() {
    // `gives` is carried out when the block begins. Where a message reads a byte before it is written, that would be
    // too early.
    for (size_t i = 0; i < needs_.bytes.size(); ++i) needs_.bytes[i] |= sent_.bytes[i] & given_.bytes[i];
    BlockSummary s;
    s.whole = true;
    s.lanes = lanes_;
    s.needs = needs_.list();
    s.gives = given_.list();
    return s;
  }

 private:
  void give(const Access& writes) {
    // The same holds for what a message left as it was: channels that took no part.
    needs_.add_common(writes, predicated_results_);
    if (results_.meets(writes)) lanes_ |= result_lanes_;
    written_.add(writes);
    given_.add(writes);
  }
  /// The registers of src0 that the checker looks at, or more.
  void add_payload(Access& reads, const Uop& u) const {
    const isa::Message& m = u.inst->msg;
    const bool lsc = m.kind == isa::MessageKind::Load || m.kind == isa::MessageKind::Store;
    if (m.desc_in_reg || !lsc || u.src[0].offset >= regspace::kGrfBytes)
      return reads.add(u.src[0], m.desc_in_reg ? 32 : m.src0_len, grf_);
    const uint32_t addresses = m.transposed ? 1 : u.exec_size;
    reads.add(u.src[0].offset + (m.header ? grf_ : 0), addresses * m.address_bits / 8);
  }
  void add_send(const Uop& u) {
    const isa::Message& m = u.inst->msg;
    Access reads;
    add_payload(reads, u);
    reads.add(u.src[1], m.desc_in_reg || m.exdesc_in_reg ? 32 : m.src1_len, grf_);
    if (m.desc_in_reg) reads.add(regspace::kAddress + 4u * m.desc_a0_subreg, 4);
    if (m.exdesc_in_reg) reads.add(regspace::kAddress + 4u * m.exdesc_a0_subreg, 4);
    sent_.add_without(reads, written_);
    if (u.dst.null || u.dst.offset >= regspace::kGrfBytes) return;
    Access result;
    result.add(u.dst.offset, m.desc_in_reg ? 32 * grf_ : result_bytes(m, grf_));
    if (m.desc_in_reg || u.pred != isa::PredCtrl::None) {
      predicated_results_.add(result);
    } else if (!u.no_mask) {
      results_.add(result);
      result_lanes_ |= u.lanes << u.channel_offset;
    }
    // Written as far as this block is concerned: the checker looks at what was loaded, and goes on instruction by
    // instruction if some of it is not.
    if (!m.desc_in_reg) written_.add(result);
  }

  const unsigned grf_;
  uint32_t lanes_ = 0, result_lanes_ = 0;
  Bits needs_;
  Bits written_;  ///< so far, messages included
  Bits given_;    ///< so far, messages left out
  Bits sent_;     ///< read by messages before it was written
  Bits results_, predicated_results_;
};

}  // namespace

std::vector<BlockSummary> summarise_blocks(const machine::Code& code, const std::vector<InitPlan>& plans) {
  const unsigned grf = code.platform == isa::Platform::Xe2 ? 64 : 32;
  std::vector<BlockSummary> all(code.blocks.size());
  for (size_t b = 0; b < code.blocks.size(); ++b) {
    const machine::Block& block = code.blocks[b];
    Walk walk(grf);
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
