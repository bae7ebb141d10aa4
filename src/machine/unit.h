// SPDX-License-Identifier: Apache-2.0
//
// A unit is what the scheduler moves as a whole: a work-group, or two neighbouring groups of a single
// thread each which fused EUs run as a pair. UnitRunner lets the threads of a unit run in turn until they
// end, all wait, or others have to go on first.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "machine/payload.h"
#include "machine/thread.h"

namespace xeforge::machine {

struct Unit {
  std::array<Group, 2> groups;
  uint32_t group_count = 1;
  uint32_t threads_per_group = 1;
  uint32_t slot = 0;      ///< resident slot: gives the hardware thread numbers
  uint32_t started = 0;   ///< threads 0..started-1 have been started
  bool spinning = false;  ///< how its last turn ended

  uint32_t thread_count() const { return group_count * threads_per_group; }
  uint32_t finished() const { return groups[0].finished + (group_count > 1 ? groups[1].finished : 0); }
  uint64_t progress() const { return groups[0].progress + (group_count > 1 ? groups[1].progress : 0); }
  /// Threads are numbered through all groups of the unit. Null: not started, or ended.
  std::unique_ptr<Thread>& thread(uint32_t index) {
    return groups[index / threads_per_group].threads[index % threads_per_group];
  }
  const std::unique_ptr<Thread>& thread(uint32_t index) const {
    return groups[index / threads_per_group].threads[index % threads_per_group];
  }
};

enum class Outcome : uint8_t {
  Finished,
  Spinning,  ///< every thread that can run repeats a loop without any change: others have to go on
  Paused     ///< a long turn is over
};

/// Runs units on one host thread. Keeps the storage of threads that have ended, last used first: groups
/// that never wait run in one thread's storage, which stays in the cache.
class UnitRunner {
 public:
  UnitRunner(const Payload& payload, Worker& worker);
  ~UnitRunner();
  UnitRunner(const UnitRunner&) = delete;
  UnitRunner& operator=(const UnitRunner&) = delete;

  std::unique_ptr<Unit> begin(uint64_t first_group, uint32_t group_count, uint32_t slot);
  /// Throws FaultException; `faulting()` then tells the thread. `stop` ends a turn early.
  Outcome advance(Unit& unit, const std::function<bool()>& stop);
  void retire(std::unique_ptr<Unit> unit);

  /// Instructions executed by the last advance(), over all its threads.
  uint64_t executed() const { return executed_; }
  const Thread* faulting() const { return current_; }

 private:
  void pass(Unit& unit);
  void start(Unit& unit, uint32_t index);
  void run_alone(Unit& unit, uint32_t index);
  void run_pair(Unit& unit, uint32_t even);
  int64_t run_slice(Unit& unit, uint32_t index, int64_t instructions);
  void end_thread(Unit& unit, uint32_t index);
  bool all_spin(Unit& unit);
  bool spins(Unit& unit, uint32_t index);
  bool counts_on(UopIndex block_start);
  [[noreturn]] void fail_pair(const Thread& waiting, const Thread* partner, const std::string& why);
  [[noreturn]] void fail_all_wait(const Unit& unit);

  const Payload& payload_;
  const Code& code_;
  Worker& worker_;
  std::vector<std::unique_ptr<Thread>> idle_threads_;
  std::vector<std::unique_ptr<Unit>> idle_units_;
  std::unique_ptr<Thread> saved_;  ///< for comparing a thread with itself
  std::vector<bool> counts_on_;    ///< per block: changes memory each time it is repeated; filled when needed
  const Thread* current_ = nullptr;
  uint64_t executed_ = 0;
  int64_t slice_ = 0;
};

}  // namespace xeforge::machine
