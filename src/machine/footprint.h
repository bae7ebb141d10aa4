// SPDX-License-Identifier: Apache-2.0
//
// What a message is about to do: which memory it touches, channel by channel. For observers (observer.h), to be
// asked from Observer::before, while the registers still hold the payload. The rules of forming addresses are
// those of the handlers in messages/: every family has its describing function beside them.
#pragma once

#include <array>
#include <cstdint>

#include "machine/code.h"
#include "machine/thread.h"

namespace xeforge::machine {

struct Footprint {
  enum class Kind : uint8_t { Load, Store, Atomic, Prefetch, Fence, BarrierSignal, EndOfThread, Other };
  /// What the addresses mean. Global: device addresses (surfaces are translated); Slm: offsets in the group's
  /// shared local memory; Scratch: offsets in the thread's scratch; Indirect: the launch's arguments, as r0 shows
  /// them. None: the message touches no memory.
  enum class Space : uint8_t { None, Global, Slm, Scratch, Indirect };

  /// Consecutive bytes. `part`: the channel they belong to, or the row (of all blocks, counted through) of a
  /// two-dimensional one; -1: they belong to the message as a whole.
  struct Piece {
    uint64_t address = 0;
    uint32_t bytes = 0;
    int32_t part = -1;
  };
  /// 32 channels of four components that do not follow one another; 64 rows of two-dimensional blocks need less.
  static constexpr uint32_t kMaxPieces = 256;

  Kind kind = Kind::Other;
  Space space = Space::None;
  bool ends_thread = false;
  uint32_t channels = 0;                  ///< that take part; bit 0 alone for whole-message transfers
  uint32_t barrier_payload = 0;           ///< BarrierSignal: machine/barrier.h, BarrierPayload
  const isa::Message* message = nullptr;  ///< decoded, also where the descriptor is in a0; valid until the next call
  uint32_t count = 0;                     ///< of pieces
  std::array<Piece, kMaxPieces> pieces;

  const Piece* begin() const { return pieces.data(); }
  const Piece* end() const { return pieces.data() + count; }
  void add(uint64_t address, uint32_t bytes, int32_t part) {
    if (count < kMaxPieces) pieces[count++] = {address, bytes, part};
  }
};

/// Describes the send instruction `u` that `t` is about to execute. What the hardware drops (channels outside a
/// surface, elements outside a matrix) is left out, and so is what the handler will report as a fault, except for
/// global addresses, which are not checked here: a message that has no meaning (a surface that the launch has not, an
/// unknown descriptor in a0) has no pieces.
void footprint(Thread& t, const Uop& u, Footprint& out);

/// The message of a send as executed: decoded now if its descriptor is in a0 (FaultException if it is unknown).
/// The reference is valid until the next call on the same host thread.
const isa::Message& executed_message(const Thread& t, const Uop& u);

}  // namespace xeforge::machine
