// SPDX-License-Identifier: Apache-2.0
#include "observe/check/checker.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>

#include "observe/check/hazards.h"
#include "observe/check/init.h"
#include "observe/check/races.h"
#include "observe/check/sync.h"

namespace xeforge::observe::check {
namespace {

using machine::Footprint;
using machine::Group;
using machine::Thread;
using machine::Uop;

/// One call in this many is timed. A prime, so that loops of a kernel do not keep step with it.
constexpr uint32_t kSample = 127;

/// A clock of a few nanoseconds: calls of the checkers are not much longer.
uint64_t ticks() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

/// Share of a worker's time that is spent in the checkers, estimated from samples.
class Sampler {
 public:
  Sampler() {
    constexpr int kTries = 16;
    for (int i = 0; i < kTries; ++i) {
      const uint64_t first = ticks();
      clock_ = std::min(clock_, ticks() - first);
    }
    born_ = ticks();
    born_wall_ = seconds(CLOCK_MONOTONIC);
    born_cpu_ = seconds(CLOCK_THREAD_CPUTIME_ID);
  }
  class Scope {
   public:
    explicit Scope(Sampler& sampler) : sampler_(sampler), timed_(--sampler.left_ == 0) {
      if (!timed_) return;
      sampler.left_ = kSample;
      begin_ = ticks();
    }
    ~Scope() {
      if (!timed_) return;
      // Far longer: the host ran something else meanwhile.
      constexpr uint64_t kInterrupted = 1u << 17;
      const uint64_t took = std::min(ticks() - begin_, kInterrupted);
      sampler_.total_ += took > sampler_.clock_ ? took - sampler_.clock_ : 0;
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Sampler& sampler_;
    const bool timed_;
    uint64_t begin_ = 0;
  };
  double checking() const { return static_cast<double>(total_) * kSample; }
  /// Of the thread on a processor: on a busy host most of the time is somebody else's. To be asked on that thread.
  double living() const {
    const double wall = seconds(CLOCK_MONOTONIC) - born_wall_, cpu = seconds(CLOCK_THREAD_CPUTIME_ID) - born_cpu_;
    return wall > 0 ? static_cast<double>(ticks() - born_) * std::min(1.0, cpu / wall) : 0;
  }

 private:
  static double seconds(clockid_t clock) {
    timespec t{};
    clock_gettime(clock, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  }
  uint32_t left_ = kSample;      ///< calls until the next one that is timed
  uint64_t clock_ = UINT64_MAX;  ///< what reading the clock takes itself
  uint64_t born_ = 0, total_ = 0;
  double born_wall_ = 0, born_cpu_ = 0;
};

machine::Observer::Detail detail_for(Selection selection, const machine::LaunchContext& context) {
  const bool all =
      selection.has(Topic::Init) || (selection.has(Topic::Hazards) && needs_every_instruction(*context.code));
  return all ? machine::Observer::Detail::Instructions : machine::Observer::Detail::Sends;
}

class WorkerChecker final : public machine::Observer {
 public:
  WorkerChecker(Selection selection, const machine::LaunchContext& context, const ArgumentRules& rules,
                const Environment& environment)
      : Observer(detail_for(selection, context)),
        needs_all_footprints_(selection.has(Topic::Races) || selection.has(Topic::Init)) {
    if (selection.has(Topic::Memory)) memory_ = make<MemoryPart>(rules, environment);
    watches_stores_ = rules.any_read_only();
    if (selection.has(Topic::Races)) races_ = make<RacesPart>(context);
    if (selection.has(Topic::Init)) init_ = make<InitPart>(context, environment);
    if (selection.has(Topic::Hazards)) hazards_ = make<HazardsPart>(context);
    if (selection.has(Topic::Sync)) sync_ = make<SyncPart>(context);
  }

  Findings findings;
  Work work;
  const Sampler& sampler() const { return sampler_; }

  void group_begins(const Group& group, uint32_t) override {
    for (const auto& part : parts_) part->group_begins(group);
  }
  void group_ends(const Group& group) override {
    for (const auto& part : parts_) part->group_ends(group);
  }
  void thread_begins(Thread& t) override {
    for (const auto& part : parts_) part->thread_begins(t);
  }
  void thread_ends(Thread& t) override {
    for (const auto& part : parts_) part->thread_ends(t);
  }
  void block(Thread& t, uint32_t block) override {
    const Sampler::Scope timed(sampler_);
    bool each = false;
    if (races_ != nullptr) races_->block(t, block);
    if (hazards_ != nullptr) each = hazards_->block(t, block);
    if (sync_ != nullptr) sync_->block(t, block);
    if (init_ != nullptr) init_->block(t, block);
    stepping_ = each;
    choose_calls();
  }
  void before(Thread& t, const Uop& u) override {
    const Sampler::Scope timed(sampler_);
    if (init_ != nullptr && !u.inst->is_send()) init_->before(t, u);
    if (stepping_) hazards_->before(t, u);
    if (u.inst->is_send()) message(t, u);
  }
  // Wanted behind messages that are part of a race only.
  void after(Thread& t, const Uop& u) override {
    if (!conflicts_) return;
    conflicts_ = false;
    choose_calls();
    races_->sent(t, u);
  }
  void barrier_completes(Group& group, int named) override {
    for (const auto& part : parts_) part->barrier_completes(group, named);
  }
  bool tolerates(Thread& t, const machine::FaultException& fault) override {
    return !describing_ && memory_ != nullptr && memory_->tolerates(t, fault);
  }

