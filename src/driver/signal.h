// SPDX-License-Identifier: Apache-2.0
//
// Completion and failure, shared by events, fences, command lists and queues. One mutex and one
// condition variable serve the whole process: a signal may be waited for by any number of queues
// and host threads, and the simulator's commands are far longer than a wake-up.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "driver/api.h"
#include "driver/clock.h"

namespace xeforge::driver {

/// Something that went wrong on the device. The first host synchronisation that meets it returns
/// `code`; later ones go on, so that a program which caught the error can continue.
struct Failure {
  Failure(ze_result_t result, std::string what) : code(result), text(std::move(what)) {}
  ze_result_t code;
  std::string text;
  bool delivered = false;  ///< guarded by sync_mutex()
};
using FailurePtr = std::shared_ptr<Failure>;

/// What commands wait for and set. All members are guarded by sync_mutex().
struct Signal {
  bool done = false;
  Interval time;
  std::vector<FailurePtr> failures;
};
using SignalPtr = std::shared_ptr<Signal>;

std::mutex& sync_mutex();
std::condition_variable& sync_changed();

/// Waits at most `timeout` nanoseconds (UINT64_MAX: for ever; 0: only looks) until `ready()`,
/// which is called with sync_mutex() held, is true. Returns its last value.
template <class Ready>
bool wait_until(std::unique_lock<std::mutex>& lock, uint64_t timeout, Ready&& ready) {
  if (ready()) {
    return true;
  }
  if (timeout == 0) {
    return false;
  }
  // Longer waits than this overflow the clock's arithmetic.
  constexpr uint64_t kForEver = uint64_t{1} << 60;
  if (timeout >= kForEver) {
    sync_changed().wait(lock, ready);
    return true;
  }
  return sync_changed().wait_for(lock, std::chrono::nanoseconds(timeout), ready);
}

/// Marks the failures that nobody has been told of as delivered and returns the first one's code
/// (SUCCESS if there is none). Call with sync_mutex() held.
ze_result_t deliver(std::vector<FailurePtr>& failures);

/// Adds those of `from` that were not delivered to `to`, each once. Call with sync_mutex() held.
void inherit(std::vector<FailurePtr>& to, const std::vector<FailurePtr>& from);

}  // namespace xeforge::driver
