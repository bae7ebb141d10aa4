// SPDX-License-Identifier: Apache-2.0
#include "timing/simulate.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <memory>
#include <string>
#include <tuple>

#include "device/occupancy.h"
#include "machine/worker_pool.h"
#include "timing/core.h"
#include "timing/memory.h"

namespace xeforge::timing {
namespace {

using observe::Recording;

GroupNeeds needs_of(const Recording& r, const device::Device& device, const Parameters& p) {
  GroupNeeds needs;
  needs.slots = r.grf > 128 ? p.slots / 2 : p.slots;
  needs.positions = (r.threads_per_group + (p.fused ? 1 : 0)) / (p.fused ? 2 : 1);
  needs.slm_bytes = device.slm_allocation(r.slm_bytes);
  needs.barriers = r.barriers;
  return needs;
}

unsigned resident(const GroupNeeds& n, const Parameters& p) {
  uint64_t groups = std::min<uint64_t>(p.groups, uint64_t{p.engines} * n.slots / std::max(1U, n.positions));
  if (n.slm_bytes != 0) groups = std::min(groups, p.slm_bytes / n.slm_bytes);
  if (n.barriers != 0) groups = std::min<uint64_t>(groups, p.barriers / n.barriers);
  return static_cast<unsigned>(groups);
}

/// Groups dispatched to a core at once, as Intel's driver sets up the walker of devices with all their Xe-cores:
/// compute-runtime, encodeThreadGroupDispatch, its second algorithm.
unsigned dispatch_size(const Recording& r, const Parameters& p) {
  const auto [x, y, z] = r.grid;
  unsigned size = 8;
  const uint32_t dimension = x > 1 && (y > 1 || z > 1) ? x : y > 1 && z > 1 ? y : 0;
  while (dimension % size != 0) size /= 2;
  while (size > 1 && r.groups_in_grid / size < p.cores) size /= 2;
  const unsigned threads = p.engines * (p.fused ? 2 : 1) * (r.grf > 128 ? p.slots / 2 : p.slots);
  while (size > 1 && size * r.threads_per_group > threads) size /= 2;
  return size;
}

class Simulation {
 public:
  Simulation(const Recording& recording, const device::Device& device, const Parameters& p, const Options& options)
      : recording_(recording),
        p_(p),
        options_(options),
        program_(*recording.program, p),
        needs_(needs_of(recording, device, p)),
        resident_(resident(needs_, p)),
        dispatch_size_(dispatch_size(recording, p)),
        whole_(options.cores == 0 || options.cores >= p.cores),
        core_count_(whole_ ? p.cores : options.cores),
        dealt_(!whole_) {
    if (resident_ == 0)
      throw std::invalid_argument("timing: a group of " + recording.kernel + " does not fit into a core");
    deal_out();
    const auto active = static_cast<double>(std::min<uint64_t>(p.cores, recording.groups_in_grid));
    share_ = whole_ ? 1 : std::max(1.0, active / core_count_);
    memory_ = std::make_unique<Memory>(p, core_count_, share_);
    if (options.warm) warm_up();
    const uint64_t l1 = l1_bytes_beside(p, uint64_t{needs_.slm_bytes} * resident_);
    for (unsigned c = 0; c < core_count_; ++c) {
      cores_.push_back(std::make_unique<Core>(static_cast<uint16_t>(c), recording, program_, p, needs_, l1,
                                              c < options.traced_cores));
    }
  }

  Result run() {
    dispatcher_ = front();
    place_first();
    const Ticks window = std::max<Ticks>(ticks(p_.l2_latency), kTicksPerClock);
    std::vector<Request> requests;
    for (;;) {
      Ticks now = kPending;
      for (const auto& core : cores_) now = std::min({now, core->next_event(), core->next_request()});
      if (now == kPending) break;
      const Ticks until = now + window;
      advance(until);
      requests.clear();
      for (const auto& core : cores_) core->take_requests(until, requests);
      std::sort(requests.begin(), requests.end(), [](const Request& a, const Request& b) {
        return std::tuple(a.time, a.core, a.sequence) < std::tuple(b.time, b.core, b.sequence);
      });
      for (const Request& r : requests) cores_[r.core]->answer(r, memory_->serve(r));
      requests.clear();
      dispatch_freed(until);
    }
    return result();
  }

