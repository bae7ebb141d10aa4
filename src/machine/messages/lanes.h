// SPDX-License-Identifier: Apache-2.0
//
// Gather and scatter: one address per channel, one or several elements per address. Shared by
// the LSC and the legacy scattered messages, which differ in how they form addresses.
#pragma once

#include <array>

#include "machine/messages/element.h"
#include "machine/messages/window.h"

namespace xeforge::machine::messages {

inline constexpr unsigned kMaxLanes = 32;

/// Register side of a gather or scatter.
struct Lanes {
  uint32_t mask;          ///< channels that take part
  uint32_t all;           ///< channels that exist
  unsigned count;         ///< of channels
  unsigned elements;      ///< per address
  uint32_t part;          ///< bytes between the registers of successive elements
  uint32_t offset;        ///< of the data payload in Thread::regs
  uint8_t components[4];  ///< cmask: element index in memory of the k-th component
  bool has_components;
  unsigned span;  ///< elements that one address covers in memory
};

template <class Fmt, bool kLoad>
inline void move_lane(std::byte* memory, std::byte* data, unsigned lane) {
  using Mem = typename Fmt::Mem;
  using Reg = typename Fmt::Reg;
  if constexpr (kLoad) {
    Mem v;
    std::memcpy(&v, memory, sizeof v);
    const Reg r = Fmt::to_register(v);
    std::memcpy(data + lane * sizeof(Reg), &r, sizeof r);
  } else {
    Reg r;
    std::memcpy(&r, data + lane * sizeof(Reg), sizeof r);
    const Mem v = Fmt::to_memory(r);
    std::memcpy(memory, &v, sizeof v);
  }
}

/// All elements of one channel.
template <class Fmt, bool kLoad>
inline void move_elements(const Lanes& l, std::byte* memory, std::byte* data, unsigned lane) {
  for (unsigned e = 0; e < l.elements; ++e) {
    const unsigned index = l.has_components ? l.components[e] : e;
    move_lane<Fmt, kLoad>(memory + index * sizeof(typename Fmt::Mem), data + size_t{e} * l.part, lane);
  }
}

/// kElements per address one after another, all channels; 0 = l.elements.
template <class Fmt, bool kLoad, unsigned kElements, class Addr>
[[gnu::always_inline]] inline void move_vectors(const Lanes& l, const Range& range, const Addr* addresses,
                                                std::byte* data, unsigned n) {
  using Mem = typename Fmt::Mem;
  const unsigned elements = kElements ? kElements : l.elements;
  for (unsigned i = 0; i < n; ++i) {
    std::byte* memory = range.at(addresses[i]);
    for (unsigned e = 0; e < elements; ++e)
      move_lane<Fmt, kLoad>(memory + e * sizeof(Mem), data + size_t{e} * l.part, i);
  }
}

/// Channel by channel, every element checked: reached when some channel leaves the range. With
/// `w` null, addresses are global.
template <class Fmt, class Addr, bool kLoad>
[[gnu::noinline]] void move_checked(const Call& c, const Lanes& l, const Window* w, const Addr* addresses) {
  using Mem = typename Fmt::Mem;
  std::byte* data = c.t.at(l.offset);
  for (unsigned lane = 0; lane < l.count; ++lane) {
    if ((l.mask >> lane & 1u) == 0) continue;
    const uint64_t a = addresses[lane];
    for (unsigned e = 0; e < l.elements; ++e) {
      const uint64_t at = a + (l.has_components ? l.components[e] : e) * sizeof(Mem);
      const Range range = w == nullptr ? allocation_at(c, at) : w->range();
      std::byte* part = data + size_t{e} * l.part;
      if (range.holds(at, sizeof(Mem))) {
        move_lane<Fmt, kLoad>(range.at(at), part, lane);
        continue;
      }
      if constexpr (kLoad) {
        std::array<std::byte, sizeof(Mem)> there{};
        if (w == nullptr ? load_across_end(c, allocation_at(c, a), at, sizeof(Mem), there.data())
                         : !w->report && load_valid_part(range, at, sizeof(Mem), there.data())) {
          move_lane<Fmt, kLoad>(there.data(), part, lane);
          continue;
        }
      }
      if (w == nullptr)
        fault_global(c, at, sizeof(Mem), static_cast<int>(lane));
      else
        outside_window(c, *w, at, sizeof(Mem), static_cast<int>(lane));
      if constexpr (kLoad) std::memset(part + lane * sizeof(typename Fmt::Reg), 0, sizeof(typename Fmt::Reg));
    }
  }
}

/// N: number of channels, 0 = l.count. `addresses` must not lie in the register file.
template <class Fmt, class Addr, bool kLoad, int N>
[[gnu::always_inline]] inline void move_lanes(const Call& c, const Lanes& l, const Window* w, const Range& range,
                                              const Addr* addresses) {
  using Mem = typename Fmt::Mem;
  using Reg = typename Fmt::Reg;
  const unsigned n = N ? N : l.count;
  std::byte* data = c.t.at(l.offset);
  const uint64_t bytes = uint64_t{l.span} * sizeof(Mem);
  if (l.mask == l.all && n > 1 && l.span == 1) {
    const Addr first = addresses[0];
    const Addr distance = static_cast<Addr>(addresses[n - 1] - first);
    if (distance == (n - 1) * sizeof(Mem)) {
      Addr differs = 0;
      for (unsigned i = 0; i < n; ++i)
        differs |= static_cast<Addr>(addresses[i] - first) ^ static_cast<Addr>(i * sizeof(Mem));
      if (differs == 0 && range.holds(first, n * sizeof(Mem))) {
        std::byte* memory = range.at(first);
        if constexpr (Fmt::kPlain) {
          if constexpr (kLoad)
            std::memcpy(data, memory, n * sizeof(Mem));
          else
            std::memcpy(memory, data, n * sizeof(Mem));
        } else {
          for (unsigned i = 0; i < n; ++i) move_lane<Fmt, kLoad>(memory + i * sizeof(Mem), data, i);
        }
        return;
      }
    } else if (kLoad && distance == 0) {
      Addr differs = 0;
      for (unsigned i = 0; i < n; ++i) differs |= addresses[i] ^ first;
      if (differs == 0 && range.holds(first, sizeof(Mem))) {
        Mem v;
        std::memcpy(&v, range.at(first), sizeof v);
        Reg filled[kMaxLanes];
        for (unsigned i = 0; i < n; ++i) filled[i] = Fmt::to_register(v);
        std::memcpy(data, filled, n * sizeof(Reg));
        return;
      }
    }
  }
  const uint64_t room = range.end - range.low;
  bool outside = bytes > room;
  const uint64_t last = room - bytes;
  if (l.mask == l.all) {
    for (unsigned i = 0; i < n; ++i) outside |= addresses[i] - range.low > last;
    if (outside) return move_checked<Fmt, Addr, kLoad>(c, l, w, addresses);
    if (l.has_components) {
      for (unsigned i = 0; i < n; ++i) move_elements<Fmt, kLoad>(l, range.at(addresses[i]), data, i);
      return;
    }
    switch (l.elements) {
      case 1:
        return move_vectors<Fmt, kLoad, 1>(l, range, addresses, data, n);
      case 2:
        return move_vectors<Fmt, kLoad, 2>(l, range, addresses, data, n);
      case 3:
        return move_vectors<Fmt, kLoad, 3>(l, range, addresses, data, n);
      case 4:
        return move_vectors<Fmt, kLoad, 4>(l, range, addresses, data, n);
      default:
        return move_vectors<Fmt, kLoad, 0>(l, range, addresses, data, n);
    }
  }
  for (uint32_t rest = l.mask; rest != 0; rest &= rest - 1) {
    outside |= addresses[__builtin_ctz(rest)] - range.low > last;
  }
  if (outside) return move_checked<Fmt, Addr, kLoad>(c, l, w, addresses);
  for (uint32_t rest = l.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
    move_elements<Fmt, kLoad>(l, range.at(addresses[lane]), data, lane);
  }
}

/// Faults at the first channel whose address is not a multiple of `alignment`.
template <class Addr>
void require_alignment(const Call& c, const Lanes& l, const Addr* addresses, unsigned alignment, const char* rule) {
  Addr bits = 0;
  for (uint32_t rest = l.mask; rest != 0; rest &= rest - 1) bits |= addresses[__builtin_ctz(rest)];
  if ((bits & (alignment - 1)) == 0) return;
  for (uint32_t rest = l.mask; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    if ((addresses[lane] & (alignment - 1)) != 0) fault_misaligned(c, addresses[lane], alignment, lane, rule);
  }
}

}  // namespace xeforge::machine::messages
