// SPDX-License-Identifier: Apache-2.0
//
// Applies relocations to kernel code and to data sections, and puts the callable functions of a module
// behind a kernel's code, so that calls reach them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "binary/zebin.h"

namespace xeforge::binary {

/// Address of a symbol that this module does not place itself; nullopt = not known.
using SymbolAddress = std::function<std::optional<uint64_t>(const std::string& symbol)>;

struct RelocationPlan {
  std::string where;                                ///< for messages: "kernel 'gemm'", "section .data.global"
  std::map<std::string, uint64_t> section_address;  ///< where the sections of the module were put
  SymbolAddress resolve;                            ///< asked for what section_address does not cover; may be empty
  /// Bytes of the implicit-argument block in front of the cross-thread data; 0: the launch has none.
  uint32_t implicit_args_bytes = 0;
  /// Bytes of cross-thread data in memory, where per-thread data follow: cross-thread size minus inline data.
  uint32_t per_thread_payload_offset = 0;
};

/// Patches `bytes` in place. Throws ZebinError that names every unresolved symbol (and, for a device
/// library function, what to do about it) or the relocation type that is not understood.
void relocate(std::span<std::byte> bytes, std::span<const Relocation> relocations, const RelocationPlan& plan);

/// Offsets of the sections of `zebin.functions` behind `kernel_code_size` bytes of code, by section name.
/// Kernel calls (calla) hold addresses relative to the kernel's own start, therefore these offsets are
/// what their relocations resolve to.
std::map<std::string, uint64_t> function_offsets(const Zebin& zebin, size_t kernel_code_size);

/// A copy of `kernel` whose code is followed by the functions that its relocations reach, directly or
/// through other functions, with all relocations of the whole, rebased; those that lead into functions
/// are applied. The kernel itself comes back unchanged if it reaches none.
Kernel with_functions(const Zebin& zebin, const Kernel& kernel);

}  // namespace xeforge::binary
