// SPDX-License-Identifier: Apache-2.0
//
// The synchronisation checker: barriers that do not match, stores that no fence completes before a barrier, fused
// pairs that part. What stops an execution (deadlock, divergent barriers) comes as the launch's fault and becomes a
// finding in Checker::finish.
#pragma once

#include <deque>

#include "machine/footprint.h"
#include "observe/check/group_states.h"
#include "observe/check/part.h"

namespace xeforge::observe::check {

class SyncPart final : public Part {
 public:
  SyncPart(Findings& findings, const machine::LaunchContext& context);

  void group_begins(const machine::Group& group) override;
  void group_ends(const machine::Group& group) override;
  void thread_ends(machine::Thread& t) override;
  void block(machine::Thread& t, uint32_t block);
  void send(machine::Thread& t, const machine::Uop& u, const machine::Footprint& f);

  /// True for messages that send() looks at.
  static bool looks_at(const isa::Message& m);

  /// The kind that a fault of the machine is; Kind::Count_ if it is none of this checker.
  static Kind kind_of(machine::FaultKind kind);

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  struct ThreadState {
    uint32_t barriers = 0;
    uint32_t last_signal_pc = 0;
    uint32_t unfenced_store = kNone;  ///< pc of the first store to local memory since the last fence
    uint32_t jump = kNone;            ///< index in jumps_ of the block that was begun last
  };
  /// Outcomes of one jmpi that one thread of a pair has met and the other has not yet.
  struct Ahead {
    int owner = -1;  ///< 0 even, 1 odd
    std::deque<bool> taken;
  };
  struct State {
    std::vector<ThreadState> threads;
    std::vector<std::vector<Ahead>> pairs;  ///< per pair, per jump
  };
  struct Jump {
    uint32_t pc = 0;
    uint32_t target_block = 0;
  };
  void compare_jump(machine::Thread& t, State& state, const Jump& jump, uint32_t index, bool taken);

  const machine::Code& code_;
  bool pairs_ = false;
  std::vector<Jump> jumps_;
  std::vector<uint32_t> jump_of_block_;
  GroupStates<State> states_;
};

}  // namespace xeforge::observe::check
