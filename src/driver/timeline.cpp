// SPDX-License-Identifier: Apache-2.0
#include "driver/timeline.h"

#include <algorithm>
#include <set>
#include <thread>

namespace xeforge::driver {
namespace {

struct Quiet {
  uint64_t before;  ///< every command with a smaller number must be done
  std::function<void()> action;
};

// Commands of all timelines; guarded by sync_mutex(). Never destroyed: workers outlive main().
struct Everything {
  uint64_t next_number = 1;
  std::set<uint64_t> unfinished;
  std::deque<Quiet> quiet;           // by rising number
  std::vector<FailurePtr> failures;  // not delivered yet, of all timelines

  // Takes out the actions whose time has come.
  std::vector<std::function<void()>> due() {
    std::vector<std::function<void()>> actions;
    while (!quiet.empty() && (unfinished.empty() || *unfinished.begin() >= quiet.front().before)) {
      actions.push_back(std::move(quiet.front().action));
      quiet.pop_front();
    }
    return actions;
  }
};

Everything& everything() {
  static Everything* instance = new Everything;
  return *instance;
}

bool satisfied(const Command& command) {
  return std::all_of(command.waits.begin(), command.waits.end(), [](const SignalPtr& s) { return s->done; });
}

void forget_delivered(std::vector<FailurePtr>& failures) {
  failures.erase(std::remove_if(failures.begin(), failures.end(), [](const FailurePtr& f) { return f->delivered; }),
                 failures.end());
}

Outcome run_body(const Command& command) {
  if (!command.body) {
    return {};
  }
  try {
    return command.body();
  } catch (const std::exception& e) {
    const std::string text = std::string(command.name) + ": " + e.what();
    say(text);
    return {std::make_shared<Failure>(ZE_RESULT_ERROR_UNKNOWN, text), std::nullopt};
  }
}

}  // namespace

std::shared_ptr<Timeline> Timeline::create(bool in_order) { return std::shared_ptr<Timeline>(new Timeline(in_order)); }

void Timeline::submit(Command command) {
  const std::lock_guard lock(sync_mutex());
  command.number = everything().next_number++;
  everything().unfinished.insert(command.number);
  pending_.push_back(std::move(command));
  ++submitted_;
  if (!started_) {
    started_ = true;
    // Detached: a worker that waits for an event nobody signals must not keep the process from ending.
    std::thread([self = shared_from_this()] { self->work(); }).detach();
  }
  sync_changed().notify_all();
}

ze_result_t Timeline::synchronize(uint64_t timeout) {
  std::unique_lock lock(sync_mutex());
  const uint64_t target = submitted_;
  // Commands may overtake each other, so that a count says "all of the first `target`" only when nothing is pending
  // or everything submitted is complete; later submissions of other threads may prolong the wait, as on the device.
  if (!wait_until(lock, timeout, [&] { return completed_ >= target && (in_order_ || completed_ == submitted_); })) {
    return ZE_RESULT_NOT_READY;
  }
  return deliver(failures_);
}

void Timeline::close() {
  const std::lock_guard lock(sync_mutex());
  closing_ = true;
  sync_changed().notify_all();
}

ze_result_t Timeline::wait_for_all() {
  std::unique_lock lock(sync_mutex());
  sync_changed().wait(lock, [] { return everything().unfinished.empty(); });
  return deliver(everything().failures);
}

void Timeline::when_quiet(std::function<void()> action) {
  {
    const std::lock_guard lock(sync_mutex());
    if (!everything().unfinished.empty()) {
      everything().quiet.push_back({everything().next_number, std::move(action)});
      return;
    }
  }
  action();
}

std::deque<Command>::iterator Timeline::next_ready() {
  for (auto it = pending_.begin(); it != pending_.end(); ++it) {
    if (it->ordered && it != pending_.begin()) {
      break;
    }
    if (satisfied(*it)) {
      return it;
    }
    if (in_order_ || it->ordered) {
      break;
    }
  }
  return pending_.end();
}

void Timeline::work() {
  std::unique_lock lock(sync_mutex());
  for (;;) {
    const auto next = next_ready();
    if (next != pending_.end()) {
      Command command = std::move(*next);
      pending_.erase(next);
      execute(lock, std::move(command));
    } else if (closing_ && pending_.empty()) {
      return;
    } else {
      sync_changed().wait(lock);
    }
  }
}

void Timeline::execute(std::unique_lock<std::mutex>& lock, Command command) {
  // Who waits for a failed command, or follows it in order, fails with it until somebody has been told.
  std::vector<FailurePtr> failures;
  for (const SignalPtr& wait : command.waits) {
    inherit(failures, wait->failures);
  }
  if (in_order_ || command.ordered) {
    inherit(failures, failures_);
  }

  lock.unlock();
  Interval time;
  time.start = device_ticks();
  const Outcome outcome = run_body(command);
  time.end = device_ticks();
  command.body = nullptr;  // what it captured may take other locks when it goes
  lock.lock();

  if (outcome.failure != nullptr) {
    failures.push_back(outcome.failure);
  }
  forget_delivered(failures_);
  forget_delivered(everything().failures);
  inherit(everything().failures, failures);
  inherit(failures_, failures);
  if (command.signal != nullptr) {
    command.signal->time = outcome.time.value_or(time);
    command.signal->failures.clear();
    inherit(command.signal->failures, failures);
    command.signal->done = true;
  }
  ++completed_;
  everything().unfinished.erase(command.number);
  const auto actions = everything().due();
  sync_changed().notify_all();
  if (!actions.empty()) {
    lock.unlock();
    for (const auto& action : actions) {
      action();
    }
    lock.lock();
  }
}

}  // namespace xeforge::driver
