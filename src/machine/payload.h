// SPDX-License-Identifier: Apache-2.0
//
// What a thread finds when it starts: the indirect data of its launch and its first registers. Facts:
// r0 as read by compiled code and as IGC's and compute-runtime's sources state (payload.cpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "machine/arguments.h"
#include "machine/local_ids.h"
#include "machine/thread.h"

namespace xeforge::machine {

/// A launch made ready: built once, then read by all workers. Not copyable: the context points into it.
class Payload {
 public:
  /// Throws FaultException (InvalidLaunch) that says what is wrong with the launch.
  Payload(const Launch& launch, const RunOptions& options);
  Payload(const Payload&) = delete;
  Payload& operator=(const Payload&) = delete;

  LaunchContext& context() { return context_; }
  const LaunchContext& context() const { return context_; }
  /// The program's allocations and those that belong to the launch.
  const MemorySnapshot& memory() const { return *memory_; }

  uint32_t threads_per_group() const { return threads_; }
  uint64_t group_count() const { return group_count_; }
  /// pc where threads start: behind the loading of local ids where the hardware provides them.
  uint32_t entry() const { return entry_; }
  bool hardware_local_ids() const { return hardware_local_ids_; }
  /// DG2: neighbouring threads run on fused EUs, so that dpasw can exchange data.
  bool fused() const { return fused_; }
  /// Why not, for reports; empty if fused.
  const std::string& not_fused_because() const { return not_fused_because_; }
  /// Groups that the hardware puts on one pair of EUs: 2 for fused groups of a single thread, else 1.
  uint32_t groups_per_unit() const { return groups_per_unit_; }

  /// Id of the group that is dispatched as number `linear`: x fastest.
  std::array<uint32_t, 3> group_id(uint64_t linear) const;
  /// Shared local memory, barriers and thread slots of a group about to start.
  void start_group(Group& group, uint64_t linear) const;
  /// Initial state of thread `index` of `group`. `hardware_thread`: number of the thread slot it occupies,
  /// unique among the threads that run at the same time, below Xe-cores * threads per core.
  void start_thread(Thread& t, Group& group, uint32_t index, uint32_t hardware_thread) const;

 private:
  void check_launch() const;
  void choose_fusion();
  void lay_out_indirect_data();
  void register_own_memory();

  const Launch& launch_;
  const Kernel& kernel_;
  const RunOptions& options_;
  LaunchContext context_;
  ArgumentBlock arguments_;
  std::shared_ptr<const MemorySnapshot> memory_;
  HostBlock low_copy_;  ///< of the indirect data, at its 32-bit address

  LocalIds ids_;
  LocalIdBlock id_block_;
  std::vector<std::byte> inline_data_;
  uint32_t threads_ = 1;
  uint64_t group_count_ = 1;
  uint32_t entry_ = 0;
  UopIndex entry_uop_ = 0;
  bool hardware_local_ids_ = false;
  bool fused_ = false;
  std::string not_fused_because_;
  uint32_t groups_per_unit_ = 1;
};

/// sr0.0 of a hardware thread: the fields that compiled code cuts its thread number from.
uint32_t state_register_thread_id(isa::Platform platform, uint32_t hardware_thread);

}  // namespace xeforge::machine
