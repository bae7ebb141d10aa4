// SPDX-License-Identifier: Apache-2.0
#include <cfenv>
#include <cstdlib>
#include <cstring>
#include <string>

#include "machine/code.h"
#include "machine/exec/exec.h"
#include "machine/observer.h"

namespace xeforge::machine {
namespace {

/// cr0.0[5:4]: 0 nearest even, 1 up, 2 down, 3 to zero (PRM "Control Register").
int host_rounding(const Thread& t) {
  constexpr int kModes[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  uint32_t cr0;
  std::memcpy(&cr0, t.at(regspace::kControl), 4);
  return kModes[(cr0 >> 4) & 3u];
}

/// The host's rounding mode is borrowed while a thread runs and given back whatever happens.
class RoundingGuard {
 public:
  explicit RoundingGuard(const Thread& t) : saved_(std::fegetround()) { apply_control_register(t); }
  ~RoundingGuard() {
    if (std::fegetround() != saved_) std::fesetround(saved_);
  }
  RoundingGuard(const RoundingGuard&) = delete;
  RoundingGuard& operator=(const RoundingGuard&) = delete;

 private:
  int saved_;
};

}  // namespace

void apply_control_register(const Thread& t) {
  const int wanted = host_rounding(t);
  if (std::fegetround() != wanted) std::fesetround(wanted);
}

void raise_fault(FaultKind kind, uint32_t pc, int32_t lane, std::string message) {
  throw FaultException(kind, pc, lane, std::move(message));
}
void raise_fault(FaultKind kind, uint32_t pc, int32_t lane, const char* message) {
  throw FaultException(kind, pc, lane, message);
}

namespace {

struct Plain {
  Plain(const Worker&, const Code&) {}
  void block(Thread&, uint32_t) const {}
  void execute(Thread& t, const Uop& u) const { u.fn(t, u); }
  void before(Thread&, const Uop&) const {}
  void after(Thread&, const Uop&) const {}
};

struct Watched {
  Watched(const Worker& worker, const Code& code)
      : observer(*worker.observer), watched(observer.watched(code)), uops(code.uops.data()) {}
  Observer& observer;
  const uint8_t* watched;
  const Uop* uops;

  static constexpr unsigned kBefore = Observer::BeforeSend | Observer::BeforeOther;
  static constexpr unsigned kAfter = Observer::AfterSend | Observer::AfterOther;
  unsigned of(const Uop& u) const { return watched[&u - uops]; }
  void block(Thread& t, uint32_t b) const { observer.block(t, b); }
  void before(Thread& t, const Uop& u) const {
    if (of(u) != 0) observer.before(t, u);
  }
  void after(Thread& t, const Uop& u) const {
    if (of(u) != 0) observer.after(t, u);
  }
  void execute(Thread& t, const Uop& u) const {
    const unsigned all = of(u);
    if ((all & observer.calls() & kBefore) != 0) observer.before(t, u);
    u.fn(t, u);
    // Asked again: what `before` saw may decide whether it wants to see the result.
    if ((all & observer.calls() & kAfter) != 0) observer.after(t, u);
  }
};

template <class Policy>
void run(const Code& code, Thread& t) {
  const Policy policy(*t.worker, code);
  uint64_t* counts = t.worker->block_counts.data();
  while (t.status == ThreadStatus::Ready) {
    const uint32_t b = code.block_of_uop[t.next];
    const Block& block = code.blocks[b];
    const Uop* u = code.uops.data() + block.first;
    const Uop* end = u + block.count;
    if (code.has_dpasw && u->inst->op == isa::Opcode::Dpasw) {
      t.status = ThreadStatus::AtPair;
      t.waiting_pc = u->pc;
      return;
    }
    ++counts[b];
    policy.block(t, b);
    t.budget -= block.inst_count;
    t.next = block.first + block.count;
    for (; u != end; ++u) policy.execute(t, *u);
    if (t.budget < 0 && t.status == ThreadStatus::Ready) t.status = ThreadStatus::Yielded;
  }
}

template <class Policy>
void run_pair(const Code& code, Thread& even, Thread& odd) {
  const Policy policy(*even.worker, code);
  const uint32_t b = code.block_of_uop[even.next];
  const Block& block = code.blocks[b];
  for (Thread* t : {&even, &odd}) policy.block(*t, b);
  for (UopIndex i = block.first; i != block.first + block.count; ++i) {
    const Uop& u = code.uops[i];
    const auto own = static_cast<uint32_t>(u.src[2].value);
    const uint32_t rows = u.inst->dpas.repeat_count;
    const uint32_t first = (rows + 1) / 2 * 32;
    for (Thread* t : {&even, &odd}) {
      std::memcpy(t->at(regspace::kPairOperand), even.at(own), first);
      std::memcpy(t->at(regspace::kPairOperand + first), odd.at(own), rows * 32 - first);
    }
    for (Thread* t : {&even, &odd}) policy.before(*t, u);
    for (Thread* t : {&even, &odd}) u.fn(*t, u);
    for (Thread* t : {&even, &odd}) policy.after(*t, u);
  }
  for (Thread* t : {&even, &odd}) {
    ++t->worker->block_counts[b];
    t->budget -= block.inst_count;
    t->next = block.first + block.count;
    t->status = ThreadStatus::Ready;
  }
}

}  // namespace

void run_thread(const Code& code, Thread& t) {
  const RoundingGuard rounding(t);
  if (t.worker->observer == nullptr) return run<Plain>(code, t);
  run<Watched>(code, t);
}

void run_dpasw_pair(const Code& code, Thread& even, Thread& odd) {
  if (even.worker->observer == nullptr) return run_pair<Plain>(code, even, odd);
  run_pair<Watched>(code, even, odd);
}

}  // namespace xeforge::machine
