// SPDX-License-Identifier: Apache-2.0
#include "machine/report.h"

#include <cstdio>

namespace xeforge::machine {
namespace {

constexpr size_t kExamples = 8;

struct Wording {
  ThreadStatus status;
  const char* one;
  const char* many;
};
constexpr Wording kWordings[] = {
    {ThreadStatus::Ready, "runs near", "run near"},
    {ThreadStatus::Yielded, "runs near", "run near"},
    {ThreadStatus::AtBarrier, "waits for the barrier at", "wait for the barrier at"},
    {ThreadStatus::AtNamedBarrier, "waits for a named barrier at", "wait for a named barrier at"},
    {ThreadStatus::AtPair, "waits for its fused partner at", "wait for their fused partners at"},
    {ThreadStatus::Finished, "ended at", "ended at"},
};

uint32_t position(const Code& code, const Thread& t) {
  const bool waits = t.status == ThreadStatus::AtBarrier || t.status == ThreadStatus::AtNamedBarrier;
  return waits || t.next >= code.uops.size() ? t.waiting_pc : code.uops[t.next].pc;
}

std::string place(const Code& code, const Thread& t) {
  const uint32_t pc = position(code, t);
  char number[16];
  std::snprintf(number, sizeof number, "0x%x", pc);
  return std::string(number) + " (" + code.program->text(pc) + ")";
}

const Wording& wording(ThreadStatus status) {
  for (const Wording& candidate : kWordings) {
    if (candidate.status == status) return candidate;
  }
  return kWordings[0];
}

std::string text_of(const std::array<uint32_t, 3>& id) {
  return std::to_string(id[0]) + "," + std::to_string(id[1]) + "," + std::to_string(id[2]);
}

}  // namespace

std::string describe_position(const Code& code, const Thread& t) {
  return "thread " + std::to_string(t.id) + " " + wording(t.status).one + " " + place(code, t);
}

void PositionTally::add(const std::string& what, uint64_t rank, std::string who) {
  Entry& entry = entries_[what];
  ++entry.threads;
  entry.examples.emplace(rank, std::move(who));
  if (entry.examples.size() > kExamples) entry.examples.erase(std::prev(entry.examples.end()));
}

void PositionTally::add(const Unit& unit) {
  for (uint32_t index = 0; index < unit.thread_count(); ++index) {
    const Thread* t = unit.thread(index).get();
    if (t == nullptr) continue;
    add(std::string(wording(t->status).many) + " " + place(code_, *t), (t->group->linear << 16) + t->id,
        "group " + text_of(t->group->id) + " thread " + std::to_string(t->id));
  }
}

void PositionTally::merge(const PositionTally& other) {
  for (const auto& [what, entry] : other.entries_) {
    Entry& mine = entries_[what];
    mine.threads += entry.threads;
    mine.examples.insert(entry.examples.begin(), entry.examples.end());
    while (mine.examples.size() > kExamples) mine.examples.erase(std::prev(mine.examples.end()));
  }
}

std::string PositionTally::text() const {
  std::string text;
  for (const auto& [what, entry] : entries_) {
    if (!text.empty()) text += "; ";
    text += std::to_string(entry.threads) + (entry.threads == 1 ? " thread (" : " threads (");
    bool first = true;
    for (const auto& [rank, who] : entry.examples) {
      if (!first) text += ", ";
      text += who;
      first = false;
    }
    if (entry.threads > entry.examples.size()) text += ", ...";
    text += ") " + what;
  }
  return text;
}

std::string describe_threads(const Code& code, const Unit& unit) {
  PositionTally tally(code);
  tally.add(unit);
  std::string text = tally.text();
  if (unit.finished() != 0) text += "; " + std::to_string(unit.finished()) + " have ended";
  return text;
}

}  // namespace xeforge::machine
