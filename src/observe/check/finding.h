// SPDX-License-Identifier: Apache-2.0
//
// One thing found, as plain data: what reports, suppressions, JSON and the library interface are made from.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "machine/thread.h"
#include "observe/check/kinds.h"

namespace xeforge::observe::check {

/// Where and by whom.
struct Place {
  uint32_t pc = 0;
  std::array<uint32_t, 3> group{};
  uint64_t linear = 0;  ///< number of the group in dispatch order
  uint32_t thread = 0;  ///< hardware thread within the group
  uint32_t lanes = 0;   ///< bit per channel; 0: not lane specific
  bool has_pc = false;  ///< false: concerns the launch or the program
  bool has_thread = false;
  std::string text;    ///< ISA text at pc
  std::string source;  ///< "file:line", empty without debug information
  std::string what;    ///< what this side did
};

struct Finding {
  Kind kind = Kind::OutOfBounds;
  std::string kernel;
  std::string message;
  Place first;
  std::optional<Place> other;
  std::vector<std::string> context;  ///< ISA around `first`, that line marked with '>'
  uint64_t count = 1;                ///< how often
};

/// Findings of one worker or one launch: one entry per (kind, pc, other pc), the first one (by group, then thread)
/// kept in full.
class Findings {
 public:
  static constexpr uint32_t kNoPc = UINT32_MAX;

  /// `make()` gives the Finding; called only if it may be the one that is kept.
  template <class Make>
  void add(Kind kind, uint32_t pc, uint32_t other_pc, uint64_t group, const Make& make) {
    auto [at, fresh] = entries_.try_emplace({kind, pc, other_pc});
    if (fresh || group < at->second.first.linear) {
      const uint64_t count = fresh ? 0 : at->second.count;
      at->second = make();
      at->second.kind = kind;
      at->second.count = count;
    }
    ++at->second.count;
  }
  void merge(Findings&& other);
  std::vector<Finding> take();
  bool empty() const { return entries_.empty(); }

 private:
  using Key = std::tuple<Kind, uint32_t, uint32_t>;
  std::map<Key, Finding> entries_;
};

/// The place where `t` is, at `pc`.
Place place_of(const machine::Thread& t, uint32_t pc, uint32_t lanes = 0);

/// "lane 5", "lanes 0-15", "lanes 0,2,4"; empty for 0.
std::string lanes_text(uint32_t lanes);

}  // namespace xeforge::observe::check
