// SPDX-License-Identifier: Apache-2.0
//
// Who touched which byte last: the memory of the race checker. One cell for a line, for a dword or for a byte, as fine
// as the accesses to it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "observe/check/message.h"

namespace xeforge::observe::check {

/// One access in 64 bits; 0 is none.
struct Stamp {
  static constexpr unsigned kThreadBits = 26, kClockBits = 18, kSendBits = 12, kLaneBits = 6;
  static constexpr uint32_t kMaxClock = (1u << kClockBits) - 1, kMaxSend = (1u << kSendBits) - 1;
  static constexpr uint32_t kMaxThread = (1u << kThreadBits) - 1;
  static constexpr uint32_t kWholeMessage = Run::kWholeMessage;
  static_assert(kWholeMessage == (1u << kLaneBits) - 1);

  uint64_t bits = 0;

  static Stamp make(uint32_t thread, uint32_t clock, uint32_t send, bool atomic) {
    return {1u | static_cast<uint64_t>(atomic) << 1 | uint64_t{send} << 8 | uint64_t{clock} << 20 |
            uint64_t{thread} << 38};
  }
  Stamp with_lane(uint32_t lane) const { return {bits | uint64_t{lane} << 2}; }
  /// The same thread, and nobody was told anything in between.
  bool same_time(Stamp other) const { return bits >> 20 == other.bits >> 20; }
  explicit operator bool() const { return bits != 0; }
  bool atomic() const { return (bits >> 1 & 1u) != 0; }
  uint32_t lane() const { return bits >> 2 & kWholeMessage; }
  uint32_t send() const { return bits >> 8 & kMaxSend; }
  uint32_t clock() const { return bits >> 20 & kMaxClock; }
  uint32_t thread() const { return static_cast<uint32_t>(bits >> 38); }
};

struct Cell {
  Stamp write;
  Stamp read, earlier_read;  ///< the last reader, and the last one that is another thread
};

/// 32 bytes of memory. As long as every access covers all of them, there is one cell for all; else one for each dword,
/// and where that is not fine enough, one for each byte.
struct Line {
  static constexpr unsigned kBytesLog2 = 5;
  static constexpr uint32_t kBytes = 1u << kBytesLog2;

  Cell whole;
  Cell* fine = nullptr;
  uint32_t unit = kBytes;  ///< bytes that a cell stands for
};

/// Gives out cells for lines that are split.
class CellArena {
 public:
  Cell* take(uint32_t count) {
    std::vector<Cell*>& idle = idle_[count == Line::kBytes];
    if (idle.empty()) {
      constexpr uint32_t kAtOnce = 4096;
      Cell* cells = blocks_.emplace_back(std::make_unique<Cell[]>(kAtOnce)).get();
      for (uint32_t i = 0; i < kAtOnce; i += count) idle.push_back(cells + i);
    }
    Cell* cells = idle.back();
    idle.pop_back();
    return cells;
  }
  /// The line is whole again.
  void release(Line& line) {
    if (line.fine != nullptr) idle_[line.unit == 1].push_back(line.fine);
    line.fine = nullptr;
    line.unit = Line::kBytes;
  }

 private:
  std::vector<std::unique_ptr<Cell[]>> blocks_;
  std::array<std::vector<Cell*>, 2> idle_;  ///< for dwords, for bytes
};

struct ShadowPage {
  static constexpr unsigned kBytesLog2 = 12;
  static constexpr uint32_t kBytes = 1u << kBytesLog2;

  std::array<Line, kBytes / Line::kBytes> lines;
};

/// Pages that are given out again.
class PagePool {
 public:
  explicit PagePool(CellArena& arena) : arena_(arena) {}
  std::unique_ptr<ShadowPage> take() {
    if (idle_.empty()) return std::make_unique<ShadowPage>();
    std::unique_ptr<ShadowPage> page = std::move(idle_.back());
    idle_.pop_back();
    return page;
  }
  void give(std::unique_ptr<ShadowPage> page) {
    for (Line& line : page->lines) {
      arena_.release(line);
      line.whole = {};
    }
    idle_.push_back(std::move(page));
  }

 private:
  CellArena& arena_;
  std::vector<std::unique_ptr<ShadowPage>> idle_;
};

}  // namespace xeforge::observe::check
