// SPDX-License-Identifier: Apache-2.0
//
// zebin = ELF + `.ze_info`: what IGC, the vector compiler and ngen write. The reader returns plain data;
// malformed input throws ZebinError, never crashes (fuzzed: tests/fuzz/zebin_fuzz.cpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "isa/types.h"

namespace xeforge::binary {

struct ZebinError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class ArgType : uint8_t {
  ByPointer,
  ByValue,
  LocalSize,
  EnqueuedLocalSize,
  GlobalSize,
  GroupCount,
  GlobalIdOffset,
  WorkDimensions,
  GroupId,
  LocalId,
  PackedLocalIds,
  PrivateBase,
  ScratchPointer,
  ConstBase,
  GlobalBase,
  PrintfBuffer,
  AssertBuffer,
  SyncBuffer,
  BufferOffset,
  BufferAddress,
  BufferSize,
  IndirectDataPointer,
  ImplicitArgBuffer,
  RegionGroupSize, /* sizes queried by kernels */
  Unsupported
};
enum class AddrMode : uint8_t { None, Stateless, Stateful /*BTI*/, Bindless, Slm };
enum class AddrSpace : uint8_t { None, Global, Local, Constant, Image, Sampler };
enum class Access : uint8_t { None, ReadOnly, WriteOnly, ReadWrite };

struct PayloadArg {
  ArgType type = ArgType::Unsupported;
  std::string type_name;       ///< as written, for messages
  uint32_t offset = 0;         ///< byte offset in the cross-thread (or per-thread) block
  uint32_t size = 0;           ///< bytes; 0 for a purely stateful pointer
  int32_t arg_index = -1;      ///< kernel argument it belongs to
  int32_t source_offset = -1;  ///< by-value aggregates: byte offset inside the argument
  AddrMode addrmode = AddrMode::None;
  AddrSpace addrspace = AddrSpace::None;
  Access access = Access::None;
  bool is_pipe_or_unknown = false;
  bool is_ptr = false;  ///< by-value argument that the kernel uses as a pointer
  uint32_t slm_alignment = 0;
  int32_t bti = -1;  ///< const_base / global_base promoted to a binding table entry
};

/// What the compiler keeps about a source-level argument (`kernels_misc_info`), for reports.
/// Absent where the front end gave no names (ngen, the vector compiler).
struct ArgumentInfo {
  std::string name, type_name, address_qualifier, access_qualifier, type_qualifiers;
  uint32_t size = 0;  ///< bytes of the type, 0 if not stated
};

struct BindingTableEntry {
  uint32_t bti = 0;
  int32_t arg_index = -1;
};

struct ScratchBuffer {
  std::string type, usage;
  uint64_t size = 0;  ///< bytes per hardware thread, or per work-item where is_simt_thread
  uint32_t slot = 0;  ///< scratch slot: 0 stack and private, 1 spill where the kernel uses two
  bool is_simt_thread = false;
};

enum class RelocType : uint8_t {
  None = 0,
  Sym = 1,
  SymAddr32 = 2,
  SymAddr32Hi = 3,
  PerThreadPayloadOffset32 = 4,
  GlobalImm32 = 5,
  Send = 6,
  SymAddr16 = 7,
  Unknown = 255
};
struct Relocation {
  uint64_t offset = 0;  ///< in the kernel's text (or data section)
  RelocType type = RelocType::Unknown;
  uint32_t raw_type = 0;
  std::string symbol;
  std::string symbol_section;  ///< where the symbol is defined, empty: undefined
  uint64_t symbol_value = 0;   ///< offset in that section (local symbols may share a name)
  int64_t addend = 0;          ///< SHT_RELA only; a SHT_REL entry in data adds to the bytes in place
  bool addend_in_place = false;
};

struct Symbol {
  std::string name;
  std::string section;  ///< empty: undefined
  uint64_t value = 0, size = 0;
  bool is_function = false, is_global = false;
  bool undefined() const { return section.empty(); }
};

struct Kernel {
  std::string name;
  std::vector<std::byte> code;  ///< relocations not yet applied
  std::vector<Relocation> relocations;

