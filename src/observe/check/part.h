// SPDX-License-Identifier: Apache-2.0
//
// What one checker sees of an execution. Rare events come through here; blocks, instructions and messages (message.h),
// which are frequent, go from the worker's observer (checker.cpp) to each checker directly.
#pragma once

#include "machine/code.h"
#include "machine/observer.h"
#include "observe/check/finding.h"

namespace xeforge::observe::check {

class Part {
 public:
  explicit Part(Findings& findings) : findings_(findings) {}
  virtual ~Part() = default;
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

  virtual void group_begins(const machine::Group&) {}
  virtual void group_ends(const machine::Group&) {}
  virtual void thread_begins(machine::Thread&) {}
  virtual void thread_ends(machine::Thread&) {}
  virtual void barrier_completes(machine::Group&, int /*named*/) {}

 protected:
  Findings& findings_;
};

}  // namespace xeforge::observe::check
