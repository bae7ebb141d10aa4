// SPDX-License-Identifier: Apache-2.0
//
// The hazard checker: every path that threads take is played through the scoreboard (scoreboard.h). What a block of
// instructions does to the scoreboard depends on the state before it only, so each pair of block and state is played
// once, however often threads pass it.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <tuple>
#include <unordered_map>

#include "observe/check/group_states.h"
#include "observe/check/part.h"
#include "observe/check/scoreboard.h"

namespace xeforge::observe::check {

/// True for code with register-indirect operands or descriptors in registers: what they touch is known when they run.
bool needs_every_instruction(const machine::Code& code);

class HazardsPart final : public Part {
 public:
  HazardsPart(Findings& findings, const machine::LaunchContext& context);

  void group_begins(const machine::Group& group) override;
  void group_ends(const machine::Group& group) override;
  /// The thread begins a block; true: the block's instructions have to come one by one, through before().
  bool block(machine::Thread& t, uint32_t block);
  void before(machine::Thread& t, const machine::Uop& u);

 private:
  using StateId = uint32_t;
  /// A block as played from one state.
  struct Passage {
    StateId after = 0;
    uint32_t block = 0;
    std::vector<Hazard> hazards;
    // The passages that followed this one lately: a loop comes by again and again.
    std::array<Passage*, 2> next{};
  };
  struct ThreadState {
    StateId state = 0;
    uint32_t following = UINT32_MAX;  ///< instruction behind the block before, in the order of the code
    Passage* last = nullptr;          ///< of the block before, if that was played as a whole
    // A block with unresolved operands under way:
    bool stepping = false;
    uint32_t next = 0, end = 0;  ///< instructions left
    Scoreboard::State board;
  };
  struct State {
    std::vector<ThreadState> threads;
  };
  struct Hash {
    size_t operator()(const Scoreboard::State& s) const;
  };

  /// The state behind a jump that was taken.
  StateId after_jump(StateId state);
  StateId intern(const Scoreboard::State& state);
  Passage& passage(StateId state, uint32_t block);
  void finish_steps(machine::Thread& t, ThreadState& me);
  void report(const machine::Thread& t, const std::vector<Hazard>& hazards);
  /// The program's entry for an unresolved instruction with the registers that it touches this time.
  uint32_t resolve(const machine::Thread& t, const machine::Uop& u, uint32_t index);

  const machine::Code& code_;
  std::deque<Scheduled> program_;  ///< one for each instruction, then resolved ones
  std::map<std::tuple<uint32_t, std::vector<RegisterBytes::Part>, std::vector<RegisterBytes::Part>>, uint32_t>
      resolved_;
  Scoreboard board_;
  std::vector<bool> unresolved_;  ///< per block
  bool any_unresolved_ = false;
  std::unordered_map<Scoreboard::State, StateId, Hash> ids_;
  std::vector<const Scoreboard::State*> states_by_id_;
  std::unordered_map<StateId, StateId> jumps_;
  std::unordered_map<uint64_t, Passage> passages_;  ///< by state and block
  GroupStates<State> states_;
  std::vector<Hazard> found_;
};

}  // namespace xeforge::observe::check
