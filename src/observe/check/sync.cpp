// SPDX-License-Identifier: Apache-2.0
#include "observe/check/sync.h"

#include "isa/opcode.h"
#include "machine/barrier.h"

namespace xeforge::observe::check {

using machine::FaultKind;
using machine::Footprint;

SyncPart::SyncPart(Findings& findings, const machine::LaunchContext& context)
    : Part(findings), code_(*context.code), pairs_(context.fused) {
  jump_of_block_.assign(code_.blocks.size(), kNone);
  if (!pairs_) return;
  for (size_t b = 0; b < code_.blocks.size(); ++b) {
    const machine::Block& block = code_.blocks[b];
    if (block.count == 0) continue;
    const machine::Uop& last = code_.uops[block.first + block.count - 1];
    // Without a predicate both go the same way; without a target (indirect) both read the same return address.
    if (last.inst->op != isa::Opcode::Jmpi || last.inst->jip < 0 || last.inst->pred == isa::PredCtrl::None) continue;
    jump_of_block_[b] = static_cast<uint32_t>(jumps_.size());
    jumps_.push_back({last.pc, code_.block_of_uop[last.target_jip]});
  }
}

void SyncPart::group_begins(const machine::Group& group) {
  State& state = states_.begin(group);
  state.threads.assign(group.threads.size(), {});
  state.pairs.clear();
  if (!jumps_.empty()) state.pairs.assign(group.threads.size() / 2, std::vector<Ahead>(jumps_.size()));
}

void SyncPart::group_ends(const machine::Group& group) {
  const State& state = states_.of(group);
  const ThreadState& first = state.threads[0];
  for (uint32_t i = 1; i < state.threads.size(); ++i) {
    const ThreadState& other = state.threads[i];
    if (other.barriers == first.barriers) continue;
    const ThreadState& more = other.barriers > first.barriers ? other : first;
    const uint32_t fewer = other.barriers > first.barriers ? 0 : i;
    findings_.add(Kind::BarrierCount, more.last_signal_pc, Findings::kNoPc, group.linear, [&] {
      Finding finding;
      finding.first.pc = more.last_signal_pc;
      finding.first.has_pc = true;
      finding.first.has_thread = true;
      finding.first.group = group.id;
      finding.first.linear = group.linear;
      finding.first.thread = other.barriers > first.barriers ? i : 0;
      finding.message = "thread " + std::to_string(finding.first.thread) + " signalled the group's barrier " +
                        std::to_string(more.barriers) + " times, thread " + std::to_string(fewer) + " only " +
                        std::to_string(state.threads[fewer].barriers) + " times before it ended";
      return finding;
    });
    break;
  }
  states_.end(group);
}

void SyncPart::thread_ends(machine::Thread& t) { block(t, kNone); }

void SyncPart::block(machine::Thread& t, uint32_t b) {
  if (jumps_.empty()) return;
  State& state = states_.of(*t.group);
  ThreadState& thread = state.threads[t.id];
  if (thread.jump != kNone && b != kNone && t.id / 2 < state.pairs.size()) {
    const Jump& jump = jumps_[thread.jump];
    compare_jump(t, state, jump, thread.jump, b == jump.target_block);
  }
  thread.jump = b == kNone ? kNone : jump_of_block_[b];
}

void SyncPart::compare_jump(machine::Thread& t, State& state, const Jump& jump, uint32_t index, bool taken) {
  Ahead& ahead = state.pairs[t.id / 2][index];
  const int side = static_cast<int>(t.id % 2);
  if (ahead.taken.empty() || ahead.owner == side) {
    ahead.owner = side;
    ahead.taken.push_back(taken);
    return;
  }
  const bool other = ahead.taken.front();
  ahead.taken.pop_front();
  if (other == taken) return;
  findings_.add(Kind::PairDivergence, jump.pc, Findings::kNoPc, t.group->linear, [&] {
    Finding finding;
    finding.first = place_of(t, jump.pc);
    finding.message = "thread " + std::to_string(t.id) + (taken ? " jumps" : " goes on") + ", thread " +
                      std::to_string(t.id ^ 1) + " of the same fused pair " + (other ? "jumps" : "goes on") +
                      ": both share one instruction pointer, jmpi follows one of them";
    return finding;
  });
}

void SyncPart::send(machine::Thread& t, const machine::Uop& u, const Footprint& f) {
  if (f.channels == 0) return;
  switch (f.kind) {
    case Footprint::Kind::Store: {
      if (f.space != Footprint::Space::Slm) return;
      ThreadState& thread = states_.of(*t.group).threads[t.id];
      if (thread.unfenced_store == kNone) thread.unfenced_store = u.pc;
      return;
    }
    case Footprint::Kind::Fence: {
      const isa::Message& m = *f.message;
      if (m.sfid == isa::Sfid::Slm || m.kind == isa::MessageKind::LegacyMemoryFence)
        states_.of(*t.group).threads[t.id].unfenced_store = kNone;
      return;
    }
    case Footprint::Kind::BarrierSignal: {
      State& state = states_.of(*t.group);
      ThreadState& thread = state.threads[t.id];
      const machine::BarrierPayload payload{f.barrier_payload};
      if (payload.of_group(static_cast<uint32_t>(state.threads.size()), code_.platform == isa::Platform::Xe2)) {
        ++thread.barriers;
        thread.last_signal_pc = u.pc;
      }
      // A group of one thread orders its own accesses.
      if (thread.unfenced_store == kNone || state.threads.size() == 1) return;
      findings_.add(Kind::MissingFence, u.pc, thread.unfenced_store, t.group->linear, [&] {
        Finding finding;
        finding.first = place_of(t, u.pc);
        finding.other = place_of(t, thread.unfenced_store);
        finding.other->what = "stores to local memory";
        finding.message =
            "signals a barrier although no fence of local memory (fence.slm) follows its store: other threads may "
            "read what was there before";
        return finding;
      });
      return;
    }
    default:
      return;
  }
}

bool SyncPart::looks_at(const isa::Message& m) {
  using isa::MessageKind;
  if (m.desc_in_reg) return true;
  switch (m.kind) {
    case MessageKind::Load:
    case MessageKind::LoadCmask:
    case MessageKind::LoadBlock2d:
    case MessageKind::StoreBlock2d:
      return false;
    case MessageKind::Store:
    case MessageKind::StoreCmask:
      return m.sfid == isa::Sfid::Slm;
    default:
      return true;
  }
}

Kind SyncPart::kind_of(FaultKind kind) {
  switch (kind) {
    case FaultKind::BarrierDivergence:
      return Kind::DivergentBarrier;
    case FaultKind::Deadlock:
    case FaultKind::Watchdog:
      return Kind::Deadlock;
    case FaultKind::FusedPair:
      return Kind::PairDivergence;
    default:
      return Kind::Count_;
  }
}

}  // namespace xeforge::observe::check
