// SPDX-License-Identifier: Apache-2.0
#include "observe/check/hazards.h"

#include <algorithm>
#include <cstring>

#include "machine/footprint.h"

namespace xeforge::observe::check {

using machine::Thread;
using machine::Uop;

namespace {

/// Resolved entries beyond this are not told apart any more: an index in a loop has a few dozen values.
constexpr size_t kMostResolved = 1 << 16;

std::deque<Scheduled> schedule_all(const machine::Code& code) {
  std::deque<Scheduled> all;
  for (const isa::Instruction& inst : code.program->instructions()) all.push_back(schedule(inst, code.platform));
  return all;
}

}  // namespace

bool needs_every_instruction(const machine::Code& code) {
  const auto instructions = code.program->instructions();
  return std::any_of(instructions.begin(), instructions.end(),
                     [&](const isa::Instruction& inst) { return schedule(inst, code.platform).unresolved; });
}

size_t HazardsPart::Hash::operator()(const Scoreboard::State& s) const {
  uint64_t h = 1469598103934665603u;
  for (const Pending& p : s) {
    const uint64_t bits = p.index | uint64_t{p.age} << 32 | static_cast<uint64_t>(static_cast<uint8_t>(p.token)) << 40 |
                          static_cast<uint64_t>(p.read) << 48;
    h = (h ^ bits) * 1099511628211u;
    h ^= h >> 29;
  }
  return h;
}

HazardsPart::HazardsPart(Findings& findings, const machine::LaunchContext& context)
    : Part(findings), code_(*context.code), program_(schedule_all(code_)), board_(program_) {
  unresolved_.resize(code_.blocks.size());
  for (size_t b = 0; b < code_.blocks.size(); ++b) {
    const machine::Block& block = code_.blocks[b];
    for (uint32_t i = block.inst_first; i < block.inst_first + block.inst_count; ++i)
      unresolved_[b] = unresolved_[b] || program_[i].unresolved;
    any_unresolved_ |= unresolved_[b];
  }
  intern({});
}

HazardsPart::StateId HazardsPart::intern(const Scoreboard::State& state) {
  const auto [at, fresh] = ids_.try_emplace(state, static_cast<StateId>(states_by_id_.size()));
  if (fresh) states_by_id_.push_back(&at->first);
  return at->second;
}

HazardsPart::StateId HazardsPart::after_jump(StateId state) {
  const auto [at, fresh] = jumps_.try_emplace(state);
  if (fresh) {
    Scoreboard::State board = *states_by_id_[state];
    Scoreboard::jump(board);
    at->second = intern(board);
  }
  return at->second;
}

void HazardsPart::group_begins(const machine::Group& group) {
  states_.begin(group).threads.assign(group.threads.size(), {});
}

void HazardsPart::group_ends(const machine::Group& group) { states_.end(group); }

void HazardsPart::report(const Thread& t, const std::vector<Hazard>& hazards) {
  for (const Hazard& h : hazards) {
    const uint32_t pc = program_[h.consumer].inst->pc, other_pc = program_[h.producer].inst->pc;
    findings_.add(h.kind, pc, other_pc, t.group->linear, [&] {
      Finding finding;
      finding.first = place_of(t, pc);
      finding.other = place_of(t, other_pc);
      const std::string reg = "r" + std::to_string(h.reg);
      switch (h.kind) {
        case Kind::ReadTooEarly:
          finding.other->what = "writes " + reg;
          finding.message = "reads " + reg + " although nothing waits for the instruction that writes it";
          break;
        case Kind::OverwrittenTooEarly:
          finding.other->what = "reads " + reg;
          finding.message = "writes " + reg + " although nothing waits until an earlier instruction has read it";
          break;
        default:
          finding.other->what = "writes " + reg;
          finding.message = "writes " + reg + " although an earlier write of it, by another pipe, may land later";
          break;
      }
      return finding;
    });
  }
}

void HazardsPart::finish_steps(Thread& t, ThreadState& me) {
  found_.clear();
  for (; me.next != me.end; ++me.next) board_.issue(me.board, me.next, found_);
  if (!found_.empty()) report(t, found_);
  me.stepping = false;
  me.state = intern(me.board);
}

HazardsPart::Passage& HazardsPart::passage(StateId state, uint32_t b) {
  const auto [at, fresh] = passages_.try_emplace(uint64_t{state} << 32 | b);
  Passage& passage = at->second;
  if (fresh) {
    const machine::Block& block = code_.blocks[b];
    passage.block = b;
    Scoreboard::State board = *states_by_id_[state];
    for (uint32_t i = block.inst_first; i < block.inst_first + block.inst_count; ++i)
      board_.issue(board, i, passage.hazards);
    passage.after = intern(board);
  }
  return passage;
}

bool HazardsPart::block(Thread& t, uint32_t b) {
  ThreadState& me = states_.of(*t.group).threads[t.id];
  if (me.stepping) finish_steps(t, me);
  const machine::Block& block = code_.blocks[b];
  // What follows a passage depends on it alone: its state, and whether the way from it to this block is a jump.
  Passage* next = nullptr;
  if (me.last != nullptr) {
    for (Passage* p : me.last->next) {
      if (p != nullptr && p->block == b) next = p;
    }
  }
  if (next == nullptr) {
    if (me.following != UINT32_MAX && me.following != block.inst_first) me.state = after_jump(me.state);
    if (unresolved_[b]) {
      me.following = block.inst_first + block.inst_count;
      me.last = nullptr;
      me.stepping = true;
      me.next = block.inst_first;
      me.end = block.inst_first + block.inst_count;
      me.board = *states_by_id_[me.state];
      return true;
    }
    next = &passage(me.state, b);
    if (me.last != nullptr) {
      me.last->next[1] = me.last->next[0];
      me.last->next[0] = next;
    }
  }
  me.following = block.inst_first + block.inst_count;
  if (!next->hazards.empty()) report(t, next->hazards);
  me.state = next->after;
  me.last = next;
  return false;
}

uint32_t HazardsPart::resolve(const Thread& t, const Uop& u, uint32_t number) {
  const isa::Instruction& inst = *u.inst;
  Scheduled s = schedule(inst, code_.platform);
  const unsigned grf = u.grf_bytes;
  if (inst.is_send()) {
    const isa::Message& m = machine::executed_message(t, u);
    const auto add = [&](RegisterBytes& to, const isa::Operand& o, unsigned count) {
      if (o.kind == isa::OperandKind::Direct && o.file == isa::RegFile::Grf && count != 0)
        to.add(o.reg * grf, count * grf, grf);
    };
    add(s.reads, inst.src[0], m.src0_len);
    add(s.reads, inst.src[1], m.src1_len);
    add(s.writes, inst.dst, m.dst_len);
  }
  const auto add_indirect = [&](RegisterBytes& to, const isa::Operand& o, bool destination) {
    if (o.kind != isa::OperandKind::Indirect) return;
    const unsigned size = isa::bytes_of(o.type);
    for (unsigned i = 0; i < inst.exec_size; ++i) {
      const unsigned w = std::max<unsigned>(o.region.w, 1);
      const unsigned index = o.addr_subreg + (o.region.vxh && !destination ? i / w : 0);
      uint16_t base;
      std::memcpy(&base, t.at(machine::regspace::kAddress + 2 * index), sizeof base);
      unsigned element = 0;
      if (destination)
        element = i * o.region.h;
      else
        element = o.region.vxh ? i % w * o.region.h : i / w * o.region.v + i % w * o.region.h;
      const uint32_t offset = static_cast<uint32_t>(base + o.addr_offset) + element * size;
      if (offset + size <= code_.grf_count * grf) to.add(offset, size, grf);
    }
  };
  for (unsigned i = 0; i < inst.num_src && !inst.is_send(); ++i) add_indirect(s.reads, inst.src[i], false);
  if (!inst.is_send()) add_indirect(s.writes, inst.dst, true);
  if (resolved_.size() >= kMostResolved) return number;
  const auto [at, fresh] =
      resolved_.try_emplace({number, s.reads.parts, s.writes.parts}, static_cast<uint32_t>(program_.size()));
  if (fresh) program_.push_back(std::move(s));
  return at->second;
}

void HazardsPart::before(Thread& t, const Uop& u) {
  if (!any_unresolved_) return;
  ThreadState& me = states_.of(*t.group).threads[t.id];
  if (!me.stepping) return;
  const auto index = static_cast<uint32_t>(u.inst - code_.program->instructions().data());
  found_.clear();
  for (; me.next < index; ++me.next) board_.issue(me.board, me.next, found_);
  board_.issue(me.board, program_[index].unresolved ? resolve(t, u, index) : index, found_);
  me.next = index + 1;
  if (!found_.empty()) report(t, found_);
}

}  // namespace xeforge::observe::check
