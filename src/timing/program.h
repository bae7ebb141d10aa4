// SPDX-License-Identifier: Apache-2.0
//
// A program's instructions as the clock sees them: port, occupancy, latency, scoreboard fields.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/decode.h"
#include "timing/parameters.h"

namespace xeforge::timing {

enum class Port : uint8_t { Float, Int, Math, Matrix, Send, Control, None };
inline constexpr size_t kPorts = 7;
/// In-order pipes that SWSB distances count. None: out of order, or nothing to wait for.
enum class Pipe : uint8_t { Float, Int, Long, Math, None };
inline constexpr unsigned kPipes = 4;
enum class SyncKind : uint8_t { None, Plain, AllRead, AllWritten, Barrier };

struct TimedOp {
  Port port = Port::None;
  Pipe pipe = Pipe::None;
  SyncKind sync = SyncKind::None;
  isa::SwsbDist dist_pipe = isa::SwsbDist::None;
  uint8_t dist = 0;
  isa::SwsbToken token_kind = isa::SwsbToken::None;
  uint8_t token = 0;
  bool holds_matrix = false;  ///< dpas {Atomic}
  bool ends_thread = false;
  bool null_barrier = false;  ///< sync.bar without an operand, or with 0: the group's barrier
  uint32_t tokens = 0;        ///< sync.allrd, sync.allwr: those waited for, a bit each
  Ticks occupancy = 0;
  Ticks latency = 0;  ///< from issue to result
  Ticks next = 0;     ///< until the thread's next instruction, if the path goes straight on
  Ticks taken = 0;    ///< and if it jumps

  // Messages.
  bool transposed = false, bypasses_l1 = false;
  bool narrow = false;                ///< elements of less than four bytes, channel by channel
  uint8_t payload = 0, returned = 0;  ///< registers
  uint16_t stored = 0;                ///< bytes that a channel, or a transposed message, stores; 0: not known
};

class TimedProgram {
 public:
  TimedProgram(const isa::Program& program, const Parameters& parameters);
  const TimedOp& operator[](uint32_t instruction) const { return ops_[instruction]; }
  size_t size() const { return ops_.size(); }

 private:
  std::vector<TimedOp> ops_;
};

}  // namespace xeforge::timing