 private:
  /// Which groups are simulated, and where they may run.
  void deal_out() {
    queues_.resize(dealt_ ? core_count_ : 1);
    uint64_t wanted = 0;
    for (uint32_t g = 0; g < recording_.groups.size(); ++g) {
      const uint64_t core = core_of(recording_.groups[g].linear);
      if (!whole_ && core >= core_count_) continue;
      queues_[dealt_ ? core : 0].push_back(g);
      ++wanted;
    }
    const uint64_t expected = whole_ ? recording_.groups_in_grid : [&] {
      uint64_t n = 0;
      for (uint64_t linear = 0; linear < recording_.groups_in_grid; ++linear) n += core_of(linear) < core_count_;
      return n;
    }();
    if (wanted != expected)
      throw std::invalid_argument("timing: the recording of " + recording_.kernel + " has " + std::to_string(wanted) +
                                  " of the " + std::to_string(expected) + " groups that are to be simulated");
    groups_ = wanted;
    simulated_ = wanted;
    if (options_.most_instructions_per_core == 0 || wanted == 0) return;
    const uint64_t per_group = std::max<uint64_t>(1, recording_.instructions / recording_.groups_in_grid);
    // At least the filling, a steady state and the draining.
    const uint64_t per_core =
        std::max<uint64_t>(uint64_t{kRounds} * resident_, options_.most_instructions_per_core / per_group);
    const uint64_t limit = per_core * core_count_;
    if (limit >= wanted) return;
    simulated_ = 0;
    for (auto& queue : queues_) {
      queue.resize(std::min<size_t>(queue.size(), limit / queues_.size()));
      simulated_ += queue.size();
    }
  }

  /// Earlier launches of the same kernel left their lines in the L2, as far as they fit. Of memory that takes turns,
  /// this launch uses what was used `turns` launches ago.
  void warm_up() {
    // What takes turns and fills the L2 leaves nothing of the launches before.
    const uint64_t l2_lines = p_.l2_bytes >> observe::kLineShift;
    const uint64_t enough = options_.turn_lines == 0 ? 1 : (l2_lines + options_.turn_lines - 1) / options_.turn_lines;
    for (auto ago = static_cast<unsigned>(std::min<uint64_t>(options_.turns, enough)); ago != 0; --ago)
      launch_before(ago % options_.turns);
  }

  /// `turn`: which of the memories that take turns it used; 0: the one of this launch. Threads that are resident
  /// together touch their lines in turn: what is larger than the L2 is then not found again, as on the device.
  void launch_before(unsigned turn) {
    struct Part {
      observe::MessageReader reader;
      const std::byte* end;
    };
    const std::byte* const begin = recording_.messages.data();
    const size_t together = size_t{resident_} * core_count_;
    std::vector<uint32_t> groups;
    for (const auto& queue : queues_) groups.insert(groups.end(), queue.begin(), queue.end());
    std::sort(groups.begin(), groups.end());
    observe::RecordedMessage m;
    for (size_t first = 0; first < groups.size(); first += together) {
      std::vector<Part> parts;
      for (size_t g = first; g < std::min(groups.size(), first + together); ++g) {
        for (uint32_t t = 0; t < recording_.threads_per_group; ++t) {
          const size_t thread = size_t{recording_.groups[groups[g]].first_thread} + t;
          const bool last = thread + 1 == recording_.threads.size();
          parts.push_back({observe::MessageReader(begin + recording_.threads[thread].messages),
                           begin + (last ? recording_.messages.size() : recording_.threads[thread + 1].messages)});
        }
      }
      for (bool more = true; more;) {
        more = false;
        for (Part& part : parts) {
          if (part.reader.position() >= part.end) continue;
          more = true;
          part.reader.next(m);
          if (m.space != observe::RecordedMessage::Space::Global) continue;
          for (uint32_t i = 0; i < m.lines; ++i) {
            uint64_t line = m.line_at(i);
            if (line - options_.turn_first_line < options_.turn_lines) line += turn * kTurnDistance;
            memory_->touched_before(line, m.kind == observe::RecordedMessage::Kind::Store);
          }
        }
      }
    }
  }

  Ticks front() const { return ticks(p_.launch_front_us * p_.clock_mhz); }

  /// Groups that a core gets one after the other while there is room everywhere.
  unsigned in_a_row() const {
    const auto wanted = static_cast<unsigned>(p_.groups_in_a_row);
    return std::min(wanted == 0 ? dispatch_size_ : wanted, resident_);
  }
  /// As the dispatcher fills the cores at first; later groups are taken to follow in the same order.
  uint64_t core_of(uint64_t linear) const { return linear / in_a_row() % p_.cores; }

  std::deque<uint32_t>& queue_of(unsigned core) { return queues_[dealt_ ? core : 0]; }

  void place_first() {
    for (bool more = true; more;) {
      more = false;
      for (unsigned c = 0; c < core_count_; ++c) {
        for (unsigned n = 0; n < in_a_row() && !queue_of(c).empty() && cores_[c]->has_room(); ++n) {
          place_next(c, 0);
          more = true;
        }
      }
    }
  }

