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
  ByPointer, ByValue,
  LocalSize, EnqueuedLocalSize, GlobalSize, GroupCount, GlobalIdOffset, WorkDimensions, GroupId,
  LocalId, PackedLocalIds,
  PrivateBase, ScratchPointer, ConstBase, GlobalBase, PrintfBuffer, AssertBuffer, SyncBuffer, BufferOffset, BufferAddress, BufferSize,
  IndirectDataPointer, ImplicitArgBuffer, RegionGroupSize, /* sizes queried by kernels */
  Unsupported
};
enum class AddrMode : uint8_t { None, Stateless, Stateful /*BTI*/, Bindless, Slm };
enum class AddrSpace : uint8_t { None, Global, Local, Constant, Image, Sampler };
enum class Access : uint8_t { None, ReadOnly, WriteOnly, ReadWrite };

struct PayloadArg {
  ArgType type = ArgType::Unsupported;
  std::string type_name;      ///< as written, for messages
  uint32_t offset = 0;        ///< byte offset in the cross-thread (or per-thread) block
  uint32_t size = 0;          ///< bytes; 0 for a purely stateful pointer
  int32_t arg_index = -1;     ///< kernel argument it belongs to
  int32_t source_offset = -1; ///< by-value aggregates: byte offset inside the argument
  AddrMode addrmode = AddrMode::None;
  AddrSpace addrspace = AddrSpace::None;
  Access access = Access::None;
  bool is_pipe_or_unknown = false;
  uint32_t slm_alignment = 0;
};

struct BindingTableEntry {
  uint32_t bti = 0;
  int32_t arg_index = -1;
};

struct ScratchBuffer {
  std::string type, usage;
  uint64_t size = 0;  ///< bytes per thread
};

enum class RelocType : uint8_t { None = 0, Sym = 1, SymAddr32 = 2, SymAddr32Hi = 3, PerThreadPayloadOffset32 = 4, GlobalDummy = 5, SymAddr16 = 7, Unknown = 255 };
struct Relocation {
  uint64_t offset = 0;  ///< in the kernel's text (or data section)
  RelocType type = RelocType::Unknown;
  uint32_t raw_type = 0;
  std::string symbol;
  int64_t addend = 0;
};

struct Symbol {
  std::string name;
  std::string section;  ///< empty: undefined
  uint64_t value = 0, size = 0;
  bool undefined() const { return section.empty(); }
};

struct Kernel {
  std::string name;
  std::vector<std::byte> code;           ///< relocations not yet applied
  std::vector<Relocation> relocations;

  unsigned simd_size = 8;                ///< 1 = ESIMD
  unsigned grf_count = 128;
  unsigned eu_thread_count = 0;
  unsigned barrier_count = 0;
  unsigned slm_size = 0;                 ///< static bytes
  unsigned inline_data_payload_size = 0;
  unsigned offset_to_skip_per_thread_data_load = 0;
  unsigned offset_to_skip_cross_thread_data_load = 0;
  unsigned indirect_stateless_count = 0;
  bool has_dpas = false, has_no_stateless_write = false, has_global_atomics = false, has_stack_calls = false, has_sample = false;
  bool disable_eufusion = false;         ///< require_disable_eufusion
  bool subgroup_independent_forward_progress = false;
  bool generates_local_ids = false;      ///< hardware local ids wanted by the code (ngen)
  unsigned spill_size = 0;               ///< bytes per thread as the compiler states; IGC only
  unsigned private_size = 0;
  std::optional<std::array<uint32_t, 3>> required_group_size;
  unsigned required_sub_group_size = 0;
  std::array<uint8_t, 3> walk_order{0, 1, 2};  ///< work_group_walk_order_dimensions
  unsigned work_dimensions = 0;

  std::vector<PayloadArg> payload;             ///< cross-thread arguments
  std::vector<PayloadArg> per_thread_payload;  ///< local_id / packed_local_ids
  std::vector<BindingTableEntry> binding_table;
  std::vector<ScratchBuffer> scratch;          ///< per_thread_memory_buffers

  uint32_t cross_thread_size() const;          ///< bytes, multiple of 32 as the walker wants
  uint64_t scratch_bytes_per_thread() const;
  unsigned argument_count() const;             ///< highest arg_index + 1
  /// Bytes of explicit argument `index` as the host passes it (zeKernelSetArgumentValue without a size).
  uint32_t argument_size(unsigned index) const;
};

struct Section {
  std::string name;
  std::vector<std::byte> bytes;
  std::vector<Relocation> relocations;
  uint64_t zero_fill = 0;  ///< .bss part
};

struct Zebin {
  std::string info_version;   ///< "1.73"
  std::vector<Kernel> kernels;
  std::vector<Section> data;  ///< .data.const, .data.global, .data.const.string, bss
  std::vector<Section> functions;  ///< .text.Intel_Symbol_Table_Void_Program and other callable text
  std::vector<Symbol> symbols;
  std::vector<std::byte> spirv;                 ///< .spv, empty if absent
  std::vector<std::byte> debug_line_source_elf; ///< the whole ELF if it carries .debug_line, else empty
  std::map<std::string, std::string> host_access; ///< device name -> host name of globals
  std::string product_note;   ///< .note.intelgt.compat product/family numbers, text
  std::vector<std::string> warnings;            ///< attributes we do not know, each named once

  const Kernel* find_kernel(const std::string& name) const;
};

/// Throws ZebinError with the section / key that is wrong.
Zebin read_zebin(std::span<const std::byte> file);
bool looks_like_zebin(std::span<const std::byte> file);

}  // namespace xeforge::binary
