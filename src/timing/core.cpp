// SPDX-License-Identifier: Apache-2.0
#include "timing/core.h"

#include <algorithm>
#include <string>

#include "machine/barrier.h"

namespace xeforge::timing {
namespace {

using observe::MessageReader;
using observe::RecordedMessage;
using Kind = RecordedMessage::Kind;
using Space = RecordedMessage::Space;

constexpr unsigned kTokens = 32, kHistory = 8;
constexpr int kNoToken = -1;
constexpr unsigned kNamedBarriers = 32;
constexpr size_t kLineBytes = size_t{1} << observe::kLineShift;
/// Lines of scratch memory lie above all others, a range for each thread slot.
constexpr uint64_t kScratchLines = uint64_t{1} << 44;

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

struct Core::GroupState {
  struct Barrier {
    uint32_t producers = 0, consumers = 0;  ///< expected
    uint32_t produced = 0, consumed = 0;    ///< signals
    Ticks last = 0;                         ///< the latest signal
    uint64_t phase = 0;                     ///< completed so far
    Ticks released = 0;                     ///< when the last phase was complete
  };
  uint64_t linear = 0;
  uint32_t threads = 0, streams = 0;
  Ticks begin = 0, end = 0;
  std::array<Barrier, kNamedBarriers> barriers{};  ///< 0: the group's own
  std::vector<Stream*> all;
};

struct Core::Stream {
  GroupState* group = nullptr;
  unsigned members = 1;
  uint16_t engine = 0, slot = 0;
  const std::vector<uint16_t>* path = nullptr;
  size_t at = 0;             ///< in the path
  uint32_t instruction = 0;  ///< next to issue
  uint32_t block_end = 0;
  bool done = false;
  MessageReader readers[2];

  Ticks earliest = 0;  ///< of the next instruction, as far as the thread itself decides
  Cause cause = Cause::Start;
  uint32_t culprit = UINT32_MAX;  ///< instruction whose result is waited for
  Ticks covered = 0;              ///< attributed up to here
  Ticks base = 0;
  Cause base_cause = Cause::Start;
  uint64_t age = 0;

  std::array<std::array<Ticks, kHistory>, kPipes> history{};
  std::array<std::array<uint32_t, kHistory>, kPipes> history_instruction{};
  std::array<uint32_t, kPipes> issued{};  ///< per pipe
  std::array<Ticks, kTokens> data{}, read{};
  std::array<uint32_t, kTokens> token_instruction{};
  std::array<uint32_t, kTokens> token_use{};         ///< counts, so that late answers of an earlier use are told apart
  std::array<uint64_t, kNamedBarriers> waits_for{};  ///< phase of each barrier that it has signalled
};

struct Core::Engine {
  /// One for each hardware thread; a pair that goes the same way is one stream, in the even slot.
  std::vector<std::unique_ptr<Stream>> slots;
  std::vector<Stream*> live;      ///< those of slots that are not empty
  std::vector<Ticks> slot_since;  ///< empty since, if it is
  unsigned used = 0;              ///< positions
  Ticks issue_free = 0, float_free = 0, int_free = 0, matrix_free = 0, send_free = 0;
  Stream* matrix_owner = nullptr;
  Stream* matrix_last = nullptr;  ///< who used the matrix engine last, if it still runs
  Stream* next = nullptr;
  Ticks next_time = kPending;
  Ticks active_until = 0, active = 0;
  Ticks loaded_since = 0, loaded = 0;

  bool is_free(unsigned position, unsigned width) const {
    return slots[size_t{position} * width] == nullptr && slots[size_t{position} * width + width - 1] == nullptr;
  }
};

struct Core::Pending {
  Stream* stream = nullptr;
  uint64_t stream_age = 0;
  int token = kNoToken;
  uint32_t use = 0;
  uint32_t outstanding = 0;
  Ticks ready = 0, sent = 0;
  uint8_t returned = 0;
  uint32_t instruction = 0;
};

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
        s->readers[k] = MessageReader(recording_.messages.data() + thread.messages);
        s->path = &recording_.paths[thread.path];
      }
      s->covered = last_dispatch_;
      s->age = ++ages_;
      ++g.streams;
      g.all.push_back(s.get());
      Stream& stream = *s;
      e.live.push_back(s.get());
      e.slots[stream.slot] = std::move(s);
      stream.instruction = stream.block_end = 0;
      fetch(stream);
      schedule(stream, last_dispatch_ + start_, Cause::Start);
    }
    choose(e);
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
    for (unsigned token = 0; token < kTokens; ++token) wait_token(token, op.sync == SyncKind::AllWritten);
  } else if (op.sync == SyncKind::Barrier) {
    // Named barriers are waited for by an operand; a thread has one of them open at a time in practice.
    for (unsigned b = op.null_barrier ? 0 : 1; b < (op.null_barrier ? 1 : kNamedBarriers); ++b) {
      if (s.waits_for[b] == 0) continue;
      const auto& barrier = s.group->barriers[b];
      wait(barrier.phase < s.waits_for[b] ? kPending : barrier.released, Cause::Barrier, s.instruction);
    }
  }
}

