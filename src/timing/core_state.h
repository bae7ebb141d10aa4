// SPDX-License-Identifier: Apache-2.0
//
// What a Core keeps of its groups, threads, engines and messages on their way.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "timing/core.h"

namespace xeforge::timing {

constexpr unsigned kTokens = 32, kHistory = 8;
constexpr int kNoToken = -1;
constexpr unsigned kNamedBarriers = 32;

struct Core::GroupState {
  struct Barrier {
    uint32_t producers = 0, consumers = 0;  ///< expected
    uint32_t produced = 0, consumed = 0;    ///< signals
    Ticks last = 0;                         ///< the latest signal
    uint64_t phase = 0;                     ///< completed so far
    Ticks released = 0;                     ///< when the last phase was complete
  };
  uint64_t linear = 0;
  uint32_t threads = 0, streams = 0;
  Ticks begin = 0, end = 0;
  std::array<Barrier, kNamedBarriers> barriers{};  ///< 0: the group's own
  std::vector<Stream*> all;
};

struct Core::Stream {
  GroupState* group = nullptr;
  unsigned members = 1;
  uint16_t engine = 0, slot = 0;
  size_t live = 0;  ///< its place in Engine::live
  const std::vector<uint16_t>* path = nullptr;
  size_t at = 0;             ///< in the path
  uint32_t instruction = 0;  ///< next to issue
  uint32_t block_end = 0;
  bool done = false;
  observe::MessageReader readers[2];

  Ticks earliest = 0;  ///< of the next instruction, as far as the thread itself decides
  Cause cause = Cause::Start;
  uint32_t culprit = UINT32_MAX;  ///< instruction whose result is waited for
  Ticks covered = 0;              ///< attributed up to here
  Ticks base = 0;
  Cause base_cause = Cause::Start;
  uint64_t age = 0;

  std::array<std::array<Ticks, kHistory>, kPipes> history{};
  std::array<std::array<uint32_t, kHistory>, kPipes> history_instruction{};
  std::array<uint32_t, kPipes> issued{};  ///< per pipe
  std::array<Ticks, kTokens> data{}, read{};
  std::array<uint32_t, kTokens> token_instruction{};
  std::array<uint32_t, kTokens> token_use{};         ///< counts, so that late answers of an earlier use are told apart
  std::array<uint64_t, kNamedBarriers> waits_for{};  ///< phase of each barrier that it has signalled
};

struct Core::Engine {
  /// One for each hardware thread; a pair that goes the same way is one stream, in the even slot.
  std::vector<std::unique_ptr<Stream>> slots;
  /// What decides who is next, of each stream in slots, in the order of their start: apart, so that choosing reads
  /// little.
  struct Live {
    Ticks earliest = 0;
    Stream* stream = nullptr;
    Port port = Port::None;
  };
  std::vector<Live> live;
  std::vector<Ticks> slot_since;  ///< empty since, if it is
  unsigned used = 0;              ///< positions
  Ticks issue_free = 0;
  std::array<Ticks, kPorts> port_free{};  ///< extended math is issued by the integer pipe: in both
  Stream* matrix_owner = nullptr;
  Stream* matrix_last = nullptr;  ///< who used the matrix engine last, if it still runs
  Stream* next = nullptr;
  Ticks active_until = 0, active = 0;
  Ticks loaded_since = 0, loaded = 0;

  bool is_free(unsigned position, unsigned width) const {
    return slots[size_t{position} * width] == nullptr && slots[size_t{position} * width + width - 1] == nullptr;
  }
};

struct Core::Pending {
  Stream* stream = nullptr;
  uint64_t stream_age = 0;
  int token = kNoToken;
  uint32_t use = 0;
  uint32_t outstanding = 0;
  Ticks ready = 0, sent = 0;
  uint8_t returned = 0;
  uint32_t instruction = 0;
};

}  // namespace xeforge::timing
