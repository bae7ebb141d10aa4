// SPDX-License-Identifier: Apache-2.0
//
// How tools watch an execution: the recorder of the timing model, the checkers. A run without observers
// takes the plain loop and pays nothing; with one, every worker has an observer of its own, so that none of
// these calls needs a lock. Addresses of messages: footprint.h.
#pragma once

#include <memory>
#include <vector>

#include "machine/code.h"
#include "machine/thread.h"

namespace xeforge::machine {

class Observer {
 public:
  /// What `before` and `after` are called for.
  enum class Detail : uint8_t { Sends, Instructions };

  explicit Observer(Detail detail) : every_instruction_(detail == Detail::Instructions) {}
  virtual ~Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  /// The group's memory is set up, none of its threads has begun. `slot`: resident slot of its unit; groups
  /// with the same slot follow one another. A group stays with one worker from beginning to end.
  virtual void group_begins(const Group&, uint32_t /*slot*/) {}
  virtual void group_ends(const Group&) {}
  virtual void thread_begins(Thread&) {}
  /// Behind its last instruction; not called for threads that a fault or a cancelled launch cut off.
  virtual void thread_ends(Thread&) {}

  /// `block` (index into Code::blocks) is about to be executed by the thread. For a run of dpasw, which both
  /// threads of a fused pair execute together: once for each.
  virtual void block(Thread&, uint32_t /*block*/) {}
  /// Around an instruction that does something (a Uop), registers as they are. `after` is not called if the
  /// instruction faults. For dpasw: before(even), before(odd), after(even), after(odd).
  virtual void before(Thread&, const Uop&) {}
  virtual void after(Thread&, const Uop&) {}
  /// A phase of the group's barrier (`named` < 0) or of named barrier `named` is complete.
  virtual void barrier_completes(Group&, int /*named*/) {}

  /// A fault of a memory access that can be left out: true drops the access (a channel's, or the whole message's;
  /// loads then give zero) and lets the thread go on; false stops the launch.
  virtual bool tolerates(Thread&, const FaultException&) { return false; }

  bool every_instruction() const { return every_instruction_; }
  /// Calls that an instruction leads to.
  enum Calls : uint8_t { BeforeSend = 1, AfterSend = 2, BeforeOther = 4, AfterOther = 8, EveryCall = 15 };
  /// Per uop of the launch's code: the calls that it leads to, as far as `calls()` has them, too. The interpreter asks
  /// at every uop, and instructions themselves are large and far away.
  const uint8_t* watched(const Code& code) {
    if (watched_.empty()) {
      const uint8_t other = every_instruction_ ? BeforeOther | AfterOther : 0;
      for (const Uop& u : code.uops) watched_.push_back(u.inst->is_send() ? BeforeSend | AfterSend : other);
    }
    return watched_.data();
  }
  uint8_t calls() const { return calls_; }

 protected:
  /// Leaves calls out until it is called again. From `block`, an observer that needs to see nothing of the block's
  /// instructions spares itself the calls; dpasw always has all of them, its two threads share a block.
  void want(uint8_t calls) { calls_ = calls; }

 private:
  bool every_instruction_;
  uint8_t calls_ = EveryCall;
  std::vector<uint8_t> watched_;
};

/// Makes and takes back the observers of a launch: RunOptions::observation. Calls come from the workers'
/// threads, at the same time.
class Observation {
 public:
  virtual ~Observation() = default;
  virtual std::unique_ptr<Observer> begin_worker(const LaunchContext& context) = 0;
  virtual void end_worker(std::unique_ptr<Observer> observer) = 0;
};

}  // namespace xeforge::machine
