// SPDX-License-Identifier: Apache-2.0
//
// Messages of one Xe-core: what they cost its load/store unit, which lines they ask for, and when they are answered.
#include <algorithm>

#include "timing/core.h"
#include "timing/core_state.h"

namespace xeforge::timing {
namespace {

using observe::RecordedMessage;
using Kind = RecordedMessage::Kind;
using Space = RecordedMessage::Space;

constexpr size_t kLineBytes = size_t{1} << observe::kLineShift;
/// Lines of scratch memory lie above all others, a range for each thread slot.
constexpr uint64_t kScratchLines = uint64_t{1} << 44;

}  // namespace

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

Request& Core::request(Request::Kind kind, uint64_t line, Ticks at, uint8_t amount) {
  Request& r = requests_.emplace_back();
  r.time = at;
  r.line = line;
  r.sequence = next_request_++;
  r.core = index_;
  r.kind = kind;
  r.amount = amount;
  return r;
}

uint32_t Core::request_answer(Request::Kind kind, uint64_t line, Ticks at, uint8_t amount, bool fills_l1) {
  if (free_waiting_.empty()) {
    free_waiting_.push_back(static_cast<uint32_t>(waiting_.size()));
    waiting_.emplace_back();
  }
  const uint32_t place = free_waiting_.back();
  free_waiting_.pop_back();
  waiting_[place].fills_l1 = fills_l1;
  request(kind, line, at, amount).place = place;
  return place;
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
    const uint64_t scratch =
        m.space == Space::Scratch
            ? kScratchLines + ((uint64_t{index_} * 1024 + uint64_t{s.engine} * 64 + s.slot) * 2 + k) *
                                  (recording_.scratch_bytes / 64 + 1)
            : 0;
    size_t fresh = 0;
    for (uint32_t i = 0; i < m.lines; ++i) {
      const uint64_t line = m.line_at(i) + scratch;
      if (k == 1 && p_.pair_unique != 0 && std::find(lines_.begin(), lines_.end(), line) != lines_.end()) continue;
      lines_.push_back(line);
      ++fresh;
    }
    // Atomics are done in the L2: here they pass as stores do.
    const bool out = kind == Kind::Store || kind == Kind::Atomic;
    const Ticks per_line = kind == Kind::Prefetch ? prefetch_line_ : out ? store_line_ : l1_line_;
    Ticks own = per_line * static_cast<Ticks>(fresh);
    if (!transposed) own = std::max(own, gather_8_ * m.channels / 8);
    if (p_.pair_join == 0) own = std::max(own, message_);
    cost += own;
    if (kind == Kind::Store)
      stored += op.stored == 0 ? fresh * kLineBytes : size_t{op.stored} * (transposed ? 1 : m.channels);
  }
  const Ticks done = lsc(arrival, std::max(cost, message_));
  if (kind == Kind::Store && first.space == Space::Scratch) {
    // Nobody else sees it: it stays in the L1, and its way out when it is replaced is left out of account.
    for (const uint64_t line : lines_) {
      if (l1_.find(line) == nullptr) l1_.take(line);
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
      const auto channels = static_cast<uint8_t>(first.channels / lines_.size());
      waiting_for = request_answer(Request::Kind::Atomic, line, done, std::max<uint8_t>(1, channels), false);
    } else {
      if (kind == Kind::Load) ++stats_.traffic.l1_reads;
      L1Line* entry = use_l1 ? l1_.find(line) : nullptr;
      if (entry != nullptr) {
        if (kind == Kind::Load) ++stats_.traffic.l1_hits;
        if (entry->place == kNoPlace) {
          if (waits) messages_[message].ready = std::max(messages_[message].ready, entry->ready);
          continue;
        }
        waiting_for = entry->place;
      } else {
        const auto what = kind == Kind::Prefetch ? Request::Kind::Prefetch : Request::Kind::Read;
        waiting_for = request_answer(what, line, done, 1, use_l1);
        if (use_l1) l1_.take(line).place = waiting_for;
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
  Waiting& waiting = waiting_[r.place];
  if (waiting.fills_l1) {
    if (L1Line* entry = l1_.find(r.line); entry != nullptr && entry->place == r.place) {
      entry->place = kNoPlace;
      entry->ready = ready;
    }
  }
  for (const uint32_t index : waiting.messages) {
    Pending& m = messages_[index];
    m.ready = std::max(m.ready, ready);
    if (--m.outstanding != 0) continue;
    Stream* s = m.stream;
    finish_message(index);
    if (s == nullptr || s->earliest != kPending) continue;
    schedule(*s, s->base, s->base_cause);
    choose(s->engine);
  }
  waiting.messages.clear();
  free_waiting_.push_back(r.place);
}

}  // namespace xeforge::timing
