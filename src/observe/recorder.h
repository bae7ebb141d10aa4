// SPDX-License-Identifier: Apache-2.0
//
// Makes a Recording of a launch while it executes.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "machine/launch.h"
#include "machine/observer.h"
#include "observe/recording.h"

namespace xeforge::observe {

/// Where the first of a launch's pointers to memory of the program points to in a recording.
inline constexpr uint64_t kFirstArgumentAddress = uint64_t{1} << 32;

/// Gives allocations addresses that depend neither on where the host put them nor on what the program allocated or ran
/// before, so that cache sets and memory channels are the same in every run. One for each launch.
class AddressSpace {
 public:
  /// Allocations of the program. Those that hold `arguments`, the launch's pointers, come first and in their order:
  /// what is left follows far behind, by running number, so that it cannot move them.
  void admit(const std::vector<machine::Allocation>& allocations, const std::vector<uint64_t>& arguments);
  /// An allocation of the launch itself, which the program's snapshot does not have.
  void admit_own(const machine::Allocation& allocation);
  bool has(uint64_t allocation_id) const { return bases_.count(allocation_id) != 0; }
  /// Throws std::out_of_range for an allocation that was never admitted.
  uint64_t base_of(uint64_t allocation_id) const { return bases_.at(allocation_id); }

 private:
  void place(const machine::Allocation& allocation, uint64_t& next);
  std::map<uint64_t, uint64_t> bases_;
  uint64_t arguments_ = kFirstArgumentAddress, own_ = uint64_t{1} << 40, others_ = uint64_t{1} << 41;  ///< next places
};

/// Lines of the launch's arguments, and of scratch memory, which counts from 0 for every thread.
inline constexpr uint64_t kIndirectAddress = uint64_t{1} << 30;

class Recorder : public machine::Observation {
 public:
  /// Which groups to record, by their number in dispatch order; empty: all.
  using Choice = std::function<bool(uint64_t)>;
  explicit Recorder(Choice choice = {}) : choice_(std::move(choice)) {}

  std::unique_ptr<machine::Observer> begin_worker(const machine::LaunchContext& context) override;
  void end_worker(std::unique_ptr<machine::Observer> observer) override;

  /// The recording of the launch, once it has ended without a fault. May be called once.
  Recording take(const machine::Launch& launch, const machine::LaunchResult& result);

 private:
  friend class WorkerRecorder;
  uint64_t base_of(const machine::Allocation& allocation);
  struct Part;  ///< what one worker recorded

  AddressSpace space_;
  Choice choice_;
  std::mutex mutex_;
  bool begun_ = false;
  uint32_t slm_bytes_ = 0, scratch_bytes_ = 0;
  std::vector<std::shared_ptr<Part>> parts_;
};

}  // namespace xeforge::observe
