// SPDX-License-Identifier: Apache-2.0
//
// The machine's interface: a Kernel prepared once from a zebin, a Launch of it over a grid of
// groups, and what comes back. Level Zero, clocks and tools are unknown here.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "binary/zebin.h"
#include "device/device.h"
#include "isa/decode.h"
#include "machine/memory.h"

namespace xeforge::machine {

class Observation;  // who watches the execution (machine/observer.h)
class Code;         // decoded and specialised instructions (machine/code.h)

/// A kernel ready to run: relocations applied, decoded, handlers resolved.
struct Kernel {
  std::string name;
  binary::Kernel binary;
  const device::Device* device = nullptr;
  std::shared_ptr<const isa::Program> program;
  std::shared_ptr<const Code> code;
  uint32_t entry = 0;  ///< pc where threads start
  bool hardware_local_ids = false;
};

/// Address of a symbol that relocations name; nullopt = unresolved (an error that names it).
using SymbolResolver = std::function<std::optional<uint64_t>(const std::string& symbol)>;

/// Applies relocations, decodes, resolves handlers. Throws isa::DecodeError / binary::ZebinError
/// with kernel, pc and text for anything the device cannot execute.
std::shared_ptr<const Kernel> prepare_kernel(const binary::Kernel& kernel, const device::Device& device,
                                             const SymbolResolver& resolve = {});

/// pcs where threads of a kernel may start: what its code is decoded from.
std::vector<uint32_t> entry_points(const binary::Kernel& kernel);

struct Surface {
  uint64_t base = 0;
  uint64_t size = 0;  ///< bytes
  /// Hardware reads 0 beyond a surface and drops writes. True: such an access is a fault here, as
  /// it must be where the compiler turned a pointer into a surface. False: the hardware rule, for
  /// kernels that rely on it (binding table surfaces of ngen kernels).
  bool report_out_of_bounds = true;
};

struct ArgumentValue {
  enum class Kind : uint8_t { Unset, Bytes, Pointer, Slm } kind = Kind::Unset;
  std::vector<std::byte> bytes;  ///< Bytes
  uint64_t pointer = 0;          ///< Pointer (0 = null)
  uint32_t slm_bytes = 0;        ///< Slm
};

struct Launch {
  std::shared_ptr<const Kernel> kernel;
  std::array<uint32_t, 3> groups{1, 1, 1};
  std::array<uint32_t, 3> local{1, 1, 1};
  std::array<uint64_t, 3> global_offset{0, 0, 0};
  std::vector<ArgumentValue> arguments;
  std::shared_ptr<const MemorySnapshot> memory;
  uint64_t const_base = 0, global_base = 0;  ///< module data sections
  uint64_t printf_buffer = 0;
};

enum class FaultKind : uint8_t {
  InvalidLaunch,
  UnknownInstruction,
  OutOfBounds,
  SlmOutOfBounds,
  ScratchOutOfBounds,
  RegisterOutOfBounds,
  Misaligned,
  BadMessage,
  UnsupportedOnDevice,
  BarrierDivergence,
  Deadlock,
  Watchdog,
  FusedPair,
  DivideByZero,
  Cancelled
};
std::string_view name_of(FaultKind k);

struct Fault {
  FaultKind kind = FaultKind::InvalidLaunch;
  std::string kernel;
  std::array<uint32_t, 3> group{};
  uint32_t thread = 0;  ///< hardware thread within the group
  uint32_t pc = 0;
  int32_t lane = -1;    ///< -1: not lane specific
  std::string text;     ///< ISA text at pc
  std::string message;  ///< what happened, with addresses and the allocation concerned
  uint64_t occurrences = 1;

  std::string to_string() const;  ///< one readable paragraph
};

/// Exact per-instruction execution counts: `executed[i]` is how often program instruction i was
/// executed by a hardware thread (whatever its mask), as GTPin counts.
struct ExecutionCounts {
  std::vector<uint64_t> executed;
  uint64_t threads = 0;
  uint64_t groups = 0;
  ExecutionCounts& operator+=(const ExecutionCounts& other);
};

struct LaunchResult {
  ExecutionCounts counts;
  std::optional<Fault> fault;
  double host_seconds = 0;
};

struct RunOptions {
  unsigned host_threads = 0;           ///< 0: hardware concurrency
  uint64_t watchdog_instructions = 0;  ///< per resident set without a finished group or barrier; 0: default
  uint8_t poison = 0x7F;               ///< byte that registers, SLM and scratch hold before the program writes them
  bool stateful_bounds_are_errors =
      false;  ///< true: out-of-surface lanes fault; false: hardware rule (reads 0, writes dropped)
  /// The two threads of a fused pair change roles in dpasw: what code written for the hardware's order must not
  /// survive.
  bool exchange_pairs = false;
  const std::atomic<bool>* cancel = nullptr;
  Observation* observation = nullptr;  ///< null: nobody watches
};

/// Runs the whole grid. Never throws for errors of the kernel: they come back as `fault`.
LaunchResult run(const Launch& launch, const RunOptions& options = {});

}  // namespace xeforge::machine