 private:
  template <class P, class... Arguments>
  P* make(Arguments&&... arguments) {
    auto part = std::make_unique<P>(findings, std::forward<Arguments>(arguments)...);
    P* raw = part.get();
    parts_.push_back(std::move(part));
    return raw;
  }

  /// Instructions that are no messages come only in blocks that a checker cannot pass as a whole.
  void choose_calls() {
    const bool others = stepping_ || (init_ != nullptr && !init_->quiet());
    want(static_cast<uint8_t>(BeforeSend | (others ? BeforeOther : 0) | (conflicts_ ? AfterSend : 0)));
  }

  void message(Thread& t, const Uop& u) {
    ++work.messages;
    conflicts_ = false;
    if (!needs_all_footprints_ && !(sync_ != nullptr && SyncPart::looks_at(u.inst->msg)) &&
        !(memory_ != nullptr && is_rare(u)))
      return;
    Footprint& footprint = message_.footprint;
    describing_ = true;
    bool described = true;
    try {
      machine::footprint(t, u, footprint);
    } catch (const machine::FaultException&) {
      described = false;  // the handler will say the same
    }
    describing_ = false;
    if (described) {
      message_.find_runs(u.channel_offset);
      work.bytes += message_.bytes;
      if (memory_ != nullptr) memory_->send(t, u, footprint);
      if (races_ != nullptr) conflicts_ = races_->send(t, u, message_);
      if (init_ != nullptr) init_->send(t, u, message_);
      if (sync_ != nullptr) sync_->send(t, u, footprint);
    } else if (init_ != nullptr) {
      init_->unknown_send();
    }
    if (conflicts_ || init_ != nullptr) choose_calls();
  }

  /// Messages that the memory checker looks at itself: prefetches, and stores where arguments are read-only.
  bool is_rare(const Uop& u) const {
    const isa::Message& m = u.inst->msg;
    const bool load = m.kind == isa::MessageKind::Load || m.kind == isa::MessageKind::LoadCmask ||
                      m.kind == isa::MessageKind::LoadBlock2d;
    if (m.desc_in_reg || (load && (u.dst.null || m.is_prefetch()))) return true;
    return watches_stores_ && !load;
  }

