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

/// Gives allocations addresses that do not depend on where the host put them, so that cache sets and memory channels
/// are the same in every run: in the order of the allocations' running numbers. One per device, as long as it lives.
class AddressSpace {
 public:
  /// Makes room for all of these; earlier ones keep their place.
  void admit(const std::vector<machine::Allocation>& allocations);
  /// Throws std::out_of_range for an allocation that was never admitted.
  uint64_t base_of(uint64_t allocation_id) const { return bases_.at(allocation_id); }

 private:
  std::map<uint64_t, uint64_t> bases_;
  uint64_t next_ = uint64_t{1} << 32;
};

/// Lines of the launch's arguments, and of scratch memory, which counts from 0 for every thread.
inline constexpr uint64_t kIndirectAddress = uint64_t{1} << 30;

class Recorder : public machine::Observation {
 public:
  /// Which groups to record, by their number in dispatch order; empty: all.
  using Choice = std::function<bool(uint64_t)>;
  explicit Recorder(AddressSpace& space, Choice choice = {}) : space_(space), choice_(std::move(choice)) {}

  std::unique_ptr<machine::Observer> begin_worker(const machine::LaunchContext& context) override;
  void end_worker(std::unique_ptr<machine::Observer> observer) override;

  /// The recording of the launch, once it has ended without a fault. May be called once.
  Recording take(const machine::Launch& launch, const machine::LaunchResult& result);

 private:
  friend class WorkerRecorder;
  uint64_t base_of(const machine::Allocation& allocation);
  struct Part;  ///< what one worker recorded

  AddressSpace& space_;
  Choice choice_;
  std::mutex mutex_;
  bool begun_ = false;
  uint32_t slm_bytes_ = 0, scratch_bytes_ = 0;
  std::vector<std::shared_ptr<Part>> parts_;
};

}  // namespace xeforge::observe
