// SPDX-License-Identifier: Apache-2.0
//
// Scattered and untyped surface messages of the data ports before LSC (dc0, dc1, dcro).
//
// The descriptor fixes 8 or 16 channels, which also fixes the payload: that many addresses, then
// for each element (or enabled component) that many data. A header register, where there is one,
// precedes the addresses. Dword scattered messages count addresses in dwords, byte scattered,
// untyped and all A64 messages in bytes (executed vendor kernels); qword scattered in qwords
// (IGC visa QW_GATHER: the offset counts elements).
#include "machine/messages/choose.h"
#include "machine/messages/describe.h"
#include "machine/messages/lanes.h"

namespace xeforge::machine::messages {
namespace {

enum class Space : uint8_t { Window, A64 };

constexpr unsigned kDwordUnit = 4, kQwordUnit = 8;

constexpr const char* kVectorRule = "untyped and multi-element scattered messages need dword alignment";

/// The channels of a message; `mask` is 0 if none takes part.
inline Lanes lanes_of(const Thread& t, const Uop& u, const isa::Message& m, unsigned register_bytes, bool load) {
  const unsigned channels = m.simd != 0 ? m.simd : u.exec_size;
  const unsigned n = u.exec_size < channels ? u.exec_size : channels;
  Lanes l;
  l.all = n >= 32 ? 0xFFFFFFFFu : (1u << n) - 1u;
  l.mask = active_channels(t, u) & l.all;
  l.count = n;
  l.offset = load ? u.dst.offset : u.src[1].offset;
  l.part = part_bytes(u, channels, register_bytes);
  l.has_components = m.component_mask != 0;
  if (l.has_components) {
    l.elements = 0;
    l.span = 0;
    for (unsigned i = 0; i < 4; ++i) {
      if ((m.component_mask >> i & 1u) == 0) continue;
      l.components[l.elements++] = static_cast<uint8_t>(i);
      l.span = i + 1;
    }
  } else {
    l.elements = m.vector_size;
    l.span = m.vector_size;
  }
  return l;
}

/// Addresses in bytes; `w` null: A64.
template <class Addr>
inline void form_addresses(const Call& c, const Lanes& l, const Window* w, unsigned unit, Addr* addresses) {
  std::memcpy(addresses, c.t.at(c.u.src[0].offset + (c.m.header ? c.u.grf_bytes : 0u)), l.count * sizeof(Addr));
  for (unsigned i = 0; i < l.count; ++i) addresses[i] *= unit;
  if (w != nullptr && w->kind == WindowKind::Slm) {
    for (unsigned i = 0; i < l.count; ++i) addresses[i] &= kSlmAddressMask;
  }
}

template <class Fmt, Space S, bool kLoad, unsigned kUnit>
void scattered(Thread& t, const Uop& u, const isa::Message& m) {
  using Addr = std::conditional_t<S == Space::A64, uint64_t, uint32_t>;
  const Lanes l = lanes_of(t, u, m, sizeof(typename Fmt::Reg), kLoad);
  if (l.mask == 0) return;
  const Call c{t, u, m, kLoad ? Access::Load : Access::Store};

  Addr addresses[kMaxLanes];
  if constexpr (S == Space::A64) {
    form_addresses(c, l, nullptr, kUnit, addresses);
    if (l.span > 1) require_alignment(c, l, addresses, 4, kVectorRule);
    move_lanes<Fmt, Addr, kLoad, 0>(c, l, nullptr, allocation_at(c, addresses[__builtin_ctz(l.mask)]), addresses);
  } else {
    const Window w = legacy_window(c);
    form_addresses(c, l, &w, kUnit, addresses);
    if (l.span > 1) require_alignment(c, l, addresses, 4, kVectorRule);
    move_lanes<Fmt, Addr, kLoad, 0>(c, l, &w, w.range(), addresses);
  }
}

template <Space S, bool kLoad>
Chosen for_format(const isa::Message& m) {
  switch (m.data_size) {
    case isa::DataSize::D8U32:
      return chosen<scattered<D8U32, S, kLoad, 1>>();
    case isa::DataSize::D16U32:
      return chosen<scattered<D16U32, S, kLoad, 1>>();
    case isa::DataSize::D32:
      return chosen<scattered<D32, S, kLoad, 1>>();
    case isa::DataSize::D64:
      return chosen<scattered<D64, S, kLoad, 1>>();
    default:
      return {};
  }
}

/// Bytes that one unit of an address means.
unsigned address_unit(isa::MessageKind kind) {
  switch (kind) {
    case isa::MessageKind::DwordScatteredRead:
    case isa::MessageKind::DwordScatteredWrite:
      return kDwordUnit;
    case isa::MessageKind::QwordScatteredRead:
    case isa::MessageKind::QwordScatteredWrite:
      return kQwordUnit;
    default:
      return 1;
  }
}

/// Element in memory: dword and qword messages do not name it.
unsigned element_bytes(const isa::Message& m) {
  const unsigned unit = address_unit(m.kind);
  return unit == 1 ? isa::memory_bytes(m.data_size) : unit;
}

}  // namespace

void describe_legacy_scattered(const Call& c, Footprint& out) {
  const Lanes l = lanes_of(c.t, c.u, c.m, isa::register_bytes(c.m.data_size), c.access == Access::Load);
  if (l.mask == 0) return;
  switch (c.m.kind) {
    case isa::MessageKind::A64ScatteredRead:
    case isa::MessageKind::A64ScatteredWrite:
    case isa::MessageKind::A64UntypedRead:
    case isa::MessageKind::A64UntypedWrite: {
      uint64_t addresses[kMaxLanes];
      form_addresses(c, l, nullptr, 1, addresses);
      return describe_lanes(l, nullptr, addresses, element_bytes(c.m), out);
    }
    default: {
      const Window w = legacy_window(c);
      uint32_t addresses[kMaxLanes];
      form_addresses(c, l, &w, address_unit(c.m.kind), addresses);
      return describe_lanes(l, &w, addresses, element_bytes(c.m), out);
    }
  }
}

Chosen choose_legacy_scattered(const Request& r) {
  const isa::Message& m = r.m;
  const unsigned channels = m.simd != 0 ? m.simd : r.exec_size;
  const unsigned part = (channels * isa::register_bytes(m.data_size) + r.grf_bytes - 1) / r.grf_bytes;
  if (m.vector_size == 0 || part * m.vector_size > kMaxPayloadRegisters) return {};
  switch (m.kind) {
    case isa::MessageKind::DwordScatteredRead:
      return chosen<scattered<D32, Space::Window, true, kDwordUnit>>();
    case isa::MessageKind::DwordScatteredWrite:
      return chosen<scattered<D32, Space::Window, false, kDwordUnit>>();
    case isa::MessageKind::QwordScatteredRead:
      return chosen<scattered<D64, Space::Window, true, kQwordUnit>>();
    case isa::MessageKind::QwordScatteredWrite:
      return chosen<scattered<D64, Space::Window, false, kQwordUnit>>();
    case isa::MessageKind::ByteScatteredRead:
    case isa::MessageKind::UntypedSurfaceRead:
      return for_format<Space::Window, true>(m);
    case isa::MessageKind::ByteScatteredWrite:
    case isa::MessageKind::UntypedSurfaceWrite:
      return for_format<Space::Window, false>(m);
    case isa::MessageKind::A64ScatteredRead:
    case isa::MessageKind::A64UntypedRead:
      return for_format<Space::A64, true>(m);
    case isa::MessageKind::A64ScatteredWrite:
    case isa::MessageKind::A64UntypedWrite:
      return for_format<Space::A64, false>(m);
    default:
      return {};
  }
}

}  // namespace xeforge::machine::messages
