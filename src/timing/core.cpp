// SPDX-License-Identifier: Apache-2.0
#include "timing/core.h"

#include <algorithm>
#include <bit>
#include <string>

#include "machine/barrier.h"
#include "timing/core_state.h"

namespace xeforge::timing {
namespace {

Cause issued_on(Port port) {
  switch (port) {
    case Port::Float:
      return Cause::IssuedFloat;
    case Port::Int:
      return Cause::IssuedInt;
    case Port::Math:
      return Cause::IssuedMath;
    case Port::Matrix:
      return Cause::IssuedMatrix;
    case Port::Send:
      return Cause::IssuedSend;
    default:
      return Cause::IssuedControl;
  }
}

}  // namespace

uint64_t l1_bytes_beside(const Parameters& p, uint64_t slm_in_use) {
  return p.l1_bytes - std::min<uint64_t>(slm_in_use, p.l1_bytes - p.l1_bytes / 8);
}

Core::Core(uint16_t index, const observe::Recording& recording, const TimedProgram& program, const Parameters& p,
           const GroupNeeds& needs, uint64_t l1_bytes, bool trace)
    : index_(index),
      recording_(recording),
      program_(program),
      p_(p),
      needs_(needs),
      trace_(trace),
      width_(p.fused ? 2 : 1),
      source_read_(ticks(p.source_read)),
      return_register_(ticks(p.return_per_register)),
      message_(ticks(p.message)),
      queue_(ticks(p.queue)),
      gather_8_(ticks(p.gather_per_8)),
      narrow_store_(ticks(p.narrow_store)),
      l1_line_(ticks(64 / p.l1_rate)),
      slm_dword_(ticks(4 * 16 / p.slm_rate)),
      slm_conflict_(ticks(p.slm_conflict)),
      prefetch_line_(ticks(p.prefetch_per_line)),
      store_line_(ticks(64 / p.store_rate)),
      l1_latency_(ticks(p.l1_latency)),
      slm_latency_(ticks(p.slm_latency)),
      fence_(ticks(p.fence)),
      slm_fence_(ticks(p.slm_fence)),
      barrier_(ticks(p.barrier)),
      other_send_(ticks(p.other_send)),
      dispatch_(ticks(p.dispatch)),
      start_(ticks(p.start)),
      engines_(p.engines),
      next_time_(p.engines, kPending),
      l1_(l1_bytes, static_cast<unsigned>(p.l1_ways), 64, static_cast<unsigned>(p.l1_fold)) {
  for (Engine& e : engines_) {
    e.slots.resize(size_t{width_} * needs.slots);
    e.slot_since.assign(e.slots.size(), 0);
  }
  stats_.by_instruction.resize(program.size());
  stats_.blamed.resize(program.size());
}

Core::~Core() = default;

bool Core::has_room() const {
  return used_positions_ + needs_.positions <= p_.engines * needs_.slots &&
         used_slm_ + needs_.slm_bytes <= p_.slm_bytes && used_barriers_ + needs_.barriers <= p_.barriers &&
         running_groups_ < p_.groups;
}

void Core::place(uint32_t index, Ticks at) {
  const observe::Recording::Group& recorded = recording_.groups[index];
  std::unique_ptr<GroupState> group;
  auto free = std::find(groups_.begin(), groups_.end(), nullptr);
  if (free == groups_.end()) free = groups_.insert(groups_.end(), nullptr);
  *free = std::make_unique<GroupState>();
  GroupState& g = **free;
  g.linear = recorded.linear;
  g.threads = recording_.threads_per_group;
  g.begin = at;
  ++running_groups_;
  used_positions_ += needs_.positions;
  used_slm_ += needs_.slm_bytes;
  used_barriers_ += needs_.barriers;

  for (uint32_t t = 0; t < g.threads; t += width_) {
    Engine& e = *std::min_element(engines_.begin(), engines_.end(),
                                  [](const Engine& a, const Engine& b) { return a.used < b.used; });
    unsigned position = 0;
    while (!e.is_free(position, width_)) ++position;
    last_dispatch_ = std::max(last_dispatch_ + dispatch_, at);
    if (e.used == 0) e.loaded_since = last_dispatch_;
    ++e.used;
    const uint32_t members = std::min(width_, g.threads - t);
    for (uint32_t m = 0; m < members; ++m) {
      stats_.causes[static_cast<size_t>(Cause::Empty)] += last_dispatch_ - e.slot_since[position * width_ + m];
    }
    const auto& first = recording_.threads[recorded.first_thread + t];
    const bool together = members == 2 && first.path == recording_.threads[recorded.first_thread + t + 1].path;
    for (uint32_t m = 0; m < (together ? 1 : members); ++m) {
      auto s = std::make_unique<Stream>();
      s->group = &g;
      s->members = together ? 2 : 1;
      s->engine = static_cast<uint16_t>(&e - engines_.data());
      s->slot = static_cast<uint16_t>(width_ * position + m);
      for (uint32_t k = 0; k < s->members; ++k) {
        const auto& thread = recording_.threads[recorded.first_thread + t + m + k];
        s->readers[k] = observe::MessageReader(recording_.messages.data() + thread.messages);
        s->path = &recording_.paths[thread.path];
      }
      s->covered = last_dispatch_;
      s->age = ++ages_;
      ++g.streams;
      g.all.push_back(s.get());
      Stream& stream = *s;
      s->live = e.live.size();
      e.live.push_back({0, s.get(), Port::None});
      e.slots[stream.slot] = std::move(s);
      stream.instruction = stream.block_end = 0;
      fetch(stream);
      schedule(stream, last_dispatch_ + start_, Cause::Start);
    }
    choose(static_cast<size_t>(&e - engines_.data()));
  }
}

/// Makes `instruction` the next one of the path; `done` behind the last.
void Core::fetch(Stream& s) {
  while (s.instruction == s.block_end) {
    if (s.at == s.path->size()) {
      s.done = true;
      return;
    }
    const auto& block = recording_.blocks[(*s.path)[s.at++]];
    s.instruction = block.first;
    s.block_end = block.first + block.count;
  }
}

void Core::schedule(Stream& s, Ticks base, Cause base_cause) {
  s.base = base;
  s.base_cause = base_cause;
  s.earliest = base;
  s.cause = base_cause;
  s.culprit = UINT32_MAX;
  const TimedOp& op = program_[s.instruction];
  const auto wait = [&s](Ticks until, Cause cause, uint32_t culprit) {
    if (until <= s.earliest) return;
    s.earliest = until;
    s.cause = cause;
    s.culprit = culprit;
  };
  if (op.dist != 0) {
    const auto one = [&](unsigned pipe) {
      if (s.issued[pipe] < op.dist) return;
      const unsigned at = (s.issued[pipe] - op.dist) % kHistory;
      wait(s.history[pipe][at], Cause::Pipe, s.history_instruction[pipe][at]);
    };
    switch (op.dist_pipe) {
      case isa::SwsbDist::Float:
        one(static_cast<unsigned>(Pipe::Float));
        break;
      case isa::SwsbDist::Int:
        one(static_cast<unsigned>(Pipe::Int));
        break;
      case isa::SwsbDist::Long:
        one(static_cast<unsigned>(Pipe::Long));
        break;
      case isa::SwsbDist::Math:
        one(static_cast<unsigned>(Pipe::Math));
        break;
      case isa::SwsbDist::SelfPipe:
        if (op.pipe != Pipe::None) one(static_cast<unsigned>(op.pipe));
        break;
      case isa::SwsbDist::None:
        break;
      default:
        for (unsigned pipe = 0; pipe < kPipes; ++pipe) one(pipe);
        break;
    }
  }
  const auto wait_token = [&](unsigned token, bool data) {
    const Ticks until = data ? s.data[token] : s.read[token];
    const uint32_t by = s.token_instruction[token];
    Cause cause = Cause::MessageRead;
    if (data) {
      const Port port = program_[by].port;
      cause = port == Port::Matrix ? Cause::MatrixResult : port == Port::Math ? Cause::MathResult : Cause::MessageData;
    }
    wait(until, cause, by);
  };
  switch (op.token_kind) {
    case isa::SwsbToken::Set:  // a token that is still in use holds the instruction back
    case isa::SwsbToken::Dst:
      wait_token(op.token, true);
      break;
    case isa::SwsbToken::Src:
      wait_token(op.token, false);
      break;
    case isa::SwsbToken::None:
      break;
  }
  if (op.sync == SyncKind::AllRead || op.sync == SyncKind::AllWritten) {
    for (uint32_t left = op.tokens; left != 0; left &= left - 1)
      wait_token(static_cast<unsigned>(std::countr_zero(left)), op.sync == SyncKind::AllWritten);
  } else if (op.sync == SyncKind::Barrier) {
    // Named barriers are waited for by an operand; a thread has one of them open at a time in practice.
    for (unsigned b = 0; b < (op.null_barrier ? 1 : kNamedBarriers); ++b) {
      if (s.waits_for[b] == 0) continue;
      const auto& barrier = s.group->barriers[b];
      wait(barrier.phase < s.waits_for[b] ? kPending : barrier.released, Cause::Barrier, s.instruction);
    }
  }
  engines_[s.engine].live[s.live] = {s.earliest, &s, op.port};
}

/// When the stream could issue, the engine's ports and arbiter considered, and what holds it longest.
Ticks Core::issue_time(const Engine& e, const Stream& s, Cause& cause) const {
  static constexpr std::array<Cause, kPorts> kBusy{Cause::FloatBusy, Cause::IntBusy, Cause::IntBusy, Cause::MatrixBusy,
                                                   Cause::SendBusy,  Cause::Arbiter, Cause::Arbiter};
  Ticks t = s.earliest;
  cause = s.cause;
  const auto wait = [&](Ticks until, Cause why) {
    if (until > t) {
      t = until;
      cause = why;
    }
  };
  const Port port = program_[s.instruction].port;
  wait(e.issue_free, Cause::Arbiter);
  wait(e.port_free[static_cast<size_t>(port)], kBusy[static_cast<size_t>(port)]);
  if (port == Port::Matrix && e.matrix_owner != nullptr && e.matrix_owner != &s) wait(kPending, Cause::MatrixBusy);
  if (port == Port::Send) wait(lsc_free_ - queue_, Cause::QueueFull);
  return t;
}

/// Which of two streams that could issue in the same clock does.
bool Core::goes_first(const Engine& e, const Stream& a, const Stream& b) const {
  if (p_.matrix_greedy != 0 && program_[a.instruction].port == Port::Matrix &&
      program_[b.instruction].port == Port::Matrix) {
    if (&a == e.matrix_last || &b == e.matrix_last) return &a == e.matrix_last;
    if (a.earliest != b.earliest) return a.earliest < b.earliest;
  }
  return a.age < b.age;
}

void Core::choose(size_t engine) {
  Engine& e = engines_[engine];
  std::array<Ticks, kPorts> free{};  // as issue_time() has it
  for (size_t port = 0; port < kPorts; ++port) free[port] = std::max(e.issue_free, e.port_free[port]);
  Ticks& for_send = free[static_cast<size_t>(Port::Send)];
  for_send = std::max(for_send, lsc_free_ - queue_);
  Stream* next = nullptr;
  Ticks next_time = kPending;
  for (const Engine::Live& l : e.live) {
    if (l.earliest >= next_time) continue;
    Ticks t = std::max(l.earliest, free[static_cast<size_t>(l.port)]);
    if (l.port == Port::Matrix && e.matrix_owner != nullptr && e.matrix_owner != l.stream) t = kPending;
    if (t < next_time || (t == next_time && next != nullptr && goes_first(e, *l.stream, *next))) {
      next = l.stream;
      next_time = t;
    }
  }
  e.next = next;
  next_time_[engine] = next_time;
}

Ticks Core::next_event() const { return *std::min_element(next_time_.begin(), next_time_.end()); }

Ticks Core::next_request() const {
  Ticks t = kPending;
  for (const Request& r : requests_) t = std::min(t, r.time);
  return t;
}

void Core::advance(Ticks until) {
  for (;;) {
    size_t first = 0;
    for (size_t other = 1; other < next_time_.size(); ++other) {
      if (next_time_[other] < next_time_[first]) first = other;
    }
    const Ticks planned = next_time_[first];
    if (planned >= until) return;
    Engine& e = engines_[first];
    // The load/store unit's queue may have grown since the engine chose.
    Cause cause{};
    const Ticks t = issue_time(e, *e.next, cause);
    if (t <= planned) step(e, *e.next, t, cause);
    choose(first);
  }
}

void Core::attribute(Stream& s, Ticks until, Cause cause, uint32_t instruction) {
  if (until <= s.covered) return;
  const Ticks amount = (until - s.covered) * s.members;
  stats_.causes[static_cast<size_t>(cause)] += amount;
  if (cause != Cause::Start) stats_.by_instruction[instruction][static_cast<size_t>(cause)] += amount;
  if (trace_) stats_.slices.push_back({s.covered, until, index_, s.engine, s.slot, cause, instruction});
  s.covered = until;
}

/// Issues at `t`, until when `last` held the stream.
void Core::step(Engine& e, Stream& s, Ticks t, Cause last) {
  const uint32_t instruction = s.instruction;
  const TimedOp& op = program_[instruction];
  const Ticks own = std::min(s.earliest, t);
  if (s.culprit != UINT32_MAX && own > s.covered) stats_.blamed[s.culprit] += (own - s.covered) * s.members;
  attribute(s, std::min(s.base, own), s.base_cause, instruction);
  attribute(s, own, s.cause, instruction);
  attribute(s, t, last, instruction);
  attribute(s, t + kTicksPerClock, issued_on(op.port), instruction);

  stats_.instructions += s.members;
  e.issue_free = t + kTicksPerClock;
  Ticks busy = kTicksPerClock;
  switch (op.port) {
    case Port::Float:
      e.port_free[static_cast<size_t>(Port::Float)] = t + op.occupancy;
      stats_.float_busy += op.occupancy;
      busy = op.occupancy;
      break;
    case Port::Int:
    case Port::Math:
      e.port_free[static_cast<size_t>(Port::Int)] = e.port_free[static_cast<size_t>(Port::Math)] = t + op.occupancy;
      stats_.int_busy += op.occupancy;
      busy = op.occupancy;
      break;
    case Port::Matrix:
      e.port_free[static_cast<size_t>(Port::Matrix)] = t + op.occupancy;
      stats_.matrix_busy += op.occupancy;
      busy = op.occupancy;
      e.matrix_owner = op.holds_matrix ? &s : nullptr;
      e.matrix_last = &s;
      break;
    case Port::Send:
      e.port_free[static_cast<size_t>(Port::Send)] = t + op.occupancy;
      stats_.send_busy += op.occupancy;
      break;
    default:
      break;
  }
  const Ticks from = std::max(t, e.active_until);
  if (t + busy > from) e.active += t + busy - from;
  e.active_until = std::max(e.active_until, t + busy);

  if (op.pipe != Pipe::None) {
    const auto pipe = static_cast<unsigned>(op.pipe);
    const unsigned at = s.issued[pipe]++ % kHistory;
    s.history[pipe][at] = t + op.latency;
    s.history_instruction[pipe][at] = instruction;
  }
  if (op.token_kind == isa::SwsbToken::Set) {
    s.token_instruction[op.token] = instruction;
    ++s.token_use[op.token];
    s.data[op.token] = t + op.latency;
    s.read[op.token] = t + op.occupancy;
  }
  if (op.sync == SyncKind::Barrier) {
    for (unsigned b = 0; b < (op.null_barrier ? 1 : kNamedBarriers); ++b) s.waits_for[b] = 0;
  }
  if (op.port == Port::Send) {
    send(e, s, op, t);
    if (op.ends_thread) return end_stream(e, s, t + kTicksPerClock);
  }
  ++s.instruction;
  const bool block_ends = s.instruction == s.block_end;
  fetch(s);
  if (s.done) return end_stream(e, s, t + kTicksPerClock);
  const bool jumps = block_ends && s.instruction != instruction + 1;
  schedule(s, t + (jumps ? op.taken : op.next), Cause::Front);
}

void Core::end_stream(Engine& e, Stream& s, Ticks t) {
  GroupState& g = *s.group;
  attribute(s, t, Cause::IssuedSend, s.instruction < program_.size() ? s.instruction : 0);
  if (e.matrix_owner == &s) e.matrix_owner = nullptr;
  if (e.matrix_last == &s) e.matrix_last = nullptr;
  // Answers to its last messages may still come: they are told apart by age.
  for (Pending& m : messages_) {
    if (m.stream == &s) m.stream = nullptr;
  }
  g.all.erase(std::find(g.all.begin(), g.all.end(), &s));
  g.end = std::max(g.end, t);
  const uint32_t slot = s.slot;
  e.live.erase(e.live.begin() + static_cast<std::ptrdiff_t>(s.live));
  for (size_t i = s.live; i < e.live.size(); ++i) e.live[i].stream->live = i;
  for (unsigned m = 0; m < s.members; ++m) e.slot_since[slot + m] = t;
  e.slots[slot].reset();
  if (e.is_free(slot / width_, width_) && --e.used == 0) e.loaded += t - e.loaded_since;
  last_end_ = std::max(last_end_, t);
  if (--g.streams != 0) return;
  if (trace_) stats_.group_spans.push_back({g.begin, g.end, g.linear, index_});
  --running_groups_;
  used_positions_ -= needs_.positions;
  used_slm_ -= needs_.slm_bytes;
  used_barriers_ -= needs_.barriers;
  freed_.push_back({g.end, g.linear});
  *std::find_if(groups_.begin(), groups_.end(), [&](const auto& p) { return p.get() == &g; }) = nullptr;
}

// --- barriers -----------------------------------------------------------------------------------------------------

void Core::signal_barrier(Stream& s, Ticks t, uint32_t payload) {
  GroupState& g = *s.group;
  machine::BarrierPayload fields;
  fields.dword = payload;
  const unsigned id = std::min(fields.id(), kNamedBarriers - 1);
  GroupState::Barrier& b = g.barriers[id];
  // What was recorded of a device without named barriers is 0.
  const bool of_group = fields.of_group(g.threads, true);
  if (of_group) {
    b.producers = g.threads;
    b.consumers = 0;
  } else {
    b.producers = fields.producers();
    b.consumers = fields.consumers();
  }
  const bool produces = of_group || fields.role() != 2, consumes = of_group || fields.role() != 1;
  if (produces) b.produced += s.members;
  if (consumes) {
    b.consumed += s.members;
    s.waits_for[id] = b.phase + 1;
  }
  b.last = std::max(b.last, t);
  if (b.produced < b.producers || b.consumed < b.consumers) return;
  b.produced = b.consumed = 0;
  ++b.phase;
  b.released = b.last + barrier_;
  b.last = 0;
  if (trace_) stats_.barrier_marks.push_back({b.released, g.linear, index_});
  for (Stream* other : g.all) {
    if (other == &s || other->earliest != kPending || program_[other->instruction].sync != SyncKind::Barrier) continue;
    schedule(*other, other->base, other->base_cause);
    choose(other->engine);
  }
}

// --- results ------------------------------------------------------------------------------------------------------

void Core::report(Result& result, Ticks end) const {
  for (size_t i = 0; i < kCauses; ++i) result.causes[i] += stats_.causes[i];
  for (size_t i = 0; i < stats_.by_instruction.size(); ++i) {
    for (size_t c = 0; c < kCauses; ++c) result.by_instruction[i][c] += stats_.by_instruction[i][c];
    result.blamed[i] += stats_.blamed[i];
  }
  for (const Engine& e : engines_) {
    for (const Ticks since : e.slot_since) result.causes[static_cast<size_t>(Cause::Empty)] += end - since;
    result.active += e.active;
    result.loaded += e.loaded;
    result.slot_ticks += end * static_cast<Ticks>(e.slot_since.size());
    result.engine_ticks += end;
  }
  result.core_ticks += end;
  result.instructions += stats_.instructions;
  result.float_busy += stats_.float_busy;
  result.int_busy += stats_.int_busy;
  result.matrix_busy += stats_.matrix_busy;
  result.send_busy += stats_.send_busy;
  result.lsc_busy += stats_.lsc_busy;
  result.traffic += stats_.traffic;
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  append(result.slices, stats_.slices);
  append(result.group_spans, stats_.group_spans);
  append(result.barrier_marks, stats_.barrier_marks);
  append(result.message_spans, stats_.message_spans);
}

std::string Core::describe_wait() const {
  std::string text;
  for (const Engine& e : engines_) {
    for (const auto& s : e.slots) {
      if (s == nullptr) continue;
      text += "core " + std::to_string(index_) + ", group " + std::to_string(s->group->linear) + ", slot " +
              std::to_string(s->slot) + ": instruction " + std::to_string(s->instruction) + ", " +
              std::string(name_of(s->cause)) + "\n";
    }
  }
  return text;
}

}  // namespace xeforge::timing
