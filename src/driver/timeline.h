// SPDX-License-Identifier: Apache-2.0
//
// A stream of commands with a worker thread of its own: what a command queue and an immediate
// command list are made of.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "driver/signal.h"

namespace xeforge::driver {

struct Outcome {
  FailurePtr failure;
  std::optional<Interval> time;  ///< when the device worked on it, if that is not simply when the body ran
};

/// A command as it was appended: everything it needs is captured, so that a list can be executed
/// again and its objects may go away.
struct Command {
  const char* name = "";  ///< for messages
  /// Barriers, signals, waits, resets: they neither overtake what was appended before them nor
  /// let later commands overtake them. Copies, fills and launches of a list that is not in order
  /// may run while an earlier one waits for its events.
  bool ordered = false;
  std::vector<SignalPtr> waits;
  SignalPtr signal;               ///< may be null
  std::function<Outcome()> body;  ///< may be empty
  uint64_t number = 0;            ///< running number in the process, given by submit()
};

class Timeline : public std::enable_shared_from_this<Timeline> {
 public:
  /// `in_order`: each command waits for the one before.
  static std::shared_ptr<Timeline> create(bool in_order);

  /// Returns at once. The worker starts with the first command.
  void submit(Command command);

  /// Waits until everything submitted so far is done. NOT_READY after `timeout` nanoseconds;
  /// else SUCCESS, or the code of a failure that no synchronisation has returned yet.
  ze_result_t synchronize(uint64_t timeout);

  /// The worker finishes what is pending and ends; nothing can be submitted afterwards.
  void close();

  /// Waits for every timeline of the process; SUCCESS, or the code of a failure not returned before.
  static ze_result_t wait_for_all();
  /// Calls `action` once everything that is submitted by now is done: at once if nothing is pending,
  /// else on a worker thread.
  static void when_quiet(std::function<void()> action);

 private:
  explicit Timeline(bool in_order) : in_order_(in_order) {}
  void work();
  std::deque<Command>::iterator next_ready();
  void execute(std::unique_lock<std::mutex>& lock, Command command);

  const bool in_order_;
  // All below: guarded by sync_mutex().
  std::deque<Command> pending_;
  std::vector<FailurePtr> failures_;
  uint64_t submitted_ = 0;
  uint64_t completed_ = 0;
  bool started_ = false;
  bool closing_ = false;
};

}  // namespace xeforge::driver
