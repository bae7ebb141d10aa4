// SPDX-License-Identifier: Apache-2.0
//
// What one checker sees of an execution: the calls of machine::Observer, with each message's footprint worked out
// once for all.
#pragma once

#include "machine/code.h"
#include "machine/footprint.h"
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
  virtual void block(machine::Thread&, uint32_t /*block*/) {}
  /// Around every instruction, where the selection of checkers asks for it; else around sends only.
  virtual void before(machine::Thread&, const machine::Uop&) {}
  virtual void after(machine::Thread&, const machine::Uop&) {}
  /// Around sends, behind `before` and in front of `after`. The footprint is that of before in both.
  virtual void send(machine::Thread&, const machine::Uop&, const machine::Footprint&) {}
  virtual void sent(machine::Thread&, const machine::Uop&, const machine::Footprint&) {}
  virtual void barrier_completes(machine::Group&, int /*named*/) {}

 protected:
  Findings& findings_;
};

}  // namespace xeforge::observe::check
