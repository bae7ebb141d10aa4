// SPDX-License-Identifier: Apache-2.0
#include "observe/check/races.h"

#include <cstring>

#include "isa/opcode.h"
#include "machine/barrier.h"
#include "machine/text.h"

namespace xeforge::observe::check {
namespace {

using machine::Footprint;
using machine::Group;
using machine::hex;
using machine::Thread;
using machine::Uop;

/// Conflicts of one message that are looked at one by one; more of them are the same thing again.
constexpr size_t kMostConflicts = 64;
/// Fences of different threads that one atomic variable remembers.
constexpr size_t kMostReleases = 4096;

bool device_wide(isa::FenceScope scope) { return scope != isa::FenceScope::Group && scope != isa::FenceScope::Local; }

}  // namespace

RacesPart::RacesPart(Findings& findings, const machine::LaunchContext& context)
    : Part(findings), context_(context), code_(*context.code) {
  ends_in_wait_.resize(code_.blocks.size());
  for (size_t b = 0; b < code_.blocks.size(); ++b) {
    const machine::Block& block = code_.blocks[b];
    if (block.count == 0) continue;
    const isa::Instruction& last = *code_.uops[block.first + block.count - 1].inst;
    ends_in_wait_[b] = last.op == isa::Opcode::Sync && last.sync_fn == isa::SyncFn::Bar;
  }
  send_of_uop_.assign(code_.uops.size(), 0);
  for (size_t i = 0; i < code_.uops.size(); ++i) {
    if (!code_.uops[i].inst->is_send()) continue;
    const auto number = static_cast<uint32_t>(std::min<size_t>(pc_of_send_.size(), Stamp::kMaxSend));
    send_of_uop_[i] = number;
    if (number == pc_of_send_.size()) pc_of_send_.push_back(code_.uops[i].pc);
  }
}

void RacesPart::group_begins(const Group& group) {
  State& state = states_.begin(group);
  const size_t threads = group.threads.size();
  state.linear = group.linear;
  state.first_thread = static_cast<uint32_t>(group.linear * threads);
  state.threads.resize(threads);
  for (ThreadState& thread : state.threads) {
    thread.clock = 1;
    thread.known.reset(threads);
    thread.fenced = 0;
    thread.last_block = kNone;
    thread.signalled = thread.completed = 0;
    thread.release.reset();
  }
  for (Barrier& barrier : state.barriers) barrier.used = false;
  state.slm.clear();
  state.slm.resize((group.slm.size() + ShadowPage::kBytes - 1) / ShadowPage::kBytes);
  state.slm_atomics.clear();
}

void RacesPart::group_ends(const Group& group) {
  for (auto& page : states_.of(group).slm) {
    if (page != nullptr) pool_.give(std::move(page));
  }
  states_.end(group);
}

void RacesPart::advance(ThreadState& me) const {
  if (me.clock < Stamp::kMaxClock) ++me.clock;
}

void RacesPart::block(Thread& t, uint32_t b) {
  ThreadState& me = states_.of(*t.group).threads[t.id];
  if (me.completed != 0 && me.last_block != kNone && ends_in_wait_[me.last_block]) {
    State& state = states_.of(*t.group);
    for (unsigned i = 0; i < kBarriers; ++i) {
      if ((me.completed >> i & 1u) != 0) me.known.learn(state.barriers[i].done);
    }
    me.completed = 0;
  }
  me.last_block = b;
}

void RacesPart::barrier_completes(Group& group, int named) {
  State& state = states_.of(group);
  const auto id = static_cast<uint32_t>(named < 0 ? 0 : named) % kBarriers;
  Barrier& barrier = state.barriers[id];
  if (!barrier.used) return;
  barrier.done = barrier.gathering;
  barrier.used = false;
  for (ThreadState& thread : state.threads) {
    if ((thread.signalled >> id & 1u) == 0) continue;
    thread.signalled &= ~(1u << id);
    thread.completed |= 1u << id;
  }
}

Knowledge RacesPart::published(const ThreadState& me, uint32_t id) const {
  Knowledge k = me.known;
  k.seen[id] = me.clock;
  k.fenced[id] = me.fenced;
  return k;
}

void RacesPart::signal(State& state, ThreadState& me, uint32_t id, uint32_t payload) {
  const machine::BarrierPayload p{payload};
  const uint32_t number = p.id() % kBarriers;
  Barrier& barrier = state.barriers[number];
  if (!barrier.used) {
    barrier.used = true;
    barrier.gathering.reset(state.threads.size());
  }
  const bool consumes = number == 0 || p.role() != 1, produces = number == 0 || p.role() != 2;
  if (produces) {
    // What published() makes, without the copy: barriers are frequent.
    barrier.gathering.learn(me.known);
    barrier.gathering.seen[id] = std::max(barrier.gathering.seen[id], me.clock);
    barrier.gathering.fenced[id] = std::max(barrier.gathering.fenced[id], me.fenced);
  }
  if (consumes) me.signalled |= 1u << number;
  advance(me);
}

void RacesPart::fence(State& state, ThreadState& me, uint32_t id, const isa::Message& m) {
  const bool legacy = m.kind == isa::MessageKind::LegacyMemoryFence;
  if (legacy || m.sfid != isa::Sfid::Slm) me.fenced = me.clock;
  auto release = std::make_shared<Release>();
  release->group = state.linear;
  release->device_wide = legacy || (m.sfid != isa::Sfid::Slm && device_wide(m.fence_scope));
  release->knowledge = published(me, id);
  me.release = std::move(release);
  advance(me);
}

// An atomic takes over what was published through it, and publishes what its thread had fenced.
void RacesPart::synchronise(State& state, ThreadState& me, const Footprint& f) {
  const bool local = f.space == Footprint::Space::Slm;
  for (const Footprint::Piece& piece : f) {
    if (me.release == nullptr && (local ? state.slm_atomics.empty() : global_atomics_.empty())) return;
    auto& known = local ? state.slm_atomics[static_cast<uint32_t>(piece.address)] : global_atomics_[piece.address];
    bool own = false;
    for (const auto& release : known) {
      own |= release == me.release;
      if (release->group == state.linear) {
        me.known.learn(release->knowledge);
      } else if (release->device_wide) {
        join(me.known.foreign[release->group], release->knowledge.fenced);
        join(me.known.foreign, release->knowledge.foreign);
      }
    }
    if (me.release != nullptr && !own && known.size() < kMostReleases) known.push_back(me.release);
  }
}

bool RacesPart::ordered(const State& state, const ThreadState& me, Stamp other, bool local, bool other_writes) const {
  const uint32_t thread = other.thread();
  if (thread == own_) return true;
  const uint32_t index = thread - state.first_thread;
  if (index < state.threads.size()) {
    const Times& times = local || !other_writes ? me.known.seen : me.known.fenced;
    return times[index] >= other.clock();
  }
  if (me.known.foreign.empty()) return false;
  const auto threads = static_cast<uint32_t>(state.threads.size());
  const auto found = me.known.foreign.find(thread / threads);
  return found != me.known.foreign.end() && found->second[thread % threads] >= other.clock();
}

void RacesPart::conflict(const State& state, const ThreadState& me, Access access, bool local, Stamp other,
                         bool other_writes, uint64_t address, uint32_t bytes, uint32_t lane) {
  if (conflicts_.size() >= kMostConflicts) return;
  Conflict& c = conflicts_.emplace_back();
  c.address = address;
  c.bytes = bytes;
  c.lane = lane;
  c.other = other;
  c.other_writes = other_writes;
  c.access = access;
  c.local = local;
  const uint32_t index = other.thread() - state.first_thread;
  c.barrier_between = !local && index < state.threads.size() && me.known.seen[index] >= other.clock();
}

void RacesPart::touch_cell(State& state, ThreadState& me, Access access, bool local, Cell& cell, uint64_t address,
                           uint32_t bytes, uint32_t lane) {
  const Stamp stamp = stamp_.with_lane(lane);
  if (access == Access::Read) {
    if (cell.write && !ordered(state, me, cell.write, local, true))
      conflict(state, me, access, local, cell.write, true, address, bytes, lane);
    if (cell.read && cell.read.thread() != own_) cell.earlier_read = cell.read;
    cell.read = stamp;
    return;
  }
  const bool both_atomic = access == Access::Atomic && cell.write.atomic();
  if (cell.write && !both_atomic && !ordered(state, me, cell.write, local, true))
    conflict(state, me, access, local, cell.write, true, address, bytes, lane);
  for (const Stamp reader : {cell.read, cell.earlier_read}) {
    if (reader && !ordered(state, me, reader, local, false))
      conflict(state, me, access, local, reader, false, address, bytes, lane);
  }
  cell.write = stamp;
  cell.read = cell.earlier_read = {};
}

ShadowPage& RacesPart::global_page(uint64_t number) {
  CachedPage& cached = cache_[number % kCached];
  if (cached.number == number) return *cached.page;
  std::unique_ptr<ShadowPage>& page = pages_[number];
  if (page == nullptr) page = pool_.take();
  cached = {number, page.get()};
  return *page;
}

void RacesPart::touch(State& state, ThreadState& me, Access access, bool local, const Run& run) {
  uint64_t address = run.address;
  uint32_t before = 0;
  while (before != run.bytes) {
    const uint64_t number = address >> ShadowPage::kBytesLog2;
    if (local && number >= state.slm.size()) return;
    if (local && state.slm[number] == nullptr) state.slm[number] = pool_.take();
    ShadowPage& page = local ? *state.slm[number] : global_page(number);
    const auto offset = static_cast<uint32_t>(address % ShadowPage::kBytes);
    const uint32_t here = std::min(run.bytes - before, ShadowPage::kBytes - offset);
    if (!page.by_byte() && ((offset | here) & 3u) != 0) page.split();
    const uint32_t unit = page.by_byte() ? 1 : 4;
    Cell* cell = page.cells.data() + offset / unit;
    for (uint32_t done = 0; done < here; done += unit, ++cell) {
      // Read by this thread since the last write, at the same time of its clock: nothing new.
      if (access == Access::Read && cell->read.same_time(stamp_)) continue;
      const uint32_t lane = run.first_lane == Stamp::kWholeMessage ? Stamp::kWholeMessage
                                                                   : run.first_lane + (before + done) / run.lane_bytes;
      touch_cell(state, me, access, local, *cell, address + done, unit, lane);
    }
    address += here;
    before += here;
  }
}

void RacesPart::send(Thread& t, const Uop& u, const Footprint& f) {
  if (f.channels == 0) return;
  State& state = states_.of(*t.group);
  ThreadState& me = state.threads[t.id];
  switch (f.kind) {
    case Footprint::Kind::BarrierSignal:
      return signal(state, me, t.id, f.barrier_payload);
    case Footprint::Kind::Fence:
      return fence(state, me, t.id, *f.message);
    case Footprint::Kind::Load:
    case Footprint::Kind::Store:
    case Footprint::Kind::Atomic:
      break;
    default:
      return;
  }
  if (f.space != Footprint::Space::Global && f.space != Footprint::Space::Slm) return;
  const bool local = f.space == Footprint::Space::Slm;
  // A single thread has nobody in its group.
  if (local && state.threads.size() == 1) return;
  own_ = state.first_thread + t.id;
  if (own_ > Stamp::kMaxThread) return;  // 67 million threads: beyond what stamps can tell apart
  const Access access = f.kind == Footprint::Kind::Load    ? Access::Read
                        : f.kind == Footprint::Kind::Store ? Access::Write
                                                           : Access::Atomic;
  if (access == Access::Atomic) synchronise(state, me, f);
  const auto index = static_cast<size_t>(&u - code_.uops.data());
  stamp_ = Stamp::make(own_, me.clock, send_of_uop_[index], access == Access::Atomic);
  first_lane_ = u.channel_offset;
  conflicts_.clear();
  Run run;
  int32_t last_part = -1;
  for (const Footprint::Piece& piece : f) {
    // Lanes that read one address: once is enough.
    if (access == Access::Read && run.bytes == piece.bytes && run.address == piece.address) continue;
    // Neighbouring lanes with neighbouring data go together.
    if (run.bytes != 0 && piece.part >= 0 && piece.part == last_part + 1 && piece.bytes == run.lane_bytes &&
        piece.address == run.address + run.bytes) {
      run.bytes += piece.bytes;
      last_part = piece.part;
      continue;
    }
    if (run.bytes != 0) touch(state, me, access, local, run);
    const auto channel = static_cast<uint32_t>(piece.part) + first_lane_;
    run = {piece.address, piece.bytes, piece.part >= 0 && channel < 32 ? channel : Stamp::kWholeMessage, piece.bytes};
    last_part = piece.part;
  }
  if (run.bytes != 0) touch(state, me, access, local, run);
  for (Conflict& c : conflicts_) {
    if (c.access != Access::Write || !c.other_writes) continue;
    // What the other one wrote, to be compared with what this one writes.
    const std::byte* at = c.local ? t.group->slm.data() + c.address
                                  : reinterpret_cast<const std::byte*>(static_cast<uintptr_t>(c.address));
    std::memcpy(&c.old_bytes, at, c.bytes);
  }
}

void RacesPart::sent(Thread& t, const Uop& u, const Footprint& f) {
  if (conflicts_.empty() ||
      (f.kind != Footprint::Kind::Load && f.kind != Footprint::Kind::Store && f.kind != Footprint::Kind::Atomic))
    return;
  for (const Conflict& c : conflicts_) {
    bool same = false;
    if (c.access == Access::Write && c.other_writes && !c.other.atomic()) {
      uint64_t now = 0;
      const std::byte* at = c.local ? t.group->slm.data() + c.address
                                    : reinterpret_cast<const std::byte*>(static_cast<uintptr_t>(c.address));
      std::memcpy(&now, at, c.bytes);
      same = now == c.old_bytes;
    }
    report(t, u, c, same);
  }
  conflicts_.clear();
}

void RacesPart::report(Thread& t, const Uop& u, const Conflict& c, bool same_value) {
  const State& state = states_.of(*t.group);
  const uint32_t threads = static_cast<uint32_t>(state.threads.size());
  const uint64_t other_group = c.other.thread() / threads;
  Kind kind = c.local ? Kind::SlmRace : other_group != state.linear ? Kind::DeviceRace : Kind::GroupRace;
  if (same_value)
    kind = Kind::SameValueWrite;
  else if (c.barrier_between)
    kind = Kind::MissingGlobalFence;
  const uint32_t other_pc = pc_of_send_[c.other.send()];
  findings_.add(kind, u.pc, other_pc, state.linear, [&] {
    static constexpr const char* kVerb[] = {"reads", "writes", "updates atomically"};
    Finding finding;
    finding.first = place_of(t, u.pc, c.lane == Stamp::kWholeMessage ? 0 : 1u << c.lane);
    Place other;
    other.pc = other_pc;
    other.has_pc = other.has_thread = true;
    other.linear = other_group;
    const auto& groups = context_.launch->groups;
    other.group = {static_cast<uint32_t>(other_group % groups[0]),
                   static_cast<uint32_t>(other_group / groups[0] % groups[1]),
                   static_cast<uint32_t>(other_group / groups[0] / groups[1])};
    other.thread = c.other.thread() % threads;
    other.lanes = c.other.lane() == Stamp::kWholeMessage ? 0 : 1u << c.other.lane();
    const char* did = c.other.atomic() ? "updated atomically" : c.other_writes ? "wrote" : "read";
    other.what = std::string(did) + " the same " + (c.bytes == 1 ? "byte" : "bytes") + " before";
    std::string where = "local memory at offset " + hex(c.address);
    if (!c.local) {
      where = hex(c.address);
      const machine::Allocation* a = t.worker->memory == nullptr ? nullptr : t.worker->memory->find(c.address);
      if (a != nullptr) where += ", offset " + std::to_string(c.address - a->base) + " of " + a->label;
    }
    finding.message = std::string(kVerb[static_cast<unsigned>(c.access)]) + " " + where + ", which thread " +
                      std::to_string(other.thread) +
                      (other_group == state.linear ? " of the same group " : " of another group ") + did +
                      (c.barrier_between ? "; a barrier lies between, but no fence of global memory"
                       : same_value      ? "; the value is the same, nothing orders the two"
                                         : "; nothing orders the two");
    finding.other = std::move(other);
    return finding;
  });
}

}  // namespace xeforge::observe::check
