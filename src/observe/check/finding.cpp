// SPDX-License-Identifier: Apache-2.0
#include "observe/check/finding.h"

#include <bit>

namespace xeforge::observe::check {

void Findings::merge(Findings&& other) {
  for (auto& [key, finding] : other.entries_) {
    auto [at, fresh] = entries_.try_emplace(key);
    const uint64_t count = (fresh ? 0 : at->second.count) + finding.count;
    const bool earlier = std::tie(finding.first.linear, finding.first.thread) <
                         std::tie(at->second.first.linear, at->second.first.thread);
    if (fresh || earlier) at->second = std::move(finding);
    at->second.count = count;
  }
  other.entries_.clear();
}

std::vector<Finding> Findings::take() {
  std::vector<Finding> all;
  all.reserve(entries_.size());
  for (auto& [key, finding] : entries_) all.push_back(std::move(finding));
  entries_.clear();
  return all;
}

Place place_of(const machine::Thread& t, uint32_t pc, uint32_t lanes) {
  Place place;
  place.pc = pc;
  place.has_pc = true;
  place.has_thread = true;
  place.thread = t.id;
  place.lanes = lanes;
  if (t.group != nullptr) {
    place.group = t.group->id;
    place.linear = t.group->linear;
  }
  return place;
}

std::string lanes_text(uint32_t lanes) {
  if (lanes == 0) return {};
  std::string text = std::popcount(lanes) == 1 ? "lane " : "lanes ";
  bool first = true;
  for (int lane = 0; lane < 32; ++lane) {
    if ((lanes >> lane & 1u) == 0) continue;
    int last = lane;
    while (last < 31 && (lanes >> (last + 1) & 1u) != 0) ++last;
    if (!first) text += ',';
    first = false;
    text += std::to_string(lane);
    if (last > lane) text += (last == lane + 1 ? "," : "-") + std::to_string(last);
    lane = last;
  }
  return text;
}

}  // namespace xeforge::observe::check
