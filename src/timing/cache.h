// SPDX-License-Identifier: Apache-2.0
//
// Tags of a set-associative cache with least-recently-used replacement.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace xeforge::timing {

template <class Extra>
class Tags {
 public:
  struct Entry {
    uint64_t line = kNone;
    uint64_t used = 0;
    Extra extra{};
    bool valid() const { return line != kNone; }
  };

  /// Any number of sets: lines are spread by a hash, so that capacity need not be a power of two. `fold`: by how many
  /// bits the line's number is shifted onto itself; 0: no pattern of addresses meets in few sets.
  Tags(uint64_t bytes, unsigned ways, unsigned line_bytes, unsigned fold = 11)
      : ways_(ways),
        fold_(fold),
        sets_(static_cast<uint32_t>(bytes / line_bytes / ways)),
        entries_(uint64_t{sets_} * ways) {}

  Entry* find(uint64_t line) {
    Entry* set = set_of(line);
    for (unsigned w = 0; w < ways_; ++w) {
      if (set[w].line == line) {
        set[w].used = ++clock_;
        return set + w;
      }
    }
    return nullptr;
  }
  /// The entry that `line` replaces; still holds what was there. To be filled by take().
  Entry& victim(uint64_t line) {
    Entry* set = set_of(line);
    Entry* oldest = set;
    for (unsigned w = 0; w < ways_; ++w) {
      if (!set[w].valid()) return set[w];
      if (set[w].used < oldest->used) oldest = set + w;
    }
    return *oldest;
  }
  void take(Entry& entry, uint64_t line) {
    entry.line = line;
    entry.used = ++clock_;
    entry.extra = Extra{};
  }

 private:
  static constexpr uint64_t kNone = UINT64_MAX;
  static constexpr uint64_t kMix = 0x9E3779B97F4A7C15;  ///< 2^64 over the golden ratio
  Entry* set_of(uint64_t line) {
    // Folding the upper bits in keeps strides that are a power of two from falling into one set.
    const uint64_t folded = fold_ == 0 ? (line * kMix) >> 32 : line ^ (line >> fold_) ^ (line >> 2 * fold_);
    return entries_.data() + folded % sets_ * ways_;
  }

  unsigned ways_, fold_;
  uint32_t sets_;
  std::vector<Entry> entries_;
  uint64_t clock_ = 0;
};

}  // namespace xeforge::timing
