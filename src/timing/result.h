// SPDX-License-Identifier: Apache-2.0
//
// What a simulated launch took, and where the time of every thread slot went.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "timing/parameters.h"

namespace xeforge::timing {

/// The one reason for what a thread slot does in a clock. Issued*: the clock in which an instruction is issued.
enum class Cause : uint8_t {
  IssuedFloat,
  IssuedInt,
  IssuedMath,
  IssuedMatrix,
  IssuedSend,
  IssuedControl,
  Front,         ///< the thread's own issue rate, branches
  Pipe,          ///< waits for the result of an in-order pipe
  MathResult,    ///< waits for extended math
  MatrixResult,  ///< waits for dpas
  MessageData,   ///< waits for the data of a message
  MessageRead,   ///< waits until a message has read its payload
  Barrier,
  FloatBusy,   ///< ready, but the port is taken
  IntBusy,     ///< extended math included
  MatrixBusy,  ///< the matrix engine is taken, or locked by another thread's {Atomic} run
  SendBusy,
  QueueFull,  ///< the load/store unit's queue is full
  Arbiter,    ///< another thread issued in this clock
  Start,      ///< dispatched, its registers are being filled
  Empty,      ///< no thread in the slot
  Count_      // NOLINT(readability-identifier-naming): not a cause
};
inline constexpr size_t kCauses = static_cast<size_t>(Cause::Count_);
std::string_view name_of(Cause cause);
std::string_view describe(Cause cause);

using CauseTicks = std::array<Ticks, kCauses>;

/// A stretch of one slot's time, for timelines.
struct Slice {
  Ticks begin = 0, end = 0;
  uint16_t core = 0, engine = 0, slot = 0;
  Cause cause = Cause::Empty;
  uint32_t instruction = 0;  ///< index in the program; what the slot waits to issue, or issued
};
struct GroupSpan {
  Ticks begin = 0, end = 0;
  uint64_t group = 0;
  uint16_t core = 0;
};
struct BarrierMark {
  Ticks at = 0;
  uint64_t group = 0;
  uint16_t core = 0;
};
struct MessageSpan {
  Ticks begin = 0, end = 0;
  uint16_t core = 0, engine = 0, slot = 0;
  uint32_t instruction = 0;
};

struct Traffic {
  uint64_t messages = 0;  ///< at the load/store unit; those of a fused pair that join count once
  uint64_t slm_bytes = 0, l1_reads = 0, l1_hits = 0;  ///< lines
  uint64_t l2_reads = 0, l2_hits = 0, l2_writes = 0;  ///< lines
  uint64_t dram_read_lines = 0, dram_written_lines = 0;
  Traffic& operator+=(const Traffic& o);
};

struct Result {
  Ticks kernel = 0;           ///< from the first dispatch to the end of the last thread
  unsigned cores = 0;         ///< simulated
  double share = 1;           ///< Xe-cores with work per simulated one
  double sampled = 1;         ///< part of the simulated cores' groups that were simulated; the rest is extrapolated
  uint64_t instructions = 0;  ///< thread-instructions simulated
  CauseTicks causes{};        ///< over all slots of the simulated cores; adds up to slot_ticks
  Ticks slot_ticks = 0;       ///< slots x time of the simulated part
  std::vector<CauseTicks> by_instruction;  ///< without Empty and Start
  std::vector<Ticks> blamed;               ///< per instruction: time that others waited for its result

  // Engine time, in ticks summed over the engines of the simulated cores.
  Ticks engine_ticks = 0, active = 0, loaded = 0, float_busy = 0, int_busy = 0, matrix_busy = 0, send_busy = 0;
  Ticks lsc_busy = 0, core_ticks = 0;     ///< of the load/store units; cores x time
  Ticks l2_bank_busy = 0, dram_busy = 0;  ///< of all banks, of all channels
  double dram_late_lines = 0;             ///< of the traffic, what memory moves after the end
  Traffic traffic;

  std::vector<Slice> slices;
  std::vector<GroupSpan> group_spans;
  std::vector<BarrierMark> barrier_marks;
  std::vector<MessageSpan> message_spans;
};

}  // namespace xeforge::timing
