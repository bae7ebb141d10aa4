// SPDX-License-Identifier: Apache-2.0
//
// Runs the grid: a resident set of groups, as many as the device holds at once, shared by the host's
// workers. Groups begin in dispatch order; one that spins on others is put aside, so that persistent,
// stream-K and hand-shaking kernels make progress as on the device.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "machine/payload.h"
#include "machine/report.h"
#include "machine/unit.h"

namespace xeforge::machine {

/// Groups that the device holds at the same time for this launch, at least 1.
uint64_t resident_groups(const Launch& launch, const LaunchContext& context);

class Scheduler {
 public:
  Scheduler(Payload& payload, const RunOptions& options, uint64_t resident_groups);

  /// To be called once, by `workers` host threads with indices below it (fewer may come).
  void work(unsigned index);
  /// After all workers have returned.
  ExecutionCounts counts() const;
  std::optional<Fault> fault() const;

  unsigned useful_workers(unsigned wanted) const;

 private:
  struct WorkerState;
  using Suspended = std::deque<std::unique_ptr<Unit>>;

  std::unique_ptr<Unit> admit(UnitRunner& runner);
  /// True if units may still begin now.
  bool can_admit() const;
  bool give_up() const;
  bool past_fault(const Unit& unit) const {
    return unit.groups[0].linear > fault_group_.load(std::memory_order_relaxed);
  }
  void release(UnitRunner& runner, std::unique_ptr<Unit> unit);
  void record(const FaultException& e, const Thread* thread);
  /// Keeps the watchdog; false: it has fired.
  void note_turn(Outcome outcome, bool progressed, uint64_t executed);
  /// Counts workers all of whose units spin without any change since the last event.
  void note_quiet(uint64_t epoch);
  void stop_stuck(FaultKind kind);
  void leave(Suspended& suspended, const std::vector<uint64_t>& block_counts);

  Payload& payload_;
  const RunOptions& options_;
  const Code& code_;
  uint64_t units_ = 0;
  uint64_t resident_units_ = 1;
  uint64_t watchdog_ = 0;

  std::atomic<uint64_t> next_unit_{0};
  std::atomic<uint64_t> stalled_{0};  ///< instructions since the last progress anywhere
  std::atomic<uint64_t> epoch_{0};    ///< counts events that may let spinning units go on
  std::atomic<uint64_t> fault_group_{UINT64_MAX};
  std::atomic<bool> stuck_{false};

  mutable std::mutex mutex_;
  std::vector<uint32_t> free_slots_;
  uint32_t slots_made_ = 0;
  unsigned live_workers_ = 0;
  uint64_t quiet_epoch_ = 0;
  unsigned quiet_workers_ = 0;
  FaultKind stuck_kind_ = FaultKind::Watchdog;
  PositionTally stuck_threads_;
  std::optional<Fault> fault_;
  std::vector<uint64_t> block_counts_;
  uint64_t threads_ended_ = 0, groups_ended_ = 0;
};

}  // namespace xeforge::machine
