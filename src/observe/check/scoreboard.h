// SPDX-License-Identifier: Apache-2.0
//
// What the software scoreboard must guarantee: each instruction's waits, its pipe, and the bytes of registers it reads
// and writes. Results count as undelivered until an instruction has waited for them, sources of messages and dpas as
// unread.
//
// Rules, by what IGC inserts (visa/LocalScheduler/SWSB_G4IR.cpp, G4_IR.cpp) and Mesa's scoreboard pass agrees with:
// - general registers only; flags, accumulators and address registers are interlocked by the hardware;
// - pipes are in order: a result is there for sure 10 instructions of its pipe later (oneDNN's generator; IGC: 11; 15
//   on the long pipe, 18 on Xe2's math pipe); reading a result always needs a wait, within a pipe, too;
// - overwriting a result or a source within one in-order pipe needs no wait, across pipes it does;
// - a distance without a pipe's name ("@2", beside a token) counts in the pipes of the source operands' types, wherever
//   the instruction itself runs (IGC, SBNode::finalizeDistanceType: operandTypeIndicated);
// - messages, dpas and DG2's math complete in any order: until a wait for their token, or until the token is given out
//   again. dpas complete in the order of their pipe;
// - a jump that is taken outlasts every in-order latency (IGC LatencyTable: branch 23, ALU 10 to 13): IGC follows its
//   code in layout order and leaves out waits that only a jump makes necessary;
// - two messages to the same unit read their sources in order, and so do two dpas and two math instructions (IGC asks
//   for the same mask as well, oneDNN's generator does not).
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "isa/decode.h"
#include "observe/check/kinds.h"

namespace xeforge::observe::check {

enum class Pipe : uint8_t { None, Float, Int, Long, Math, Send, Dpas, MathToken };
inline constexpr unsigned kInOrderPipes = 5;  // None..Math; None is never waited for
constexpr bool in_order(Pipe p) { return p == Pipe::Float || p == Pipe::Int || p == Pipe::Long || p == Pipe::Math; }
Pipe pipe_of(const isa::Instruction& inst, isa::Platform platform);

/// Bytes of general registers, a bit each.
struct RegisterBytes {
  struct Part {
    uint16_t reg = 0;
    uint64_t bytes = 0;
    auto operator<=>(const Part&) const = default;
  };
  std::vector<Part> parts;  ///< by register, each once

  void add(uint32_t offset, uint32_t count, unsigned grf_bytes);
  bool empty() const { return parts.empty(); }
};
/// The first register that both touch, or -1.
int overlap(const RegisterBytes& a, const RegisterBytes& b);
/// True if every byte of `inner` is in `outer`.
bool covers(const RegisterBytes& outer, const RegisterBytes& inner);

struct Scheduled {
  const isa::Instruction* inst = nullptr;
  Pipe pipe = Pipe::None;
  RegisterBytes reads, writes;
  uint8_t operand_pipes = 0;  ///< bit per Pipe: what a distance without a pipe's name counts in
  bool unresolved = false;    ///< register-indirect operands or lengths in a0: reads and writes are known when it runs
  bool dummy = false;         ///< IGC's dpas in front of the real one, whose write never lands (isa.md section 3)
  bool macro = false;         ///< {Atomic} dpas: the group's token is that of its last member
};
Scheduled schedule(const isa::Instruction& inst, isa::Platform platform);

/// One instruction that others may still have to wait for.
struct Pending {
  uint32_t index = 0;  ///< of the entry in the program
  Pipe pipe = Pipe::None;
  uint8_t age = 0;    ///< in-order: instructions of its pipe issued since
  int8_t token = -1;  ///< -1: none (yet)
  bool read = false;  ///< its sources have been read for sure

  bool operator==(const Pending&) const = default;
};

struct Hazard {
  Kind kind = Kind::ReadTooEarly;
  uint32_t consumer = 0, producer = 0;  ///< indices of instructions
  int reg = 0;
};

/// The scoreboard of one thread, in the order of issue.
class Scoreboard {
 public:
  using State = std::vector<Pending>;

  /// `program` may grow (never shrink) while the scoreboard lives.
  explicit Scoreboard(const std::deque<Scheduled>& program) : program_(program) {}

  /// Issues entry `index` of the program: waits first, then judged, then pending.
  void issue(State& state, uint32_t index, std::vector<Hazard>& hazards) const;
  /// A jump was taken.
  static void jump(State& state);

 private:
  void wait(State& state, const isa::Instruction& inst, const Scheduled& s) const;
  void retire_token(State& state, int token, bool writes) const;
  static bool read_in_order(const Scheduled& earlier, const Scheduled& later);

  const std::deque<Scheduled>& program_;
};

}  // namespace xeforge::observe::check
