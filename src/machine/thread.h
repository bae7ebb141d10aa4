// SPDX-License-Identifier: Apache-2.0
//
// Architectural state of one hardware thread, of its group, and of the host worker that runs
// them. Plain structs: the execution handlers touch every field.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <vector>

#include "machine/launch.h"
#include "machine/memory.h"

namespace xeforge::machine {

/// All registers of a thread lie in one flat byte array, so that a direct operand is one offset.
/// GRF is dense: register n starts at n * grf_bytes of the platform.
namespace regspace {
inline constexpr uint32_t kGrf = 0;
inline constexpr uint32_t kGrfBytes = 256 * 64;
inline constexpr uint32_t kAcc = kGrf + kGrfBytes;  ///< acc0..acc15, grf_bytes apart
inline constexpr uint32_t kAccBytes = 16 * 64;
inline constexpr uint32_t kAddress = kAcc + kAccBytes;  ///< a0.0..a0.15 (words)
inline constexpr uint32_t kAddressBytes = 64;
inline constexpr uint32_t kFlag = kAddress + kAddressBytes;  ///< f0..f3, 4 bytes each
inline constexpr uint32_t kFlagBytes = 64;
inline constexpr uint32_t kState = kFlag + kFlagBytes;       ///< sr0
inline constexpr uint32_t kDispatchMaskByte = 8;             ///< of sr0
inline constexpr uint32_t kControl = kState + 64;            ///< cr0
inline constexpr uint32_t kTimestamp = kControl + 64;        ///< tm0
inline constexpr uint32_t kChannelEnable = kTimestamp + 64;  ///< ce0
inline constexpr uint32_t kNotification = kChannelEnable + 64;
inline constexpr uint32_t kMisc = kNotification + 64;  ///< everything else that is legal but inert (dbg, sp, ...)
inline constexpr uint32_t kPairOperand = kMisc + 256;  ///< dpasw: src2 assembled from both threads of a fused pair
inline constexpr uint32_t kNull = kPairOperand + 256;  ///< reads of null: zero; never written
inline constexpr uint32_t kBytes = kNull + 2048;
}  // namespace regspace

enum class ThreadStatus : uint8_t {
  Ready,
  AtBarrier,  ///< stands in sync.bar, its signal not yet completed
  AtNamedBarrier,
  AtPair,   ///< in front of a dpasw, waits for its fused partner
  Yielded,  ///< time slice used up
  Finished
};

struct Group;
struct Worker;
class Observer;

/// Positions in Code::uops; see code.h.
using UopIndex = uint32_t;

struct Thread {
  alignas(64) std::array<std::byte, regspace::kBytes> regs;
  /// Integer view of the accumulators: 64-bit per dword position (isa.md: mul/mach/macl and addc
  /// need more than 32 bits). Index = byte position in the acc space / 4.
  alignas(64) std::array<int64_t, regspace::kAccBytes / 4> acc64;
  std::array<uint32_t, 32> wait_pc;  ///< per channel: pc at which a diverged channel rejoins (goto/join, if/endif)

  uint32_t exec_mask = 0;      ///< channels enabled now
  uint32_t dispatch_mask = 0;  ///< channels that exist
  UopIndex next = 0;           ///< uop to run next
  ThreadStatus status = ThreadStatus::Ready;
  uint32_t id = 0;               ///< thread index in the group
  uint32_t barrier_signals = 0;  ///< signals of the group's barrier that are not completed yet: 0 or 1
  uint32_t named_signals = 0;    ///< bit n: signalled named barrier n as a consumer, not completed yet
  uint8_t waiting_barrier = 0;   ///< AtNamedBarrier: which one
  int64_t budget = 0;            ///< instructions left in this time slice
  uint32_t waiting_pc = 0;       ///< pc of the instruction it waits at, for reports

  Group* group = nullptr;
  Worker* worker = nullptr;
  std::vector<std::byte> scratch;  ///< per-thread scratch space, sized by the kernel

  std::byte* at(uint32_t offset) { return regs.data() + offset; }
  const std::byte* at(uint32_t offset) const { return regs.data() + offset; }
};

/// One named barrier of a group (Xe2): the counts come with the first signal of a phase.
struct NamedBarrier {
  uint8_t producers = 0, consumers = 0;  ///< expected; both 0 = no phase is open
  uint8_t producers_arrived = 0, consumers_arrived = 0;
};

struct Group {
  std::array<uint32_t, 3> id{};
  uint64_t linear = 0;
  /// One entry per hardware thread; null: not started yet, or finished.
  std::vector<std::unique_ptr<Thread>> threads;
  std::vector<std::byte> slm;        ///< the group's shared local memory
  uint32_t barrier_arrived = 0;      ///< threads that have signalled the current barrier phase
  bool barrier_active_only = false;  ///< the current phase does not wait for threads that have ended
  std::array<NamedBarrier, 32> named_barriers{};
  uint32_t finished = 0;
  uint64_t progress = 0;  ///< barriers completed + threads finished: what the watchdog looks at
};

/// What one launch shares among all workers.
struct LaunchContext {
  const Launch* launch = nullptr;
  const RunOptions* options = nullptr;
  const Code* code = nullptr;
  std::vector<std::byte> indirect_data;  ///< cross-thread block followed by per-thread blocks, as r0.0 points to
  uint32_t indirect_base = 0;            ///< value of r0.0[31:6] << 6: where indirect_data starts in A32 indirect space
  std::vector<Surface> bindless;         ///< surface state offset = (index + 1) << 6
  std::array<Surface, 256> bti{};        ///< binding table; size 0 = not bound
  uint32_t slm_bytes = 0;
  uint32_t scratch_bytes = 0;  ///< per thread
  bool fused = false;          ///< neighbouring threads run on fused EUs
};

/// Host thread's private view: counts and a small cache of allocations last hit.
struct Worker {
  LaunchContext* context = nullptr;
  const MemorySnapshot* memory = nullptr;
  std::vector<uint64_t> block_counts;  ///< executions per basic block of Code
  Observer* observer = nullptr;        ///< null: nobody watches (observer.h)
  static constexpr unsigned kHits = 4;
  struct Hit {
    uint64_t base = 1, end = 0;
    bool read_only = false;
  };
  std::array<Hit, kHits> hits;  ///< most recently used allocations
  unsigned next_hit = 0;
};

/// Thrown by handlers; the scheduler completes kernel, group, thread and text.
struct FaultException : std::exception {
  FaultException(FaultKind k, uint32_t at_pc, int32_t at_lane, std::string what_happened)
      : kind(k), pc(at_pc), lane(at_lane), message(std::move(what_happened)) {}
  FaultKind kind;
  uint32_t pc;
  int32_t lane;
  std::string message;
  uint64_t address = 0;  ///< global address of the access, where there is one
  bool has_address = false;
  const char* what() const noexcept override { return message.c_str(); }
};

/// Out of line so that the handlers, which are compiled once per host instruction set, stay free
/// of library code.
[[noreturn]] void raise_fault(FaultKind kind, uint32_t pc, int32_t lane, std::string message);
[[noreturn]] void raise_fault(FaultKind kind, uint32_t pc, int32_t lane, const char* message);

}  // namespace xeforge::machine
