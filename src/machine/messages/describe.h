// SPDX-License-Identifier: Apache-2.0
//
// How a message becomes a Footprint: one describing function per family, beside its handlers.
#pragma once

#include "machine/footprint.h"
#include "machine/messages/lanes.h"
#include "machine/messages/window.h"

namespace xeforge::machine::messages {

/// All fill space, channels and pieces; kind is set already.
void describe_lsc_simd(const Call& c, Footprint& out);
void describe_lsc_block(const Call& c, Footprint& out);
void describe_lsc_block2d(const Call& c, Footprint& out);
void describe_atomic(const Call& c, Footprint& out);
void describe_gateway(const Call& c, Footprint& out);
void describe_legacy_block(const Call& c, Footprint& out);
void describe_legacy_scattered(const Call& c, Footprint& out);

/// Sets the space that `w` (null: global memory) stands for.
void describe_space(const Window* w, Footprint& out);

/// [offset, offset + bytes) of the window, without what lies outside in units of `unit` bytes.
void describe_range(const Window* w, uint64_t offset, uint32_t bytes, uint32_t unit, int32_t part, Footprint& out);

/// Pieces of a gather or scatter with elements of `element` bytes.
template <class Addr>
void describe_lanes(const Lanes& l, const Window* w, const Addr* addresses, uint32_t element, Footprint& out) {
  describe_space(w, out);
  out.channels = l.mask;
  if (!l.has_components) {
    // All lanes inside, a piece for each: nearly every message.
    const uint32_t bytes = l.elements * element;
    const Range range = w == nullptr ? Range{} : w->range();
    const uint64_t origin = w != nullptr && w->kind == WindowKind::Surface ? range.origin : 0;
    bool inside = true;
    uint32_t count = out.count;
    for (uint32_t rest = l.mask; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
      const uint64_t offset = addresses[lane];
      inside &= w == nullptr || range.holds(offset, bytes);
      out.pieces[count++] = {origin + offset, bytes, static_cast<int32_t>(lane)};
    }
    if (inside) {
      out.count = count;
      return;
    }
  }
  for (uint32_t rest = l.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
    unsigned done = 0;
    while (done < l.elements) {
      const unsigned first = l.has_components ? l.components[done] : done;
      unsigned n = 1;
      while (done + n < l.elements && (!l.has_components || l.components[done + n] == first + n)) ++n;
      describe_range(w, static_cast<uint64_t>(addresses[lane]) + uint64_t{first} * element, n * element, element,
                     static_cast<int32_t>(lane), out);
      done += n;
    }
  }
}

}  // namespace xeforge::machine::messages
