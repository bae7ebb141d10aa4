// SPDX-License-Identifier: Apache-2.0
//
// The init checker: values that were never written, followed through registers, local memory and scratch. Reading one
// is no fault (compilers compute with lanes that nobody looks at); it is one when such a value decides an address, a
// branch or a message, or is stored to global memory. Blocks of instructions whose operands are all written are passed
// as a whole (init_blocks.h).
#pragma once

#include <unordered_map>

#include "observe/check/environment.h"
#include "observe/check/group_states.h"
#include "observe/check/init_blocks.h"
#include "observe/check/init_memory.h"
#include "observe/check/message.h"
#include "observe/check/part.h"
#include "observe/check/undefined.h"

namespace xeforge::observe::check {

class InitPart final : public Part {
 public:
  InitPart(Findings& findings, const machine::LaunchContext& context, const Environment& environment);

  void group_begins(const machine::Group& group) override;
  void group_ends(const machine::Group& group) override;
  void thread_begins(machine::Thread& t) override;
  /// The thread begins a block. Behind this and behind send(), quiet() says whether before() can be left out.
  void block(machine::Thread& t, uint32_t block);
  bool quiet() const { return quiet_; }
  void before(machine::Thread& t, const machine::Uop& u);
  void send(machine::Thread& t, const machine::Uop& u, const Message& message);
  /// Instead of send() for a message that nobody can describe.
  void unknown_send() { quiet_ = false; }

 private:
  struct ThreadState {
    ShadowRegisters regs;
    std::vector<uint8_t> scratch;
    /// Per block: the registers' generation in which it was last found to need and give nothing undefined.
    std::vector<uint32_t> settled;
  };
  struct State {
    std::vector<std::unique_ptr<ThreadState>> threads;
    std::vector<uint8_t> slm;
  };
  /// Where the bytes of a message's data lie in registers.
  struct Transfer {
    bool lanes = false;           ///< one element after another per channel, else contiguous
    uint32_t element = 4;         ///< bytes in memory
    uint32_t register_bytes = 4;  ///< per element and channel
    uint32_t part = 0;            ///< from an element to the next of a channel
    uint32_t high = 0;            ///< bytes in front of the element in its register cell
    uint32_t row = 0;             ///< two-dimensional: bytes from a row to the next
  };

  void compute(machine::Thread& t, ThreadState& me, const machine::Uop& u, const InitPlan& p);
  void compute_dpas(machine::Thread& t, ThreadState& me, const machine::Uop& u, const InitPlan& p);
  uint8_t source(const machine::Thread& t, const ThreadState& me, const machine::Uop& u, const Elements& e, unsigned i,
                 uint8_t* bytes) const;
  uint32_t locate(const machine::Thread& t, const Elements& e, unsigned i, bool destination) const;
  void branch(machine::Thread& t, ThreadState& me, const machine::Uop& u);
  void mask_flags(const machine::Thread& t, ThreadState& me, const machine::Uop& u, const InitPlan& p);
  uint8_t predicate(const ThreadState& me, const machine::Uop& u, unsigned channel) const;

  void message(machine::Thread& t, ThreadState& me, const machine::Uop& u, const Message& message);
  bool check_payload(machine::Thread& t, ThreadState& me, const machine::Uop& u, const machine::Footprint& f);
  Transfer transfer_of(const machine::Uop& u, const isa::Message& m, bool load) const;
  void load(machine::Thread& t, ThreadState& me, const machine::Uop& u, const Message& message);
  void store(machine::Thread& t, ThreadState& me, const machine::Uop& u, const Message& message);
  uint8_t* memory_shadow(machine::Thread& t, ThreadState& me, machine::Footprint::Space space, uint64_t address,
                         uint32_t bytes);
  /// Calls look(shadow, n) for the allocations that the bytes lie in, until it returns false.
  template <class Look>
  bool device_memory(uint64_t address, uint64_t bytes, const Look& look);
  template <class Move>
  void for_each_element(const machine::Uop& u, const machine::Footprint& f, const Transfer& transfer, bool load,
                        const Move& move) const;
  void report(const machine::Thread& t, const machine::Uop& u, Kind kind, uint32_t lanes, const std::string& what,
              uint8_t origins);

  const machine::LaunchContext& context_;
  const machine::Code& code_;
  DefinedMemory* const defined_;
  const unsigned grf_;
  std::vector<InitPlan> plans_;  ///< per uop
  std::vector<BlockSummary> summaries_;
  GroupStates<State> states_;
  std::vector<std::unique_ptr<ThreadState>> idle_;
  uint32_t payload_ = 0;  ///< bytes of registers that a thread of this launch begins with, as far as seen
  bool quiet_ = false;
  DefinedMemory::View view_;  ///< last hit
};

}  // namespace xeforge::observe::check
