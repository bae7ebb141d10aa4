// SPDX-License-Identifier: Apache-2.0
//
// Contiguous transfers between registers and memory that may leave their window.
#pragma once

#include "machine/messages/window.h"

namespace xeforge::machine::messages {

/// Bytes that are inside a window or outside as a whole.
inline constexpr uint32_t kCopyUnit = 4;

/// Copies what lies inside the window, dword by dword: a block that straddles a surface's end
/// returns its valid dwords and zeros, or writes the valid ones (measured with vendor kernels
/// whose remainder code relies on it). Faults where the window reports.
void copy_checked(const Call& c, const Window& w, uint64_t offset, uint32_t bytes, std::byte* data);

/// The whole transfer: window or, with `w` null, global memory.
void copy_block(const Call& c, const Window* w, uint64_t address, uint32_t bytes, std::byte* data);

}  // namespace xeforge::machine::messages
