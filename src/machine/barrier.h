// SPDX-License-Identifier: Apache-2.0
//
// Work-group barriers: what the gateway does with signals and what sync.bar waits for. A barrier is
// split by nature: signalling and waiting are two instructions, and a thread may work in between.
#pragma once

#include <cstdint>

#include "machine/thread.h"

namespace xeforge::machine {

/// Dword 2 of a barrier message's payload (IGC visa/VisaToG4/TranslateSendSync.cpp):
/// [7:0] barrier id, [8] active threads only (Xe2), [15:14] 0 producer and consumer, 1 producer,
/// 2 consumer, [23:16] producers, [31:24] consumers.
struct BarrierPayload {
  uint32_t dword = 0;
  uint32_t id() const { return dword & 0xFF; }
  bool active_only() const { return ((dword >> 8) & 1) != 0; }
  uint32_t role() const { return (dword >> 14) & 3; }
  uint32_t producers() const { return (dword >> 16) & 0xFF; }
  uint32_t consumers() const { return dword >> 24; }
  /// The barrier of a group of `threads`: barrier 0 for all of them. On Xe2, barrier 0 with other counts is a named one
  /// like the rest (oneDNN numbers its named barriers from 0 where threads share the sum over k).
  bool of_group(uint32_t threads, bool has_named_barriers) const {
    if (id() != 0) return false;
    if (!has_named_barriers || active_only()) return true;
    return role() == 0 && (producers() == threads || producers() == 0) && (consumers() == threads || consumers() == 0);
  }
};

/// `t` executes a signal of the group's barrier. The phase that this completes releases every thread
/// that stands at it. A second signal before the first one's phase is complete is a fault.
/// `active_only`: payload bit 8 on Xe2; false on DG2, where every thread of the group must signal.
void signal_barrier(Thread& t, uint32_t pc, bool active_only);

/// sync.bar without an operand. True: `t` goes on. False: it is AtBarrier now and must stop; when it is
/// released it is Ready and continues at Thread::next, which therefore has to lie behind the sync.bar.
bool wait_barrier(Thread& t, uint32_t pc);

/// Named barriers (Xe2): signal with the roles and counts of the payload, wait by id.
void signal_named_barrier(Thread& t, uint32_t pc, BarrierPayload payload);
bool wait_named_barrier(Thread& t, uint32_t pc, uint32_t id);

/// To be called after `ended` was counted in Group::finished and left Group::threads: completes a phase
/// that only it held up.
void leave_barriers(Group& group, const Thread& ended);

}  // namespace xeforge::machine