  const bool needs_all_footprints_;
  std::vector<std::unique_ptr<Part>> parts_;
  MemoryPart* memory_ = nullptr;
  RacesPart* races_ = nullptr;
  InitPart* init_ = nullptr;
  HazardsPart* hazards_ = nullptr;
  SyncPart* sync_ = nullptr;
  Message message_;
  bool describing_ = false;
  bool stepping_ = false;   ///< the hazard checker follows the block under way instruction by instruction
  bool conflicts_ = false;  ///< the message under way is part of a race
  bool watches_stores_ = false;
  Sampler sampler_;
};

constexpr int kContextBefore = 2, kContextAfter = 2;

std::string line_of(const isa::Program& program, uint32_t pc, bool marked) {
  char head[32];
  std::snprintf(head, sizeof head, "%c 0x%04x  ", marked ? '>' : ' ', pc);
  return head + program.text(pc);
}

}  // namespace

Work& Work::operator+=(const Work& other) {
  launches += other.launches;
  threads += other.threads;
  instructions += other.instructions;
  messages += other.messages;
  bytes += other.bytes;
  host_seconds += other.host_seconds;
  checker_seconds += other.checker_seconds;
  return *this;
}

double Work::slowdown() const {
  const double plain = host_seconds - checker_seconds;
  return plain > 0 && host_seconds > 0 ? host_seconds / plain : 1;
}

Checker::Checker(Selection selection, const machine::Launch& launch, const Environment& environment)
    : selection_(selection), launch_(launch), environment_(environment), rules_(launch) {}

Checker::~Checker() = default;

machine::RunOptions Checker::options(machine::RunOptions from) {
  from.observation = this;
  if (selection_.has(Topic::Races) || selection_.has(Topic::Init)) from.host_threads = 1;
  return from;
}

std::unique_ptr<machine::Observer> Checker::begin_worker(const machine::LaunchContext& context) {
  return std::make_unique<WorkerChecker>(selection_, context, rules_, environment_);
}

void Checker::end_worker(std::unique_ptr<machine::Observer> observer) {
  auto& worker = static_cast<WorkerChecker&>(*observer);
  const std::lock_guard lock(mutex_);
  findings_.merge(std::move(worker.findings));
  checking_ += worker.sampler().checking();
  living_ += worker.sampler().living();
  work_ += worker.work;
}

Result Checker::finish(const machine::LaunchResult& result) {
  if (selection_.has(Topic::Memory)) {
    uint32_t number = 0;
    for (const std::string& text : rules_.overlaps()) {
      findings_.add(Kind::OverlappingArguments, Findings::kNoPc, number++, 0, [&] {
        Finding finding;
        finding.message = text;
        return finding;
      });
    }
  }
  if (result.fault && result.fault->kind == machine::FaultKind::InvalidLaunch && selection_.has(Topic::Memory))
    judge_arguments();
  if (result.fault) {
    const machine::Fault& fault = *result.fault;
    Kind kind = Kind::Count_;
    if (selection_.has(Topic::Memory)) kind = MemoryPart::kind_of(fault.kind);
    if (kind == Kind::Count_ && selection_.has(Topic::Sync)) kind = SyncPart::kind_of(fault.kind);
    if (kind != Kind::Count_) {
      findings_.add(kind, fault.pc, Findings::kNoPc, 0, [&] {
        Finding finding;
        finding.message = fault.message;
        // A deadlock's text says itself who stands where.
        if (kind == Kind::Deadlock) return finding;
        finding.first.pc = fault.pc;
        finding.first.has_pc = finding.first.has_thread = true;
        finding.first.group = fault.group;
        finding.first.thread = fault.thread;
        finding.first.lanes = fault.lane < 0 ? 0 : 1u << fault.lane;
        return finding;
      });
    }
  }
  Result out;
  out.findings = findings_.take();
  for (Finding& finding : out.findings) complete(finding);
  work_.launches = 1;
  work_.threads = result.counts.threads;
  for (const uint64_t n : result.counts.executed) work_.instructions += n;
  work_.host_seconds = result.host_seconds;
  // Samples that the host interrupted may add up to more than the whole.
  constexpr double kMost = 0.98;
  if (living_ > 0) work_.checker_seconds = result.host_seconds * std::min(kMost, checking_ / living_);
  out.work = work_;
  return out;
}

// The machine refuses launches whose surfaces lie in no allocation.
void Checker::judge_arguments() {
  for (size_t i = 0; i < launch_.arguments.size(); ++i) {
    const uint64_t pointer = launch_.arguments[i].pointer;
    if (launch_.arguments[i].kind != machine::ArgumentValue::Kind::Pointer || pointer == 0 ||
        (launch_.memory != nullptr && launch_.memory->find(pointer) != nullptr))
      continue;
    Kind kind = Kind::OutOfBounds;
    char address[32];
    std::snprintf(address, sizeof address, "0x%llx", static_cast<unsigned long long>(pointer));
    std::string message = "argument " + std::to_string(i) + " is the pointer " + address;
    if (const auto freed = environment_.freed ? environment_.freed(pointer) : std::nullopt) {
      kind = Kind::UseAfterFree;
      message += ", which lies in " + *freed + ": it was freed before this launch";
    } else if (environment_.is_host_memory && environment_.is_host_memory(pointer)) {
      kind = Kind::WrongMemoryKind;
      message += ", memory of the host program (its heap, stack or data), not USM";
    } else {
      message += ", which lies in no allocation of the device";
    }
    findings_.add(kind, Findings::kNoPc, static_cast<uint32_t>(i), 0, [&] {
      Finding finding;
      finding.message = message;
      return finding;
    });
  }
}

void Checker::complete(Finding& finding) const {
  const machine::Kernel& kernel = *launch_.kernel;
  const isa::Program& program = *kernel.program;
  finding.kernel = kernel.name;
  const auto describe = [&](Place& place) {
    if (!place.has_pc) return;
    place.text = program.text(place.pc);
    if (environment_.source_line) place.source = environment_.source_line(place.pc);
  };
  describe(finding.first);
  if (finding.other) describe(*finding.other);
  if (!finding.first.has_pc) return;
  const int at = program.index_of(finding.first.pc);
  const auto instructions = program.instructions();
  for (int i = at - kContextBefore; i <= at + kContextAfter; ++i) {
    if (at < 0 || i < 0 || i >= static_cast<int>(instructions.size())) continue;
    finding.context.push_back(line_of(program, instructions[static_cast<size_t>(i)].pc, i == at));
  }
}

}  // namespace xeforge::observe::check
