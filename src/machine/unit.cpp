// SPDX-License-Identifier: Apache-2.0
#include "machine/unit.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "machine/barrier.h"
#include "machine/code.h"
#include "machine/observer.h"
#include "machine/report.h"

namespace xeforge::machine {
namespace {

/// Instructions of a thread before it is looked at again. The first look is early, because a spinning
/// thread (there may be thousands) burns its whole slice; threads that work get longer ones.
constexpr int64_t kFirstSlice = 1 << 14;
/// One that was found spinning need not run long to show whether it still does.
constexpr int64_t kProbeSlice = 1 << 8;
constexpr int64_t kLongestSlice = 1 << 18;
/// Instructions of a thread without a barrier or an end before other units get a turn.
constexpr int64_t kTurn = 1 << 20;
/// A polling loop is recognised if it returns to its start within so many blocks.
constexpr unsigned kLoopBlocks = 512;

/// Storage of threads outlives the launch on its host thread: the next one finds it warm.
constexpr size_t kThreadsKept = 256;
thread_local std::vector<std::unique_ptr<Thread>> kept_threads;

bool can_run(const Thread& t) { return t.status == ThreadStatus::Ready || t.status == ThreadStatus::Yielded; }

}  // namespace

UnitRunner::UnitRunner(const Payload& payload, Worker& worker)
    : payload_(payload), code_(*payload.context().code), worker_(worker), idle_threads_(std::move(kept_threads)) {}

UnitRunner::~UnitRunner() {
  if (idle_threads_.size() > kThreadsKept) idle_threads_.resize(kThreadsKept);
  kept_threads = std::move(idle_threads_);
}

std::unique_ptr<Unit> UnitRunner::begin(uint64_t first_group, uint32_t group_count, uint32_t slot) {
  std::unique_ptr<Unit> unit;
  if (idle_units_.empty()) {
    unit = std::make_unique<Unit>();
  } else {
    unit = std::move(idle_units_.back());
    idle_units_.pop_back();
  }
  unit->group_count = group_count;
  unit->threads_per_group = payload_.threads_per_group();
  unit->slot = slot;
  unit->started = 0;
  unit->spinning = false;
  for (uint32_t i = 0; i < group_count; ++i) {
    payload_.start_group(unit->groups[i], first_group + i);
    if (worker_.observer != nullptr) worker_.observer->group_begins(unit->groups[i], slot);
  }
  return unit;
}

void UnitRunner::retire(std::unique_ptr<Unit> unit) {
  for (uint32_t i = 0; i < unit->thread_count(); ++i) {
    if (unit->thread(i) != nullptr) idle_threads_.push_back(std::move(unit->thread(i)));
  }
  idle_units_.push_back(std::move(unit));
}

void UnitRunner::start(Unit& unit, uint32_t index) {
  std::unique_ptr<Thread>& thread = unit.thread(index);
  if (idle_threads_.empty()) {
    thread = std::make_unique<Thread>();
    thread->regs.fill(std::byte{0});
  } else {
    thread = std::move(idle_threads_.back());
    idle_threads_.pop_back();
  }
  payload_.start_thread(*thread, unit.groups[index / unit.threads_per_group], index % unit.threads_per_group,
                        unit.slot * unit.thread_count() + index);
  thread->worker = &worker_;
  ++unit.started;
  if (worker_.observer != nullptr) worker_.observer->thread_begins(*thread);
}

void UnitRunner::end_thread(Unit& unit, uint32_t index) {
  std::unique_ptr<Thread> thread = std::move(unit.thread(index));
  Group& group = *thread->group;
  ++group.finished;
  ++group.progress;
  if (worker_.observer != nullptr) worker_.observer->thread_ends(*thread);
  leave_barriers(group, *thread);
  if (worker_.observer != nullptr && group.finished == unit.threads_per_group) worker_.observer->group_ends(group);
  idle_threads_.push_back(std::move(thread));
}

int64_t UnitRunner::run_slice(Unit& unit, uint32_t index, int64_t instructions) {
  Thread& t = *unit.thread(index);
  current_ = &t;
  t.status = ThreadStatus::Ready;
  t.budget = instructions;
  run_thread(code_, t);
  executed_ += static_cast<uint64_t>(instructions - t.budget);
  // A thread may come to stand at the barrier that it has just completed itself.
  if (t.status == ThreadStatus::AtBarrier && t.barrier_signals == 0) t.status = ThreadStatus::Ready;
  const int64_t left = t.budget;
  if (t.status == ThreadStatus::Finished) end_thread(unit, index);
  return left;
}

void UnitRunner::run_alone(Unit& unit, uint32_t index) {
  if (index >= unit.started) start(unit, index);
  if (!can_run(*unit.thread(index))) return;
  run_slice(unit, index, slice_);
  const Thread* t = unit.thread(index).get();
  if (t != nullptr && t->status == ThreadStatus::AtPair) {
    const std::string& why = payload_.not_fused_because();
    fail_pair(*t, nullptr, why.empty() ? "its group has no thread " + std::to_string(t->id ^ 1) : why);
  }
}

// Both run until each stands in front of the same dpasw; that run of them is executed for both, and so on
// until both slices are used up or something else stops them.
void UnitRunner::run_pair(Unit& unit, uint32_t even) {
  std::array<int64_t, 2> left{slice_, slice_};
  for (uint32_t i = 0; i < 2; ++i) {
    if (even + i >= unit.started) start(unit, even + i);
  }
  for (;;) {
    for (uint32_t i = 0; i < 2; ++i) {
      const Thread* t = unit.thread(even + i).get();
      if (t != nullptr && can_run(*t) && left[i] >= 0) left[i] = run_slice(unit, even + i, left[i]);
    }
    Thread* a = unit.thread(even).get();
    Thread* b = unit.thread(even + 1).get();
    const bool a_waits = a != nullptr && a->status == ThreadStatus::AtPair;
    const bool b_waits = b != nullptr && b->status == ThreadStatus::AtPair;
    if (!a_waits && !b_waits) return;
    if (a_waits && b_waits) {
      if (a->next != b->next) fail_pair(*a, b, "the two threads of the pair stand at different instructions");
      current_ = a;
      const RunOptions* options = payload_.context().options;
      if (options != nullptr && options->exchange_pairs)
        run_dpasw_pair(code_, *b, *a);
      else
        run_dpasw_pair(code_, *a, *b);
      a->status = left[0] >= 0 ? ThreadStatus::Ready : ThreadStatus::Yielded;
      b->status = left[1] >= 0 ? ThreadStatus::Ready : ThreadStatus::Yielded;
      continue;
    }
    const Thread& waiting = a_waits ? *a : *b;
    const Thread* partner = a_waits ? b : a;
    if (partner == nullptr) fail_pair(waiting, nullptr, "its partner has already ended");
    if (!can_run(*partner)) fail_pair(waiting, partner, "its partner waits, too, but elsewhere");
    if (left[a_waits ? 1 : 0] < 0) return;
  }
}

void UnitRunner::pass(Unit& unit) {
  const uint32_t count = unit.thread_count();
  const bool pairs = code_.has_dpasw && payload_.fused();
  for (uint32_t index = 0; index < count; ++index) {
    if (pairs && index % 2 == 0 && index + 1 < count) {
      run_pair(unit, index);
      ++index;
    } else if (index >= unit.started || unit.thread(index) != nullptr) {
      run_alone(unit, index);
    }
  }
}

/// Repeating an atomic whose result nobody takes leaves the registers alone, and yet each time is progress:
/// somebody may wait for the count. (Repeated stores write the same again, results that change show.)
bool UnitRunner::counts_on(UopIndex block_start) {
  if (counts_on_.empty()) {
    for (const Block& block : code_.blocks) {
      bool atomic = false;
      for (UopIndex u = block.first; u < block.first + block.count; ++u) {
        const isa::Instruction& inst = *code_.uops[u].inst;
        atomic |= inst.is_send() &&
                  (inst.msg.desc_in_reg || (inst.msg.atomic != isa::AtomicOp::None && inst.msg.dst_len == 0));
      }
      counts_on_.push_back(atomic);
    }
  }
  return counts_on_[code_.block_of_uop[block_start]];
}

bool UnitRunner::spins(Unit& unit, uint32_t index) {
  Thread& t = *unit.thread(index);
  if (saved_ == nullptr) saved_ = std::make_unique<Thread>();
  const size_t state = regspace::kTimestamp;  // all registers that instructions compute with
  std::memcpy(saved_->regs.data(), t.regs.data(), state);
  saved_->acc64 = t.acc64;
  saved_->wait_pc = t.wait_pc;
  saved_->exec_mask = t.exec_mask;
  saved_->next = t.next;
  for (unsigned block = 0; block < kLoopBlocks; ++block) {
    if (counts_on(t.next)) return false;
    run_slice(unit, index, 0);  // one block
    if (unit.thread(index) == nullptr || t.status != ThreadStatus::Yielded) return false;
    if (t.next == saved_->next) {
      return saved_->exec_mask == t.exec_mask && std::memcmp(saved_->regs.data(), t.regs.data(), state) == 0 &&
             saved_->acc64 == t.acc64 && saved_->wait_pc == t.wait_pc;
    }
  }
  return false;
}

bool UnitRunner::all_spin(Unit& unit) {
  for (uint32_t index = 0; index < unit.thread_count(); ++index) {
    const Thread* t = unit.thread(index).get();
    if (t != nullptr && t->status == ThreadStatus::Yielded && !spins(unit, index)) return false;
  }
  return true;
}

Outcome UnitRunner::advance(Unit& unit, const std::function<bool()>& stop) {
  executed_ = 0;
  slice_ = unit.spinning ? kProbeSlice : kFirstSlice;
  unit.spinning = false;
  int64_t turn = 0;
  for (;;) {
    const uint64_t before = unit.progress();
    pass(unit);
    if (unit.finished() == unit.thread_count()) return Outcome::Finished;
    bool ready = false, yielded = false;
    for (uint32_t index = 0; index < unit.thread_count(); ++index) {
      const Thread* t = unit.thread(index).get();
      if (t == nullptr) continue;
      ready |= t->status == ThreadStatus::Ready;
      yielded |= t->status == ThreadStatus::Yielded;
    }
    if (stop()) return Outcome::Paused;
    if (ready || unit.progress() != before) {
      turn = 0;
      continue;
    }
    if (!yielded) fail_all_wait(unit);
    if (all_spin(unit)) {
      unit.spinning = true;
      return Outcome::Spinning;
    }
    turn += slice_;
    if (turn >= kTurn) return Outcome::Paused;
    slice_ = std::min(2 * slice_, kLongestSlice);
  }
}

void UnitRunner::fail_pair(const Thread& waiting, const Thread* partner, const std::string& why) {
  current_ = &waiting;
  const uint32_t pc = code_.uops[waiting.next].pc;
  std::string message = "dpasw takes half of its operand from the thread on the fused EU, but " + why;
  if (partner != nullptr) message += ": " + describe_position(code_, *partner);
  raise_fault(FaultKind::FusedPair, pc, -1, std::move(message));
}

void UnitRunner::fail_all_wait(const Unit& unit) {
  const Thread* first = nullptr;
  for (uint32_t index = 0; index < unit.thread_count() && first == nullptr; ++index) first = unit.thread(index).get();
  current_ = first;
  const Group& group = unit.groups[0];
  std::string message = "no thread of the group can go on";
  std::string separator = ": ";
  const auto add = [&](const std::string& text) {
    message += separator + text;
    separator = ", ";
  };
  const auto of = [](uint32_t arrived, uint32_t expected) {
    return std::to_string(arrived) + " of " + std::to_string(expected) + " ";
  };
  bool named = false;
  for (size_t id = 0; id < group.named_barriers.size(); ++id) {
    const NamedBarrier& barrier = group.named_barriers[id];
    if (barrier.producers == 0 && barrier.consumers == 0) continue;
    named = true;
    add("named barrier " + std::to_string(id) + " has the signals of " +
        of(barrier.producers_arrived, barrier.producers) + "producers and " +
        of(barrier.consumers_arrived, barrier.consumers) + "consumers");
  }
  const bool at_group = group.barrier_arrived != 0 || !named;
  if (at_group) add(of(group.barrier_arrived, unit.threads_per_group) + "threads have come to the barrier");
  message += ". " + describe_threads(code_, unit);
  raise_fault(at_group ? FaultKind::BarrierDivergence : FaultKind::Deadlock, first->waiting_pc, -1, std::move(message));
}

}  // namespace xeforge::machine