  unsigned simd_size = 8;  ///< 1 = ESIMD
  unsigned grf_count = 128;
  unsigned eu_thread_count = 0;
  unsigned barrier_count = 0;
  unsigned slm_size = 0;  ///< static bytes
  unsigned inline_data_payload_size = 0;
  unsigned offset_to_skip_per_thread_data_load = 0;
  unsigned offset_to_skip_cross_thread_data_load = 0;
  unsigned indirect_stateless_count = 0;
  bool has_dpas = false, has_no_stateless_write = false, has_global_atomics = false, has_stack_calls = false,
       has_sample = false;
  bool has_printf_calls = false, has_indirect_calls = false, requires_implicit_args = false;
  bool disable_eufusion = false;  ///< require_disable_eufusion
  bool subgroup_independent_forward_progress = false;
  bool generates_local_ids = false;  ///< hardware local ids wanted by the code (ngen)
  bool from_compiler = true;         ///< false: by ngen, which says so or the core family only
  uint64_t spill_size = 0;           ///< bytes per thread as the compiler states; IGC only
  uint64_t private_size = 0;
  std::optional<std::array<uint32_t, 3>> required_group_size;
  std::optional<std::array<uint32_t, 3>> group_size_hint;
  unsigned required_sub_group_size = 0;
  unsigned dispatch_size = 0;                  ///< intel_reqd_thread_group_dispatch_size
  std::string thread_scheduling_mode;          ///< age_based, round_robin, round_robin_stall or empty
  std::string invalid_reason;                  ///< user attribute invalid_kernel: must not be launched
  std::array<uint8_t, 3> walk_order{0, 1, 2};  ///< work_group_walk_order_dimensions
  unsigned work_dimensions = 0;                ///< rows of local ids that the code expects per thread, 0 = none

  std::vector<PayloadArg> payload;             ///< cross-thread arguments
  std::vector<PayloadArg> per_thread_payload;  ///< local_id / packed_local_ids
  std::vector<BindingTableEntry> binding_table;
  std::vector<ScratchBuffer> scratch;   ///< per_thread_memory_buffers
  std::vector<ArgumentInfo> arguments;  ///< by argument index; may be shorter than argument_count()

  uint32_t cross_thread_size() const;         ///< bytes, multiple of 32 as the walker wants
  uint32_t per_thread_size() const;           ///< bytes of local ids for one hardware thread
  uint64_t scratch_bytes_per_thread() const;  ///< addressed through r0.5
  uint64_t private_bytes_per_thread() const;  ///< behind private_base_stateless, per hardware thread
  unsigned argument_count() const;            ///< highest arg_index + 1
  /// Bytes of explicit argument `index` as the host passes it (zeKernelSetArgumentValue without a size).
  uint32_t argument_size(unsigned index) const;
};

struct Section {
  std::string name;
  std::vector<std::byte> bytes;
  std::vector<Relocation> relocations;
  uint64_t zero_fill = 0;  ///< bytes of a .bss section; its `bytes` are empty
};

/// Resources of a callable function as `.ze_info` states them (`functions`).
struct FunctionInfo {
  std::string name;
  unsigned simd_size = 0, grf_count = 0, barrier_count = 0;
  bool has_stack_calls = false;
};

/// `.note.intelgt.compat`: what the binary was made for. 0 = not stated (ngen states gfx_core only).
struct Target {
  uint32_t product_family = 0, gfx_core = 0;
  uint32_t ip_version = 0;  ///< GMD id, 0x030dc008 = 12.55.8; compare without the low 6 bits (stepping)
  std::string zebin_version;
  std::string generator;  ///< "igc", "ngen" or empty

  /// The encoding that this means; nullopt: not stated, or none that is known here.
  std::optional<isa::Platform> platform() const;
};

struct Zebin {
  std::string info_version;  ///< "1.73"
  std::vector<Kernel> kernels;
  std::vector<Section> data;       ///< .data.const, .data.global, .data.const.string, bss
  std::vector<Section> functions;  ///< .text.Intel_Symbol_Table_Void_Program and other callable text
  std::vector<FunctionInfo> function_infos;
  std::vector<Symbol> symbols;
  std::vector<std::byte> spirv;                    ///< .spv, empty if absent
  std::vector<std::byte> debug_line_source_elf;    ///< the whole ELF if it carries .debug_line, else empty
  std::map<std::string, std::string> host_access;  ///< device name -> host name of globals
  Target target;
  std::string product_note;           ///< .note.intelgt.compat product/family numbers, text
  std::vector<std::string> warnings;  ///< attributes we do not know, each named once

  const Kernel* find_kernel(const std::string& name) const;
};

/// Throws ZebinError with the section / key that is wrong.
Zebin read_zebin(std::span<const std::byte> file);
bool looks_like_zebin(std::span<const std::byte> file);

}  // namespace xeforge::binary
