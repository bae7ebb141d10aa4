// SPDX-License-Identifier: Apache-2.0
#include "machine/report.h"

#include <cstdio>

namespace xeforge::machine {
namespace {

constexpr size_t kGroupsNamed = 8;

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

/// "0-3, 7"
std::string ranges(const std::set<uint32_t>& numbers) {
  std::string text;
  for (auto at = numbers.begin(); at != numbers.end();) {
    const uint32_t first = *at;
    uint32_t last = first;
    for (++at; at != numbers.end() && *at == last + 1; ++at) ++last;
    if (!text.empty()) text += ", ";
    text += std::to_string(first);
    if (last != first) text += "-" + std::to_string(last);
  }
  return text;
}

}  // namespace

std::string describe_position(const Code& code, const Thread& t) {
  return "thread " + std::to_string(t.id) + " " + wording(t.status).one + " " + place(code, t);
}

void PositionTally::add(const Unit& unit) {
  for (uint32_t index = 0; index < unit.thread_count(); ++index) {
    const Thread* t = unit.thread(index).get();
    if (t == nullptr) continue;
    Entry& entry = entries_[std::string(wording(t->status).many) + " " + place(code_, *t)];
    ++entry.threads;
    GroupThreads& group = entry.groups[t->group->linear];
    group.group = text_of(t->group->id);
    group.threads.insert(t->id);
    if (entry.groups.size() > kGroupsNamed) entry.groups.erase(std::prev(entry.groups.end()));
  }
}

std::string PositionTally::text() const {
  std::string text;
  for (const auto& [what, entry] : entries_) {
    if (!text.empty()) text += "; ";
    text += std::to_string(entry.threads) + (entry.threads == 1 ? " thread (" : " threads (");
    uint64_t named = 0;
    for (const auto& [linear, group] : entry.groups) {
      if (named != 0) text += "; ";
      text += "group " + group.group + ": " + ranges(group.threads);
      named += group.threads.size();
    }
    if (entry.threads > named) text += "; ...";
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
