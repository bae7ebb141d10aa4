// SPDX-License-Identifier: Apache-2.0
#include "machine/barrier.h"

#include <algorithm>
#include <string>

#include "machine/observer.h"

namespace xeforge::machine {
namespace {

template <typename Release>
void for_each_live(Group& group, Release release) {
  for (const auto& thread : group.threads) {
    if (thread != nullptr) release(*thread);
  }
}

void tell_observer(Group& group, int named) {
  for (const auto& thread : group.threads) {
    if (thread == nullptr) continue;
    if (thread->worker->observer != nullptr) thread->worker->observer->barrier_completes(group, named);
    return;
  }
}

void complete_barrier(Group& group) {
  group.barrier_arrived = 0;
  ++group.progress;
  tell_observer(group, -1);
  for_each_live(group, [](Thread& t) {
    t.barrier_signals = 0;
    if (t.status == ThreadStatus::AtBarrier) t.status = ThreadStatus::Ready;
  });
}

void complete_if_all_arrived(Group& group) {
  if (group.barrier_arrived == 0) return;
  uint32_t expected = static_cast<uint32_t>(group.threads.size());
  if (group.barrier_active_only) expected -= group.finished;
  if (group.barrier_arrived >= expected) complete_barrier(group);
}

}  // namespace

void signal_barrier(Thread& t, uint32_t pc, bool active_only) {
  Group& group = *t.group;
  if (t.barrier_signals != 0) {
    raise_fault(FaultKind::BarrierDivergence, pc, -1,
                "signals the group's barrier again although its previous signal is not completed: there is no "
                "sync.bar (wait) between the two");
  }
  t.barrier_signals = 1;
  group.barrier_active_only = active_only;
  ++group.barrier_arrived;
  complete_if_all_arrived(group);
}

bool wait_barrier(Thread& t, uint32_t pc) {
  if (t.barrier_signals == 0) return true;
  t.status = ThreadStatus::AtBarrier;
  t.waiting_pc = pc;
  return false;
}

void signal_named_barrier(Thread& t, uint32_t pc, BarrierPayload payload) {
  Group& group = *t.group;
  const uint32_t id = payload.id();
  if (id >= group.named_barriers.size())
    raise_fault(FaultKind::BadMessage, pc, -1, "named barrier " + std::to_string(id) + " does not exist (0..31)");
  if (payload.role() == 3) raise_fault(FaultKind::BadMessage, pc, -1, "named barrier signal with the reserved role 3");
  NamedBarrier& barrier = group.named_barriers[id];
  const auto producers = static_cast<uint8_t>(payload.producers());
  const auto consumers = static_cast<uint8_t>(payload.consumers());
  if (producers == 0 && consumers == 0)
    raise_fault(FaultKind::BadMessage, pc, -1, "named barrier " + std::to_string(id) + " with no participants");
  if (barrier.producers == 0 && barrier.consumers == 0) {
    barrier.producers = producers;
    barrier.consumers = consumers;
  } else if (barrier.producers != producers || barrier.consumers != consumers) {
    raise_fault(FaultKind::BarrierDivergence, pc, -1,
                "signals named barrier " + std::to_string(id) + " for " + std::to_string(producers) +
                    " producers and " + std::to_string(consumers) +
                    " consumers, but the first signal of this phase said " + std::to_string(barrier.producers) +
                    " and " + std::to_string(barrier.consumers));
  }
  const bool produces = payload.role() != 2, consumes = payload.role() != 1;
  if (produces) ++barrier.producers_arrived;
  if (consumes) {
    ++barrier.consumers_arrived;
    t.named_signals |= 1u << id;
  }
  if (barrier.producers_arrived < producers || barrier.consumers_arrived < consumers) return;
  barrier = {};
  ++group.progress;
  tell_observer(group, static_cast<int>(id));
  for_each_live(group, [id](Thread& other) {
    other.named_signals &= ~(1u << id);
    if (other.status == ThreadStatus::AtNamedBarrier && other.waiting_barrier == id) other.status = ThreadStatus::Ready;
  });
}

bool wait_named_barrier(Thread& t, uint32_t pc, uint32_t id) {
  if (id >= t.group->named_barriers.size())
    raise_fault(FaultKind::BadMessage, pc, -1,
                "waits for named barrier " + std::to_string(id) + ", which does not exist");
  if (((t.named_signals >> id) & 1) == 0) return true;
  t.status = ThreadStatus::AtNamedBarrier;
  t.waiting_barrier = static_cast<uint8_t>(id);
  t.waiting_pc = pc;
  return false;
}

void leave_barriers(Group& group, const Thread& ended) {
  if (!group.barrier_active_only) return;
  if (ended.barrier_signals != 0) --group.barrier_arrived;
  complete_if_all_arrived(group);
}

}  // namespace xeforge::machine
