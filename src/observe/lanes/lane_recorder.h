// SPDX-License-Identifier: Apache-2.0
//
// A recording for people: every instruction of a few threads with its lanes, masks, predicates, what each lane
// wrote and where that came from. Meant for launches of some thousand instructions; a recording keeps all of
// them in memory.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "machine/footprint.h"
#include "machine/observer.h"
#include "observe/lanes/operand_lanes.h"

namespace xeforge::observe {

/// One element that an instruction wrote. `lane` counts channels of the thread, channel offset included.
struct LaneValue {
  uint8_t lane = 0;
  uint64_t bits = 0;               ///< zero-extended from the element's type
  std::vector<uint8_t> from = {};  ///< lanes that had written what this element was computed from, ascending
};

/// Memory that a message touched for one lane (-1: for the message as a whole).
struct LaneAccess {
  int32_t lane = -1;
  uint64_t address = 0;  ///< Global: device address; Slm and Scratch: offset
  uint32_t bytes = 0;
  std::optional<uint64_t> value;  ///< what is there after the message, for accesses of up to 8 bytes
};

struct LaneStep {
  uint32_t instruction = 0;                ///< index in the program
  uint32_t order = 0;                      ///< place in the order in which the machine executed the recorded threads
  uint32_t enabled = 0;                    ///< lanes enabled before it
  uint32_t acted = 0;                      ///< lanes it acted on
  std::optional<uint32_t> predicate;       ///< lanes for which its predicate held
  std::optional<uint32_t> flags;           ///< lanes for which its condition held, afterwards
  isa::DataType type = isa::DataType::UD;  ///< of `written`
  std::vector<LaneValue> written;
  machine::Footprint::Space space = machine::Footprint::Space::None;
  machine::Footprint::Kind kind = machine::Footprint::Kind::Other;
  std::vector<LaneAccess> accesses;
};

struct ThreadLanes {
  std::array<uint32_t, 3> group{};
  uint64_t group_linear = 0;
  uint32_t thread = 0;         ///< in the group
  uint32_t dispatch_mask = 0;  ///< lanes that exist
  bool complete = false;       ///< it ran to its end and every step was kept
  std::vector<LaneStep> steps;
};

/// The group's barrier was complete: every signal of the phase had been given.
struct BarrierPhase {
  uint64_t group_linear = 0;
  uint32_t order = 0;  ///< of the step that completed it
  int named = -1;
};

struct LanesOptions {
  uint64_t groups = 1;              ///< records the groups below this number
  size_t steps_per_thread = 20000;  ///< a thread keeps this many
};

struct Lanes {
  std::vector<ThreadLanes> threads;  ///< by group, then thread
  std::vector<BarrierPhase> phases;
  /// Of the whole launch, per instruction of the program: lanes acted on, added over all executions.
  std::vector<uint64_t> lanes_acted;
};

/// Use with RunOptions::host_threads = 1: the order of steps is that of one worker.
class LaneRecording : public machine::Observation {
 public:
  explicit LaneRecording(LanesOptions options = {}) : options_(options) {}
  std::unique_ptr<machine::Observer> begin_worker(const machine::LaunchContext& context) override;
  void end_worker(std::unique_ptr<machine::Observer> observer) override;

  /// After the launch.
  const Lanes& lanes() const { return lanes_; }

 private:
  LanesOptions options_;
  std::mutex mutex_;
  Lanes lanes_;
};

}  // namespace xeforge::observe
