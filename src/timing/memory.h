// SPDX-License-Identifier: Apache-2.0
//
// What lies behind the Xe-cores: the shared L2 in banks and the memory in channels. Requests come in rounds, sorted by
// time; every answer is at least latency.lsc_l3 away, which is what lets the cores run ahead of each other.
#pragma once

#include <vector>

#include "timing/cache.h"
#include "timing/parameters.h"
#include "timing/result.h"

namespace xeforge::timing {

struct Request {
  enum class Kind : uint8_t { Read, Prefetch, Write, Atomic };
  Ticks time = 0;
  uint64_t line = 0;
  uint32_t sequence = 0;  ///< of the core's requests
  uint32_t place = 0;     ///< where the core keeps who waits for the answer
  uint16_t core = 0;
  Kind kind = Kind::Read;
  uint8_t amount = 1;  ///< Atomic: channels that update it; Write: bytes
};

class Memory {
 public:
  /// `share`: Xe-cores that each simulated one stands for; bandwidth is divided by it.
  Memory(const Parameters& parameters, unsigned cores, double share);

  /// An earlier launch touched this line: it is in the L2 until others replace it. Takes no time.
  void touched_before(uint64_t line, bool written);

  /// When the answer is at the core's L1. In the order of time.
  Ticks serve(const Request& request);

  /// When the last write so far has arrived: a launch has ended when its results are there.
  Ticks last_write() const { return last_write_; }
  /// For how long the path of writes was taken.
  Ticks write_busy() const { return write_busy_; }

  const Traffic& traffic() const { return traffic_; }
  Ticks bank_busy() const { return bank_busy_; }
  Ticks dram_busy() const { return dram_busy_; }
  /// Lines that the channels still have to move at `end`: a launch does not wait for what leaves the L2 behind it.
  double dram_lines_after(Ticks end) const;

 private:
  struct Line {
    bool dirty = false;
    Ticks ready = 0;  ///< when its data are there
  };
  Ticks from_dram(uint64_t line, Ticks at, bool write);

  unsigned bank_count_, channel_count_;
  uint64_t channel_lines_;
  Ticks bank_line_, channel_line_, channel_write_, core_line_, write_line_, l2_latency_, dram_latency_, atomic_latency_;
  Tags<Line> l2_;
  std::vector<Ticks> banks_, channels_, cores_;
  Ticks writes_ = 0, last_write_ = 0, write_busy_ = 0;
  Ticks bank_busy_ = 0, dram_busy_ = 0;
  Traffic traffic_;
};

}  // namespace xeforge::timing
