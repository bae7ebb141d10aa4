// SPDX-License-Identifier: Apache-2.0
//
// The race checker: two accesses to one byte, at least one of them a write and not both atomic, that nothing orders.
// Order comes from barriers (the group's and named ones), fences and atomics, as vector clocks follow them. All groups
// of a launch are followed together, by one worker.
#pragma once

#include <array>
#include <unordered_map>

#include "observe/check/access_shadow.h"
#include "observe/check/clocks.h"
#include "observe/check/group_states.h"
#include "observe/check/message.h"
#include "observe/check/part.h"

namespace xeforge::observe::check {

class RacesPart final : public Part {
 public:
  RacesPart(Findings& findings, const machine::LaunchContext& context);

  void group_begins(const machine::Group& group) override;
  void group_ends(const machine::Group& group) override;
  void block(machine::Thread& t, uint32_t block);
  /// In front of the message; true: sent() wants to look at it behind.
  bool send(machine::Thread& t, const machine::Uop& u, const Message& message);
  void sent(machine::Thread& t, const machine::Uop& u);
  void barrier_completes(machine::Group& group, int named) override;

 private:
  static constexpr unsigned kNamed = 1, kBarriers = 32 + kNamed;  ///< 0 is the group's, then the named ones
  static constexpr uint32_t kNone = UINT32_MAX;

  struct ThreadState {
    uint32_t clock = 1;
    Knowledge known;
    uint32_t fenced = 0;  ///< own global writes up to this time are complete
    uint32_t last_block = kNone;
    uint64_t signalled = 0;  ///< bit per barrier: as a consumer, not completed
    uint64_t completed = 0;  ///< bit per barrier: completed, not yet waited for
    std::shared_ptr<const Release> release;
  };
  struct Barrier {
    Knowledge gathering, done;
    bool used = false;
  };
  struct State {
    uint64_t linear = 0;
    uint32_t first_thread = 0;  ///< number of the group's thread 0 among those of the launch
    std::vector<ThreadState> threads;
    std::array<Barrier, kBarriers> barriers;
    std::vector<std::unique_ptr<ShadowPage>> slm;
    std::unordered_map<uint32_t, std::vector<std::shared_ptr<const Release>>> slm_atomics;
  };
  enum class Access : uint8_t { Read, Write, Atomic };
  struct Conflict {
    uint64_t address = 0;
    uint32_t bytes = 0;
    uint32_t lane = 0;
    Stamp other;
    bool other_writes = false;
    bool barrier_between = false;  ///< but no fence of global memory
    bool local = false;
    Access access = Access::Read;
    uint64_t old_bytes = 0;
  };

  void touch(State& state, ThreadState& me, Access access, bool local, const Run& run);
  bool touch_line(const State& state, const ThreadState& me, Access access, bool local, Line& line, uint32_t lane);
  void split(Line& line, uint32_t unit);
  void touch_cell(State& state, ThreadState& me, Access access, bool local, Cell& cell, uint64_t address,
                  uint32_t bytes, uint32_t lane);
  void conflict(const State& state, const ThreadState& me, Access access, bool local, Stamp other, bool other_writes,
                uint64_t address, uint32_t bytes, uint32_t lane);
  bool ordered(const State& state, const ThreadState& me, Stamp other, bool local, bool other_writes) const;
  ShadowPage& global_page(uint64_t number);
  void synchronise(State& state, ThreadState& me, const machine::Footprint& f);
  void signal(State& state, ThreadState& me, uint32_t id, uint32_t payload);
  void fence(State& state, ThreadState& me, uint32_t id, const isa::Message& m);
  Knowledge published(const ThreadState& me, uint32_t id) const;
  void advance(ThreadState& me) const;
  void report(machine::Thread& t, const machine::Uop& u, const Conflict& c, bool same_value);

  const machine::LaunchContext& context_;
  const machine::Code& code_;
  std::vector<bool> ends_in_wait_;  ///< per block
  std::vector<uint32_t> send_of_uop_;
  std::vector<uint32_t> pc_of_send_;
  GroupStates<State> states_;
  bool has_atomics_ = false;
  std::vector<uint32_t> lane_bytes_;  ///< per send: of the accesses to whole lines, 0 before the first one
  CellArena arena_;
  PagePool pool_{arena_};
  std::unordered_map<uint64_t, std::unique_ptr<ShadowPage>> pages_;
  static constexpr unsigned kCached = 64;
  struct CachedPage {
    uint64_t number = UINT64_MAX;
    ShadowPage* page = nullptr;
  };
  std::array<CachedPage, kCached> cache_;
  std::unordered_map<uint64_t, std::vector<std::shared_ptr<const Release>>> global_atomics_;

  Stamp stamp_;       ///< of the message under way
  uint32_t own_ = 0;  ///< its thread's number in the launch
  std::vector<Conflict> conflicts_;
};

}  // namespace xeforge::observe::check
