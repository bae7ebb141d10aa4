// SPDX-License-Identifier: Apache-2.0
//
// What the checkers can find: one row per kind with its name in reports and suppressions, a title, and what to do.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace xeforge::observe::check {

enum class Topic : uint8_t { Memory, Races, Init, Sync, Hazards };
inline constexpr unsigned kTopics = 5;
std::string_view name_of(Topic c);

/// The checkers that are asked for.
struct Selection {
  uint8_t bits = 0;

  bool has(Topic c) const { return (bits >> static_cast<unsigned>(c) & 1u) != 0; }
  bool any() const { return bits != 0; }
  void add(Topic c) { bits = static_cast<uint8_t>(bits | 1u << static_cast<unsigned>(c)); }
  bool operator==(const Selection&) const = default;
};

/// "memory,races"; "all" means every checker. Throws std::invalid_argument that names the word it does not know.
Selection parse_selection(std::string_view text);
std::string text_of(Selection s);

enum class Kind : uint8_t {
  // memory
  OutOfBounds,
  NullPointer,
  UseAfterFree,
  WrongMemoryKind,
  Misaligned,
  SlmOutOfBounds,
  ScratchOutOfBounds,
  InvalidPrefetch,
  Surface2d,
  ReadOnlyWrite,
  OverlappingArguments,
  BadMessage,
  Leak,
  // races
  SlmRace,
  GroupRace,
  MissingGlobalFence,
  DeviceRace,
  SameValueWrite,
  // init
  UndefinedStore,
  UndefinedAddress,
  UndefinedBranch,
  UndefinedMessage,
  // sync
  DivergentBarrier,
  BarrierCount,
  MissingFence,
  Deadlock,
  PairDivergence,
  // hazards
  ReadTooEarly,
  OverwrittenTooEarly,
  WriteOrder,
  Count_  // NOLINT(readability-identifier-naming): not a kind
};

struct KindRow {
  Kind kind;
  Topic checker;
  std::string_view id;      ///< "memory.out-of-bounds": never changes, suppressions name it
  std::string_view title;   ///< one line for people
  std::string_view advice;  ///< what to do
};
const KindRow& row_of(Kind kind);
std::span<const KindRow> all_kinds();

}  // namespace xeforge::observe::check
