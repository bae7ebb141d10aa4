// SPDX-License-Identifier: Apache-2.0
#include "machine/scheduler.h"

#include <algorithm>
#include <string>

#include "device/occupancy.h"
#include "machine/code.h"
#include "machine/observer.h"

namespace xeforge::machine {
namespace {

/// Default patience: long enough for the slowest honest kernels (a single thread runs 100 million
/// instructions in a second or two), more of it where many threads share the time.
constexpr uint64_t kWatchdogFloor = uint64_t{1} << 32;
constexpr uint64_t kWatchdogPerThread = uint64_t{1} << 22;
/// Rounds over all units of a worker, without any change in any of them, that prove a deadlock: in the
/// first one a unit may still store what another one waits for.
constexpr uint64_t kQuietRounds = 2;

void raise(std::atomic<uint64_t>& lowest, uint64_t candidate) {
  uint64_t seen = lowest.load();
  while (candidate < seen && !lowest.compare_exchange_weak(seen, candidate)) {
  }
}

}  // namespace

uint64_t resident_groups(const Launch& launch, const LaunchContext& context) {
  const Kernel& kernel = *launch.kernel;
  const uint32_t items = launch.local[0] * launch.local[1] * launch.local[2];
  const uint32_t dynamic_slm = context.slm_bytes - std::min(context.slm_bytes, kernel.binary.slm_size);
  const device::OccupancyQuery query = device::query_for(kernel.binary, items, dynamic_slm);
  const uint64_t per_core = device::resident_groups_per_core(*kernel.device, query);
  return std::max<uint64_t>(1, per_core * kernel.device->xe_cores());
}

Scheduler::Scheduler(Payload& payload, const RunOptions& options, uint64_t resident_groups)
    : payload_(payload), options_(options), code_(*payload.context().code), stuck_threads_(code_) {
  units_ = payload.group_count() / payload.groups_per_unit();
  resident_units_ = std::max<uint64_t>(1, resident_groups / payload.groups_per_unit());
  watchdog_ = options.watchdog_instructions;
  if (watchdog_ == 0) {
    const uint64_t threads =
        std::min(resident_units_, units_) * payload.groups_per_unit() * payload.threads_per_group();
    watchdog_ = std::max(kWatchdogFloor, kWatchdogPerThread * threads);
  }
  block_counts_.resize(code_.blocks.size());
}

unsigned Scheduler::useful_workers(unsigned wanted) const {
  if (code_.single_worker) return 1;
  return static_cast<unsigned>(std::min<uint64_t>({wanted, units_, resident_units_}));
}

bool Scheduler::can_admit() const {
  if (next_unit_.load(std::memory_order_relaxed) >= units_) return false;
  const std::lock_guard lock(mutex_);
  return !free_slots_.empty() || slots_made_ < resident_units_;
}

std::unique_ptr<Unit> Scheduler::admit(UnitRunner& runner) {
  if (next_unit_.load(std::memory_order_relaxed) >= units_) return nullptr;
  uint32_t slot = 0;
  {
    const std::lock_guard lock(mutex_);
    if (!free_slots_.empty()) {
      slot = free_slots_.back();
      free_slots_.pop_back();
    } else if (slots_made_ < resident_units_) {
      slot = slots_made_++;
    } else {
      return nullptr;
    }
  }
  const uint64_t unit = next_unit_.fetch_add(1);
  const uint64_t first_group = unit * payload_.groups_per_unit();
  if (unit >= units_ || first_group > fault_group_.load()) {
    const std::lock_guard lock(mutex_);
    free_slots_.push_back(slot);
    return nullptr;
  }
  return runner.begin(first_group, payload_.groups_per_unit(), slot);
}

void Scheduler::release(UnitRunner& runner, std::unique_ptr<Unit> unit) {
  {
    const std::lock_guard lock(mutex_);
    free_slots_.push_back(unit->slot);
    threads_ended_ += unit->finished();
    if (unit->finished() == unit->thread_count()) groups_ended_ += unit->group_count;
  }
  runner.retire(std::move(unit));
}

bool Scheduler::give_up() const {
  return stuck_.load(std::memory_order_relaxed) ||
         (options_.cancel != nullptr && options_.cancel->load(std::memory_order_relaxed));
}

void Scheduler::record(const FaultException& e, const Thread* thread) {
  Fault fault;
  fault.kind = e.kind;
  fault.kernel = payload_.context().launch->kernel->name;
  fault.pc = e.pc;
  fault.lane = e.lane;
  fault.message = e.message;
  fault.text = code_.program->text(e.pc);
  uint64_t linear = 0;
  if (thread != nullptr && thread->group != nullptr) {
    fault.group = thread->group->id;
    fault.thread = thread->id;
    linear = thread->group->linear;
  }
  const std::lock_guard lock(mutex_);
  // Workers differ in speed: whoever comes later may have met the earlier group.
  if (linear < fault_group_.load() || !fault_) fault_ = std::move(fault);
  raise(fault_group_, linear);
}

void Scheduler::note_turn(Outcome outcome, bool progressed, uint64_t executed) {
  if (outcome != Outcome::Spinning || progressed) epoch_.fetch_add(1);
  if (progressed) {
    if (stalled_.load(std::memory_order_relaxed) != 0) stalled_.store(0);
    return;
  }
  if (stalled_.fetch_add(executed) + executed > watchdog_) stop_stuck(FaultKind::Watchdog);
}

void Scheduler::stop_stuck(FaultKind kind) {
  const std::lock_guard lock(mutex_);
  if (stuck_.load()) return;
  stuck_kind_ = kind;
  stuck_.store(true);
}

void Scheduler::note_quiet(uint64_t epoch) {
  bool all = false;
  {
    const std::lock_guard lock(mutex_);
    if (quiet_epoch_ != epoch) quiet_workers_ = 0;
    quiet_epoch_ = epoch;
    ++quiet_workers_;
    all = quiet_workers_ >= live_workers_ && epoch_.load() == epoch;
  }
  if (all) stop_stuck(FaultKind::Deadlock);
}

void Scheduler::leave(Suspended& suspended, const std::vector<uint64_t>& block_counts) {
  const std::lock_guard lock(mutex_);
  --live_workers_;
  epoch_.fetch_add(1);  // the others count anew who is quiet
  if (stuck_.load()) {
    for (const auto& unit : suspended) stuck_threads_.add(*unit);
  }
  for (const auto& unit : suspended) threads_ended_ += unit->finished();
  for (size_t i = 0; i < block_counts.size(); ++i) block_counts_[i] += block_counts[i];
}

void Scheduler::work(unsigned) {
  Worker worker;
  worker.context = &payload_.context();
  worker.memory = &payload_.memory();
  worker.block_counts.resize(code_.blocks.size());
  std::unique_ptr<Observer> observer;
  if (options_.observation != nullptr) observer = options_.observation->begin_worker(payload_.context());
  worker.observer = observer.get();
  UnitRunner runner(payload_, worker);
  Suspended suspended;
  {
    const std::lock_guard lock(mutex_);
    ++live_workers_;
    epoch_.fetch_add(1);  // it may begin units
  }
  const std::function<bool()> stop = [this] { return give_up(); };
  bool admit_next = true;
  uint64_t quiet_epoch = UINT64_MAX, quiet_turns = 0;
  while (!give_up()) {
    std::unique_ptr<Unit> unit;
    if (admit_next || suspended.empty()) unit = admit(runner);
    const bool admitted = unit != nullptr;
    if (unit == nullptr) {
      if (suspended.empty()) break;
      unit = std::move(suspended.front());
      suspended.pop_front();
    }
    // New units and old ones take turns: what an old one waits for may lie on either side.
    admit_next = !admitted;
    if (past_fault(*unit)) {
      release(runner, std::move(unit));
      continue;
    }
    const uint64_t epoch = epoch_.load();
    const uint64_t before = unit->progress();
    Outcome outcome = Outcome::Finished;
    try {
      outcome = runner.advance(*unit, stop);
    } catch (const FaultException& e) {
      record(e, runner.faulting());
      epoch_.fetch_add(1);
      release(runner, std::move(unit));
      continue;
    }
    const bool progressed = unit->progress() != before;
    note_turn(outcome, progressed, runner.executed());
    if (outcome == Outcome::Finished) {
      release(runner, std::move(unit));
      continue;
    }
    suspended.push_back(std::move(unit));
    if (outcome != Outcome::Spinning || progressed || admitted || epoch != quiet_epoch) {
      quiet_epoch = epoch_.load();
      quiet_turns = 0;
      continue;
    }
    if (++quiet_turns == kQuietRounds * suspended.size() && !can_admit()) note_quiet(epoch);
  }
  leave(suspended, worker.block_counts);
  if (observer != nullptr) options_.observation->end_worker(std::move(observer));
}

ExecutionCounts Scheduler::counts() const {
  ExecutionCounts counts;
  counts.executed.resize(code_.program->instructions().size());
  for (size_t b = 0; b < code_.blocks.size(); ++b) {
    const Block& block = code_.blocks[b];
    for (uint32_t i = 0; i < block.inst_count; ++i) counts.executed[block.inst_first + i] += block_counts_[b];
  }
  counts.threads = threads_ended_;
  counts.groups = groups_ended_;
  return counts;
}

std::optional<Fault> Scheduler::fault() const {
  if (fault_) return fault_;
  Fault fault;
  fault.kernel = payload_.context().launch->kernel->name;
  if (stuck_.load()) {
    fault.kind = stuck_kind_;
    fault.message =
        stuck_kind_ == FaultKind::Deadlock
            ? "every thread that is resident waits or repeats a polling loop whose value nobody can change any more"
            : "no thread ended and no barrier was completed for more than " + std::to_string(watchdog_) +
                  " instructions";
    fault.message += " (" + std::to_string(groups_ended_) + " of " + std::to_string(payload_.group_count()) +
                     " groups had ended, " + std::to_string(resident_units_ * payload_.groups_per_unit()) +
                     " fit on the device at a time): " + stuck_threads_.text();
    return fault;
  }
  if (options_.cancel != nullptr && options_.cancel->load() && groups_ended_ != payload_.group_count()) {
    fault.kind = FaultKind::Cancelled;
    fault.message = "stopped by the host after " + std::to_string(groups_ended_) + " of " +
                    std::to_string(payload_.group_count()) + " groups";
    return fault;
  }
  return std::nullopt;
}

}  // namespace xeforge::machine