  /// One dispatcher sends threads one after the other, to whichever core.
  void place_next(unsigned core, Ticks at) {
    const uint32_t group = queue_of(core).front();
    queue_of(core).pop_front();
    const Ticks takes = ticks(p_.dispatch) * recording_.threads_per_group;
    dispatcher_ = std::max(dispatcher_, at);
    // Groups of cores that are not simulated took their time before it. What is simulated stands for the cores that
    // get their groups last, with which the launch ends.
    if (!whole_) {
      const uint64_t others = uint64_t{in_a_row()} * (p_.cores - core_count_);
      const uint64_t before = std::min(recording_.groups[group].linear + others, recording_.groups_in_grid - 1);
      dispatcher_ = std::max(dispatcher_, front() + takes * static_cast<Ticks>(before));
    }
    cores_[core]->place(group, dispatcher_);
    dispatcher_ += takes;
  }

  void advance(Ticks until) {
    const unsigned threads = std::min(options_.host_threads, core_count_);
    if (threads <= 1) {
      for (const auto& core : cores_) core->advance(until);
      return;
    }
    std::atomic<unsigned> next{0};
    machine::WorkerPool::instance().run(threads, [&](unsigned) {
      for (unsigned c = next.fetch_add(1); c < core_count_; c = next.fetch_add(1)) cores_[c]->advance(until);
    });
  }

  void dispatch_freed(Ticks until) {
    struct Event {
      Ticks at;
      unsigned core;
    };
    std::vector<Event> events;
    for (unsigned c = 0; c < core_count_; ++c) {
      for (const Core::Freed& freed : cores_[c]->take_freed()) {
        events.push_back({freed.at, c});
        ends_.push_back(freed.at);
      }
    }
    std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.at < b.at; });
    for (const Event& event : events) {
      auto& queue = queue_of(event.core);
      while (!queue.empty() && cores_[event.core]->has_room()) {
        place_next(event.core, std::max(event.at, until));
      }
    }
  }

  Result result() {
    Result result;
    for (const auto& core : cores_) {
      if (!core->idle())
        throw StuckError("timing: " + recording_.kernel + " does not go on:\n" + core->describe_wait());
      result.kernel = std::max(result.kernel, core->last_end());
    }
    result.kernel = std::max(result.kernel, memory_->last_write());
    result.by_instruction.resize(program_.size());
    result.blamed.resize(program_.size());
    for (const auto& core : cores_) core->report(result, result.kernel);
    result.traffic += memory_->traffic();
    result.l2_bank_busy = memory_->bank_busy();
    result.dram_busy = memory_->dram_busy();
    result.dram_late_lines = memory_->dram_lines_after(result.kernel);
    result.cores = core_count_;
    result.share = share_;
    if (simulated_ < groups_) extrapolate(result);
    return result;
  }

  /// The groups left out run at the rate of those between filling and draining, or at that of their stores.
  void extrapolate(Result& result) {
    std::sort(ends_.begin(), ends_.end());
    const size_t round = size_t{resident_} * core_count_;
    const size_t first = round - 1, last = ends_.size() - round - 1;
    // Threads do not wait for their stores, the end of the launch does.
    const double per_group =
        std::max(static_cast<double>(ends_[last] - ends_[first]) / static_cast<double>(last - first),
                 static_cast<double>(memory_->write_busy()) / static_cast<double>(simulated_));
    result.kernel += static_cast<Ticks>(per_group * static_cast<double>(groups_ - simulated_));
    result.sampled = static_cast<double>(simulated_) / static_cast<double>(groups_);
  }

  static constexpr uint64_t kTurnDistance = uint64_t{1} << 45;  ///< lines; far from all memory of the recording
  static constexpr unsigned kRounds = 8;                        ///< of resident groups that are simulated at least

  const Recording& recording_;
  const Parameters& p_;
  const Options& options_;
  TimedProgram program_;
  GroupNeeds needs_;
  unsigned resident_, dispatch_size_;
  bool whole_;
  unsigned core_count_;
  bool dealt_;  ///< which core runs a group is decided beforehand
  double share_ = 1;
  std::unique_ptr<Memory> memory_;
  std::vector<std::unique_ptr<Core>> cores_;
  std::vector<std::deque<uint32_t>> queues_;
  uint64_t groups_ = 0, simulated_ = 0;
  std::vector<Ticks> ends_;
  Ticks dispatcher_ = 0;  ///< when it is free
};

}  // namespace

Result simulate(const Recording& recording, const device::Device& device, const Parameters& parameters,
                const Options& options) {
  Result result = Simulation(recording, device, parameters, options).run();
  return result;
}

double launch_us(const Result& result, const Parameters& p) {
  return std::max(p.microseconds(result.kernel) + p.launch_gap_us, p.submit_us);
}

}  // namespace xeforge::timing
