// SPDX-License-Identifier: Apache-2.0
//
// Who touched which byte last: the memory of the race checker. One cell for a dword where all accesses of a page are
// whole dwords, one for a byte otherwise.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace xeforge::observe::check {

/// One access in 64 bits; 0 is none.
struct Stamp {
  static constexpr unsigned kThreadBits = 26, kClockBits = 18, kSendBits = 12, kLaneBits = 6;
  static constexpr uint32_t kMaxClock = (1u << kClockBits) - 1, kMaxSend = (1u << kSendBits) - 1;
  static constexpr uint32_t kMaxThread = (1u << kThreadBits) - 1;
  static constexpr uint32_t kWholeMessage = (1u << kLaneBits) - 1;

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

struct ShadowPage {
  static constexpr unsigned kBytesLog2 = 12;
  static constexpr uint32_t kBytes = 1u << kBytesLog2;
  static constexpr uint32_t kDwords = kBytes / 4;

  std::vector<Cell> cells = std::vector<Cell>(kDwords);
  bool by_byte() const { return cells.size() == kBytes; }

  /// From cells for dwords to cells for bytes.
  void split() {
    std::vector<Cell> finer(kBytes);
    for (uint32_t i = 0; i < kBytes; ++i) finer[i] = cells[i / 4];
    cells.swap(finer);
  }
  void clear() { cells.assign(kDwords, {}); }
};

/// Pages that are given out again.
class PagePool {
 public:
  std::unique_ptr<ShadowPage> take() {
    if (idle_.empty()) return std::make_unique<ShadowPage>();
    std::unique_ptr<ShadowPage> page = std::move(idle_.back());
    idle_.pop_back();
    page->clear();
    return page;
  }
  void give(std::unique_ptr<ShadowPage> page) { idle_.push_back(std::move(page)); }

 private:
  std::vector<std::unique_ptr<ShadowPage>> idle_;
};

}  // namespace xeforge::observe::check
