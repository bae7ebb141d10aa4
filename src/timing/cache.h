// SPDX-License-Identifier: Apache-2.0
//
// Tags of a set-associative cache with least-recently-used replacement.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace xeforge::timing {

template <class Extra>
class Tags {
 public:
  /// Any number of sets: lines are spread by a hash, so that capacity need not be a power of two. `fold`: by how many
  /// bits the line's number is shifted onto itself; 0: no pattern of addresses meets in few sets.
  Tags(uint64_t bytes, unsigned ways, unsigned line_bytes, unsigned fold = 11)
      : ways_(ways),
        fold_(fold),
        sets_(static_cast<uint32_t>(bytes / line_bytes / ways)),
        lines_(uint64_t{sets_} * ways, kNone),
        used_(lines_.size()),
        extra_(lines_.size()) {}

  /// What is kept with `line`, which is now the latest used one; nullptr: not there.
  Extra* find(uint64_t line) {
    const size_t set = set_of(line);
    for (unsigned w = 0; w < ways_; ++w) {
      if (lines_[set + w] == line) {
        used_[set + w] = ++clock_;
        return &extra_[set + w];
      }
    }
    return nullptr;
  }

  struct Replaced {
    uint64_t line = kNone;
    Extra extra{};
    bool valid() const { return line != kNone; }
  };
  /// Gives `line` the place of the one of its set that was not used for longest.
  Extra& take(uint64_t line, Replaced* replaced = nullptr) {
    const size_t set = set_of(line);
    size_t oldest = set;
    for (size_t at = set; at < set + ways_; ++at) {
      if (lines_[at] == kNone) {
        oldest = at;
        break;
      }
      if (used_[at] < used_[oldest]) oldest = at;
    }
    if (replaced != nullptr) *replaced = {lines_[oldest], extra_[oldest]};
    lines_[oldest] = line;
    used_[oldest] = ++clock_;
    return extra_[oldest] = Extra{};
  }

 private:
  static constexpr uint64_t kNone = UINT64_MAX;
  /// Spreads numbers as a random function would: a product alone maps steps to steps, of which some meet again.
  static uint64_t mix(uint64_t line) {
    line *= 0x9E3779B97F4A7C15;  // 2^64 over the golden ratio
    line ^= line >> 32;
    line *= 0xD6E8FEB86659FD93;
    return line >> 32;
  }
  /// Where its set begins.
  size_t set_of(uint64_t line) const {
    // Folding the upper bits in keeps strides that are a power of two from falling into one set.
    const uint64_t folded = fold_ == 0 ? mix(line) : line ^ (line >> fold_) ^ (line >> 2 * fold_);
    return folded % sets_ * ways_;
  }

  unsigned ways_, fold_;
  uint32_t sets_;
  // Apart, so that a search reads little.
  std::vector<uint64_t> lines_, used_;
  std::vector<Extra> extra_;
  uint64_t clock_ = 0;
};

}  // namespace xeforge::timing
