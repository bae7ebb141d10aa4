// SPDX-License-Identifier: Apache-2.0
//
// Bounded address spaces: surfaces, shared local memory, scratch, indirect data. Offsets count
// from the window's start; what lies outside is decided by the kind of window.
#pragma once

#include "machine/messages/access.h"

namespace xeforge::machine::messages {

enum class WindowKind : uint8_t { Surface, Slm, Scratch, Indirect };

struct Window {
  std::byte* base = nullptr;
  uint64_t low = 0;  ///< first valid offset: 0 except for indirect data
  uint64_t end = 0;
  WindowKind kind = WindowKind::Surface;
  bool report = true;  ///< out-of-bounds accesses are faults; else reads give 0, writes are dropped
  const Surface* surface = nullptr;

  /// Offsets of this window as a Range.
  Range range() const { return {reinterpret_cast<uint64_t>(base) - low, low, end}; }
};

/// IGC sets bit 28 of generic SLM addresses (VALID_LOCAL_HIGH_BITS in its PrivateMemoryToSLM.hpp);
/// the unit looks at the low bits only.
inline constexpr uint32_t kSlmAddressMask = 0x0FFFFFFF;

Window slm_window(const Call& c);
/// Window of a BSS / SS / BTI message, from its extended descriptor.
Window surface_window(const Call& c);
/// Window of a legacy message's binding table index (0xFE SLM, 0xFF / 0xFD stateless A32).
Window legacy_window(const Call& c);
Window scratch_window(const Call& c);

/// An access that does not lie inside the window: throws, or returns if it is to be dropped
/// (loads then give zero): by the window's rule, or because an observer tolerates the fault.
void outside_window(const Call& c, const Window& w, uint64_t offset, uint64_t bytes, int lane);

}  // namespace xeforge::machine::messages