/// When the stream could issue, the engine's ports and arbiter considered, and what holds it longest.
Ticks Core::issue_time(const Engine& e, const Stream& s, Cause& cause) const {
  Ticks t = s.earliest;
  cause = s.cause;
  const auto wait = [&](Ticks until, Cause why) {
    if (until > t) {
      t = until;
      cause = why;
    }
  };
  wait(e.issue_free, Cause::Arbiter);
  switch (program_[s.instruction].port) {
    case Port::Float:
      wait(e.float_free, Cause::FloatBusy);
      break;
    case Port::Int:
    case Port::Math:
      wait(e.int_free, Cause::IntBusy);
      break;
    case Port::Matrix:
      wait(e.matrix_free, Cause::MatrixBusy);
      if (e.matrix_owner != nullptr && e.matrix_owner != &s) wait(kPending, Cause::MatrixBusy);
      break;
    case Port::Send:
      wait(e.send_free, Cause::SendBusy);
      wait(lsc_free_ - queue_, Cause::QueueFull);
      break;
    default:
      break;
  }
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

void Core::choose(Engine& e) {
  e.next = nullptr;
  e.next_time = kPending;
  for (Stream* s : e.live) {
    if (s->earliest >= e.next_time) continue;
    Cause cause{};
    const Ticks t = issue_time(e, *s, cause);
    if (t < e.next_time || (t == e.next_time && e.next != nullptr && goes_first(e, *s, *e.next))) {
      e.next = s;
      e.next_time = t;
    }
  }
}

Ticks Core::next_event() const {
  Ticks t = kPending;
  for (const Engine& e : engines_) t = std::min(t, e.next_time);
  return t;
}

Ticks Core::next_request() const {
  Ticks t = kPending;
  for (const Request& r : requests_) t = std::min(t, r.time);
  return t;
}

void Core::advance(Ticks until) {
  for (;;) {
    Engine* e = &engines_[0];
    for (Engine& other : engines_) {
      if (other.next_time < e->next_time) e = &other;
    }
    if (e->next_time >= until) return;
    // The load/store unit's queue may have grown since the engine chose.
    Cause cause{};
    const Ticks t = issue_time(*e, *e->next, cause);
    if (t > e->next_time) {
      choose(*e);
      continue;
    }
    step(*e, *e->next, t, cause);
    choose(*e);
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
      e.float_free = t + op.occupancy;
      stats_.float_busy += op.occupancy;
      busy = op.occupancy;
      break;
    case Port::Int:
    case Port::Math:
      e.int_free = t + op.occupancy;
      stats_.int_busy += op.occupancy;
      busy = op.occupancy;
      break;
    case Port::Matrix:
      e.matrix_free = t + op.occupancy;
      stats_.matrix_busy += op.occupancy;
      busy = op.occupancy;
      e.matrix_owner = op.holds_matrix ? &s : nullptr;
      e.matrix_last = &s;
      break;
    case Port::Send:
      e.send_free = t + op.occupancy;
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
    for (unsigned b = op.null_barrier ? 0 : 1; b < (op.null_barrier ? 1 : kNamedBarriers); ++b) s.waits_for[b] = 0;
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
  e.live.erase(std::find(e.live.begin(), e.live.end(), &s));
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

// --- messages -----------------------------------------------------------------------------------------------------

Ticks Core::lsc(Ticks arrival, Ticks cost) {
  const Ticks begin = std::max(arrival, lsc_free_);
  lsc_free_ = begin + cost;
  stats_.lsc_busy += cost;
  return lsc_free_;
}

void Core::send(Engine&, Stream& s, const TimedOp& op, Ticks t) {
  for (unsigned k = 0; k < s.members; ++k) s.readers[k].next(m_[k]);
  const RecordedMessage& m = m_[0];
  const int token = op.token_kind == isa::SwsbToken::Set ? op.token : kNoToken;
  const unsigned payload = m.dynamic ? m.payload_registers : op.payload;
  const Ticks read = t + source_read_ + payload * kTicksPerClock;
  const Ticks arrival = t + op.occupancy + payload * kTicksPerClock;
  if (token != kNoToken) {
    s.read[static_cast<unsigned>(token)] = read;
    s.data[static_cast<unsigned>(token)] = read;
  }
  switch (m.kind) {
    case Kind::Load:
    case Kind::Store:
    case Kind::Atomic:
    case Kind::Prefetch:
      ++stats_.traffic.messages;
      if (m.space == Space::Slm) return slm_message(s, op, arrival, token);
      if (m.space != Space::None) return global_message(s, op, arrival, token);
      break;
    case Kind::Fence:
      if (token != kNoToken)
        s.data[static_cast<unsigned>(token)] = lsc(arrival, message_) + (op.returned != 0 ? fence_ : slm_fence_);
      return;
    case Kind::BarrierSignal:
      return signal_barrier(s, arrival, m.barrier_payload);
    case Kind::EndOfThread:
      return;
    case Kind::Other:
      break;
  }
  if (token != kNoToken) s.data[static_cast<unsigned>(token)] = arrival + other_send_;
}

void Core::slm_message(Stream& s, const TimedOp& op, Ticks arrival, int token) {
  const bool transposed = m_[0].dynamic ? m_[0].transposed : op.transposed;
  Ticks cost = 0;
  for (unsigned k = 0; k < s.members; ++k) {
    const RecordedMessage& m = m_[k];
    const bool same = k == 1 && p_.pair_unique != 0 && m.slm_dword == m_[0].slm_dword &&
                      m.slm_dwords == m_[0].slm_dwords && m.slm_cycles == m_[0].slm_cycles && m.kind == Kind::Load;
    stats_.traffic.slm_bytes += uint64_t{m.slm_dwords} * 4;
    Ticks own = same ? 0 : std::max(slm_dword_ * m.slm_dwords / 16, slm_conflict_ * m.slm_cycles);
    if (!transposed) own = std::max(own, gather_8_ * m.channels / 8);
    // Bytes of a dword are not written apart: it is read, merged and written.
    if (m.kind == Kind::Store && op.narrow && m.channels != 0) own = std::max(own, narrow_store_);
    if (m.kind == Kind::Atomic) own = std::max(own, kTicksPerClock * m.channels);
    if (p_.pair_join == 0) own = std::max(own, message_);
    cost += own;
  }
  const Ticks done = lsc(arrival, std::max(cost, message_));
  if (token == kNoToken) return;
  const unsigned returned = m_[0].dynamic ? m_[0].return_registers : op.returned;
  if (m_[0].kind == Kind::Store) return;
  s.data[static_cast<unsigned>(token)] = done + slm_latency_ + return_register_ * returned;
}

uint32_t Core::request(Request::Kind kind, uint64_t line, Ticks at, uint8_t amount) {
  Request r;
  r.time = at;
  r.line = line;
  r.sequence = next_request_++;
  r.core = index_;
  r.kind = kind;
  r.amount = amount;
  requests_.push_back(r);
  return r.sequence;
}

void Core::global_message(Stream& s, const TimedOp& op, Ticks arrival, int token) {
  const RecordedMessage& first = m_[0];
  const Kind kind = first.kind;
  const bool transposed = first.dynamic ? first.transposed : op.transposed;
  lines_.clear();
  Ticks cost = 0;
  size_t stored = 0;
  for (unsigned k = 0; k < s.members; ++k) {
    const RecordedMessage& m = m_[k];
    const uint64_t scratch = m.space == Space::Scratch
                                 ? kScratchLines + ((uint64_t{index_} * 1024 + s.engine * 64 + s.slot) * 2 + k) *
                                                       (recording_.scratch_bytes / 64 + 1)
                                 : 0;
    size_t fresh = 0;
    for (uint32_t i = 0; i < m.lines; ++i) {
      const uint64_t line = m.line_at(i) + scratch;
      if (k == 1 && p_.pair_unique != 0 && std::find(lines_.begin(), lines_.end(), line) != lines_.end()) continue;
      lines_.push_back(line);
      ++fresh;
    }
    const Ticks per_line = kind == Kind::Prefetch ? prefetch_line_ : kind == Kind::Store ? store_line_ : l1_line_;
    Ticks own = per_line * static_cast<Ticks>(fresh);
    if (!transposed) own = std::max(own, gather_8_ * m.channels / 8);
    if (kind == Kind::Atomic) own = std::max(own, kTicksPerClock * m.channels);
    if (p_.pair_join == 0) own = std::max(own, message_);
    cost += own;
    if (kind == Kind::Store)
      stored += op.stored == 0 ? fresh * kLineBytes : size_t{op.stored} * (transposed ? 1 : m.channels);
  }
  const Ticks done = lsc(arrival, std::max(cost, message_));
  if (kind == Kind::Store && first.space == Space::Scratch) {
    // Nobody else sees it: it stays in the L1, and its way out when it is replaced is left out of account.
    for (const uint64_t line : lines_) {
      if (l1_.find(line) == nullptr) l1_.take(l1_.victim(line), line);
    }
    return;
  }
  if (kind == Kind::Store) {
    if (lines_.empty()) return;
    const auto each = static_cast<uint8_t>(std::clamp<size_t>(stored / lines_.size(), 1, kLineBytes));
    for (const uint64_t line : lines_) request(Request::Kind::Write, line, done, each);
    return;
  }
  const unsigned returned = first.dynamic ? first.return_registers : op.returned;
  uint32_t message = UINT32_MAX;
  const bool waits = token != kNoToken && (kind == Kind::Load || (kind == Kind::Atomic && returned != 0));
  if (waits) {
    if (free_messages_.empty()) {
      message = static_cast<uint32_t>(messages_.size());
      messages_.emplace_back();
    } else {
      message = free_messages_.back();
      free_messages_.pop_back();
    }
    const auto t = static_cast<unsigned>(token);
    messages_[message] = {
        &s,           s.age, token, s.token_use[t], 0, done + l1_latency_, arrival, static_cast<uint8_t>(returned),
        s.instruction};
  }
  const bool use_l1 = kind != Kind::Atomic && !op.bypasses_l1;
  for (const uint64_t line : lines_) {
    uint32_t waiting_for = UINT32_MAX;
    if (kind == Kind::Atomic) {
      waiting_for = request(Request::Kind::Atomic, line, done,
                            std::max<uint8_t>(1, static_cast<uint8_t>(first.channels / lines_.size())));
      waiting_[waiting_for] = {line, {}, false};
    } else {
      if (kind == Kind::Load) ++stats_.traffic.l1_reads;
      auto* entry = use_l1 ? l1_.find(line) : nullptr;
      if (entry != nullptr) {
        if (kind == Kind::Load) ++stats_.traffic.l1_hits;
        if (entry->extra.request == UINT32_MAX) {
          if (waits) messages_[message].ready = std::max(messages_[message].ready, entry->extra.ready);
          continue;
        }
        waiting_for = entry->extra.request;
      } else {
        waiting_for = request(kind == Kind::Prefetch ? Request::Kind::Prefetch : Request::Kind::Read, line, done, 1);
        waiting_[waiting_for] = {line, {}, use_l1};
        if (use_l1) {
          auto& victim = l1_.victim(line);
          l1_.take(victim, line);
          victim.extra.request = waiting_for;
        }
      }
    }
    if (waits) {
      waiting_[waiting_for].messages.push_back(message);
      ++messages_[message].outstanding;
    }
  }
  if (!waits) return;
  if (messages_[message].outstanding == 0) {
    finish_message(message);
  } else {
    s.data[static_cast<unsigned>(token)] = kPending;
  }
}

void Core::finish_message(uint32_t index) {
  Pending& m = messages_[index];
  const Ticks done = m.ready + return_register_ * m.returned;
  if (m.stream != nullptr && m.stream->age == m.stream_age &&
      m.stream->token_use[static_cast<unsigned>(m.token)] == m.use) {
    m.stream->data[static_cast<unsigned>(m.token)] = done;
    if (trace_) stats_.message_spans.push_back({m.sent, done, index_, m.stream->engine, m.stream->slot, m.instruction});
  }
  free_messages_.push_back(index);
}

void Core::take_requests(Ticks until, std::vector<Request>& out) {
  size_t kept = 0;
  for (const Request& r : requests_) {
    if (r.time < until) {
      out.push_back(r);
    } else {
      requests_[kept++] = r;
    }
  }
  requests_.resize(kept);
}

void Core::answer(const Request& r, Ticks ready) {
  if (r.kind == Request::Kind::Write) return;
  const auto found = waiting_.find(r.sequence);
  if (found->second.fills_l1) {
    if (auto* entry = l1_.find(r.line); entry != nullptr && entry->extra.request == r.sequence) {
      entry->extra.request = UINT32_MAX;
      entry->extra.ready = ready;
    }
  }
  for (const uint32_t index : found->second.messages) {
    Pending& m = messages_[index];
    m.ready = std::max(m.ready, ready);
    if (--m.outstanding != 0) continue;
    Stream* s = m.stream;
    finish_message(index);
    if (s == nullptr || s->earliest != kPending) continue;
    schedule(*s, s->base, s->base_cause);
    choose(engines_[s->engine]);
  }
  waiting_.erase(found);
}

// --- barriers -----------------------------------------------------------------------------------------------------

void Core::signal_barrier(Stream& s, Ticks t, uint32_t payload) {
  GroupState& g = *s.group;
  machine::BarrierPayload fields;
  fields.dword = payload;
  const unsigned id = std::min(fields.id(), kNamedBarriers - 1);
  GroupState::Barrier& b = g.barriers[id];
  if (id == 0) {
    b.producers = g.threads;
    b.consumers = 0;
  } else {
    b.producers = fields.producers();
    b.consumers = fields.consumers();
  }
  const bool produces = id == 0 || fields.role() != 2, consumes = id == 0 || fields.role() != 1;
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
    choose(engines_[other->engine]);
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
