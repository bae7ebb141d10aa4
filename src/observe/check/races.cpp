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

bool may_be_atomic(const isa::Message& m) {
  using isa::MessageKind;
  return m.desc_in_reg || m.kind == MessageKind::Atomic || m.kind == MessageKind::UntypedAtomic ||
         m.kind == MessageKind::A64UntypedAtomic;
}

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
    has_atomics_ |= may_be_atomic(code_.uops[i].inst->msg);
  }
  lane_bytes_.assign(pc_of_send_.size() + 1, 0);
}

void RacesPart::group_begins(const Group& group) {
  State& state = states_.begin(group);
  const size_t threads = group.threads.size();
  state.linear = group.linear;
  state.first_thread = static_cast<uint32_t>(group.linear * threads);
  state.threads.resize(threads);
  for (ThreadState& thread : state.threads) {
    thread.clock = 1;
    thread.known.reset();
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
  const unsigned id = named < 0 ? 0 : kNamed + static_cast<unsigned>(named) % 32;
  Barrier& barrier = state.barriers[id];
  if (!barrier.used) return;
  barrier.done = barrier.gathering;
  barrier.used = false;
  for (ThreadState& thread : state.threads) {
    if ((thread.signalled >> id & 1u) == 0) continue;
    thread.signalled &= ~(uint64_t{1} << id);
    thread.completed |= uint64_t{1} << id;
  }
}

Knowledge RacesPart::published(const ThreadState& me, uint32_t id) const {
  Knowledge k = me.known;
  raise_to(k.seen, id, me.clock);
  raise_to(k.fenced, id, me.fenced);
  return k;
}

void RacesPart::signal(State& state, ThreadState& me, uint32_t id, uint32_t payload) {
  const machine::BarrierPayload p{payload};
  const bool of_group = p.of_group(static_cast<uint32_t>(state.threads.size()), code_.platform == isa::Platform::Xe2);
  const unsigned number = of_group ? 0 : kNamed + p.id() % 32;
  Barrier& barrier = state.barriers[number];
  if (!barrier.used) {
    barrier.used = true;
    barrier.gathering.reset();
  }
  const bool consumes = of_group || p.role() != 1, produces = of_group || p.role() != 2;
  if (produces) {
    // What published() makes, without the copy: barriers are frequent.
    barrier.gathering.learn(me.known);
    raise_to(barrier.gathering.seen, id, me.clock);
    raise_to(barrier.gathering.fenced, id, me.fenced);
  }
  if (consumes) me.signalled |= uint64_t{1} << number;
  advance(me);
}

void RacesPart::fence(State& state, ThreadState& me, uint32_t id, const isa::Message& m) {
  const bool legacy = m.kind == isa::MessageKind::LegacyMemoryFence;
  if (legacy || m.sfid != isa::Sfid::Slm) me.fenced = me.clock;
  if (!has_atomics_) return advance(me);  // nobody takes it over
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
    return time_of(times, index) >= other.clock();
  }
  if (me.known.foreign.empty()) return false;
  const auto threads = static_cast<uint32_t>(state.threads.size());
  const auto found = me.known.foreign.find(thread / threads);
  return found != me.known.foreign.end() && time_of(found->second, thread % threads) >= other.clock();
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
  c.barrier_between = !local && index < state.threads.size() && time_of(me.known.seen, index) >= other.clock();
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

void RacesPart::split(Line& line, uint32_t unit) {
  const uint32_t count = Line::kBytes / unit;
  Cell* cells = arena_.take(count);
  const auto at_cell = [&](Stamp s, uint32_t i) {
    if (!s || s.lane() == Stamp::kWholeMessage) return s;
    return s.with_lane(s.lane() + i * unit / lane_bytes_[s.send()]);
  };
  for (uint32_t i = 0; i < count; ++i) {
    if (line.fine != nullptr)
      cells[i] = line.fine[i * unit / line.unit];
    else
      cells[i] = {at_cell(line.whole.write, i), at_cell(line.whole.read, i), at_cell(line.whole.earlier_read, i)};
  }
  arena_.release(line);
  line.fine = cells;
  line.unit = unit;
}

/// The whole line at once; false, with nothing done, if something is wrong: then the cells have to say where.
bool RacesPart::touch_line(const State& state, const ThreadState& me, Access access, bool local, Line& line,
                           uint32_t lane) {
  Cell& cell = line.whole;
  const bool both_atomic = access == Access::Atomic && cell.write.atomic();
  if (cell.write && !both_atomic && !ordered(state, me, cell.write, local, true)) return false;
  const Stamp stamp = stamp_.with_lane(lane);
  if (access == Access::Read) {
    if (cell.read && cell.read.thread() != own_) cell.earlier_read = cell.read;
    cell.read = stamp;
    return true;
  }
  for (const Stamp reader : {cell.read, cell.earlier_read}) {
    if (reader && !ordered(state, me, reader, local, false)) return false;
  }
  cell = {stamp, {}, {}};
  return true;
}

void RacesPart::touch(State& state, ThreadState& me, Access access, bool local, const Run& run) {
  const uint32_t lane_bytes = run.lane_bytes;
  const bool whole_message = run.first_lane == Stamp::kWholeMessage;
  const auto lane_at = [&](uint32_t offset) {
    return whole_message ? Stamp::kWholeMessage : run.first_lane + offset / lane_bytes;
  };
  // A line's cell keeps the lane of its first byte. Those of the others follow from it if all accesses of this
  // instruction have lanes of this size.
  bool lanes_follow = whole_message;
  if (!whole_message) {
    uint32_t& known = lane_bytes_[stamp_.send()];
    if (known == 0) known = lane_bytes;
    lanes_follow = known == lane_bytes;
  }
  uint64_t address = run.address;
  uint32_t before = 0;
  while (before != run.bytes) {
    const uint64_t number = address >> ShadowPage::kBytesLog2;
    if (local && number >= state.slm.size()) return;
    if (local && state.slm[number] == nullptr) state.slm[number] = pool_.take();
    ShadowPage& page = local ? *state.slm[number] : global_page(number);
    auto offset = static_cast<uint32_t>(address % ShadowPage::kBytes);
    const uint32_t end = std::min(offset + run.bytes - before, ShadowPage::kBytes);
    while (offset != end) {
      Line& line = page.lines[offset >> Line::kBytesLog2];
      const uint32_t first = offset % Line::kBytes, here = std::min(end - offset, Line::kBytes - first);
      bool fits = here == Line::kBytes && lanes_follow;
      if (fits && !whole_message) {
        const uint32_t in_lane = before % lane_bytes;
        fits = in_lane == 0 || in_lane + Line::kBytes <= lane_bytes;
      }
      // Read by this thread since the last write, at the same time of its clock: nothing new.
      const bool known = fits && line.fine == nullptr && access == Access::Read && line.whole.read.same_time(stamp_);
      if (!known && !(fits && line.fine == nullptr && touch_line(state, me, access, local, line, lane_at(before)))) {
        const uint32_t unit = ((first | here) & 3u) != 0 ? 1 : 4;
        if (line.unit > unit) split(line, unit);
        Cell* cell = line.fine + first / line.unit;
        for (uint32_t at = 0; at < here; at += line.unit, ++cell) {
          if (access == Access::Read && cell->read.same_time(stamp_)) continue;
          touch_cell(state, me, access, local, *cell, address + at, line.unit, lane_at(before + at));
        }
        if (fits && access != Access::Read) {
          arena_.release(line);
          line.whole = {stamp_.with_lane(lane_at(before)), {}, {}};
        }
      }
      offset += here;
      address += here;
      before += here;
    }
  }
}

bool RacesPart::send(Thread& t, const Uop& u, const Message& message) {
  const Footprint& f = message.footprint;
  if (f.channels == 0) return false;
  State& state = states_.of(*t.group);
  ThreadState& me = state.threads[t.id];
  switch (f.kind) {
    case Footprint::Kind::BarrierSignal:
      signal(state, me, t.id, f.barrier_payload);
      return false;
    case Footprint::Kind::Fence:
      fence(state, me, t.id, *f.message);
      return false;
    case Footprint::Kind::Load:
    case Footprint::Kind::Store:
    case Footprint::Kind::Atomic:
      break;
    default:
      return false;
  }
  if (f.space != Footprint::Space::Global && f.space != Footprint::Space::Slm) return false;
  const bool local = f.space == Footprint::Space::Slm;
  // A single thread has nobody in its group.
  if (local && state.threads.size() == 1) return false;
  own_ = state.first_thread + t.id;
  if (own_ > Stamp::kMaxThread) return false;  // 67 million threads: beyond what stamps can tell apart
  const Access access = f.kind == Footprint::Kind::Load    ? Access::Read
                        : f.kind == Footprint::Kind::Store ? Access::Write
                                                           : Access::Atomic;
  if (access == Access::Atomic) synchronise(state, me, f);
  const auto index = static_cast<size_t>(&u - code_.uops.data());
  stamp_ = Stamp::make(own_, me.clock, send_of_uop_[index], access == Access::Atomic);
  conflicts_.clear();
  for (const Run& run : message) touch(state, me, access, local, run);
  for (Conflict& c : conflicts_) {
    if (c.access != Access::Write || !c.other_writes) continue;
    // What the other one wrote, to be compared with what this one writes.
    const std::byte* at = c.local ? t.group->slm.data() + c.address
                                  : reinterpret_cast<const std::byte*>(static_cast<uintptr_t>(c.address));
    std::memcpy(&c.old_bytes, at, c.bytes);
  }
  return !conflicts_.empty();
}

void RacesPart::sent(Thread& t, const Uop& u) {
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
