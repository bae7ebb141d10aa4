// SPDX-License-Identifier: Apache-2.0
//
// One Xe-core: engines that issue, thread slots, one load/store unit for the L1 and the local memory, barriers. It
// runs ahead to a given time and then waits for the answers of the memory behind it.
#pragma once

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "observe/recording.h"
#include "timing/cache.h"
#include "timing/memory.h"
#include "timing/parameters.h"
#include "timing/program.h"
#include "timing/result.h"

namespace xeforge::timing {

/// What a group of the launch takes in a core.
struct GroupNeeds {
  uint32_t positions = 0;  ///< thread (pair) slots
  uint32_t slm_bytes = 0;  ///< rounded up to what the device allots
  uint32_t barriers = 0;
  unsigned slots = 8;  ///< of an engine, for this register count
};

/// Where a core took part of its local memory's room away from the L1.
uint64_t l1_bytes_beside(const Parameters& parameters, uint64_t slm_in_use);

class Core {
 public:
  Core(uint16_t index, const observe::Recording& recording, const TimedProgram& program, const Parameters& parameters,
       const GroupNeeds& needs, uint64_t l1_bytes, bool trace);
  ~Core();
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  bool has_room() const;
  bool idle() const { return running_groups_ == 0; }
  /// `group`: index in the recording.
  void place(uint32_t group, Ticks at);
  /// Runs what happens before `until`.
  void advance(Ticks until);

  /// Requests that were made before `until`, to be taken by whoever serves them; the rest stays.
  void take_requests(Ticks until, std::vector<Request>& out);
  void answer(const Request& request, Ticks ready);

  struct Freed {
    Ticks at;
    uint64_t group;
  };
  /// Groups that ended since the last call.
  std::vector<Freed> take_freed() { return std::exchange(freed_, {}); }

  Ticks last_end() const { return last_end_; }
  /// Time of the next thing that happens without an answer from memory; kPending: nothing.
  Ticks next_event() const;
  /// The earliest request not taken yet; kPending: none.
  Ticks next_request() const;
  /// Adds this core's share of the result; `end`: when the launch ended.
  void report(Result& result, Ticks end) const;
  /// Who waits for what, for a model that does not go on.
  std::string describe_wait() const;

 private:
  struct GroupState;
  struct Stream;
  struct Engine;
  struct Pending;
  static constexpr uint32_t kNoPlace = UINT32_MAX;
  struct L1Line {
    Ticks ready = 0;
    uint32_t place = kNoPlace;  ///< in waiting_, while it is on its way
  };

  void start(Engine& engine, std::unique_ptr<Stream> stream);
  void fetch(Stream& s);
  void schedule(Stream& s, Ticks base, Cause base_cause);
  Ticks issue_time(const Engine& e, const Stream& s, Cause& cause) const;
  bool goes_first(const Engine& e, const Stream& a, const Stream& b) const;
  void choose(size_t engine);
  void step(Engine& e, Stream& s, Ticks t, Cause last);
  void attribute(Stream& s, Ticks until, Cause cause, uint32_t instruction);
  void send(Engine& e, Stream& s, const TimedOp& op, Ticks t);
  Ticks lsc(Ticks arrival, Ticks cost);
  void global_message(Stream& s, const TimedOp& op, Ticks arrival, int token);
  void slm_message(Stream& s, const TimedOp& op, Ticks arrival, int token);
  void finish_message(uint32_t message);
  void signal_barrier(Stream& s, Ticks t, uint32_t payload);
  void release(GroupState& group, int barrier, Ticks at);
  void end_stream(Engine& e, Stream& s, Ticks t);
  Request& request(Request::Kind kind, uint64_t line, Ticks at, uint8_t amount);
  /// A request that is answered: where in waiting_.
  uint32_t request_answer(Request::Kind kind, uint64_t line, Ticks at, uint8_t amount, bool fills_l1);

  const uint16_t index_;
  const observe::Recording& recording_;
  const TimedProgram& program_;
  const Parameters& p_;
  const GroupNeeds needs_;
  const bool trace_;
  const uint32_t width_;  ///< hardware threads of a position: 2 where EUs are fused

  // Parameters in ticks.
  Ticks source_read_, return_register_, message_, queue_, gather_8_, narrow_store_, l1_line_, slm_dword_, slm_conflict_,
      prefetch_line_, store_line_, l1_latency_, slm_latency_, fence_, slm_fence_, barrier_, other_send_, dispatch_,
      start_;

  std::vector<Engine> engines_;
  std::vector<Ticks> next_time_;  ///< of each engine: when its next stream issues
  std::vector<std::unique_ptr<GroupState>> groups_;
  Tags<L1Line> l1_;
  Ticks lsc_free_ = 0;
  uint32_t running_groups_ = 0, used_positions_ = 0, used_slm_ = 0, used_barriers_ = 0;
  uint64_t ages_ = 0;
  Ticks last_end_ = 0;
  Ticks last_dispatch_ = 0;

  struct Waiting {
    std::vector<uint32_t> messages;
    bool fills_l1 = false;
  };
  std::vector<Request> requests_;  ///< not yet taken
  std::vector<Waiting> waiting_;
  std::vector<uint32_t> free_waiting_;
  uint32_t next_request_ = 0;
  std::vector<Pending> messages_;
  std::vector<uint32_t> free_messages_;
  std::vector<Freed> freed_;
  observe::RecordedMessage m_[2];
  std::vector<uint64_t> lines_;

  Result stats_;
};

}  // namespace xeforge::timing
