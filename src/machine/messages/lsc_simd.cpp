// SPDX-License-Identifier: Apache-2.0
//
// LSC load / store with one address per channel (gather, scatter) and the cmask forms.
//
// Payloads: `exec_size` addresses of 16, 32 or 64 bits in successive registers; component v of
// the data starts at the next whole register after component v - 1 (DG2 and Xe2 alike, with
// their register sizes; IGC visa/BuildIRImpl.cpp).
// Alignment: a single element per address may lie anywhere: IGC emits d32 and d64 with vector
// size 1 for byte-aligned data (VectorMessage::getLSCInfo, EmitPass::emitLSCVectorLoad). Vectors
// need the element's alignment.
#include "machine/messages/choose.h"
#include "machine/messages/describe.h"
#include "machine/messages/lanes.h"

namespace xeforge::machine::messages {
namespace {

enum class Space : uint8_t { Flat, Slm, Window };

constexpr const char* kVectorRule =
    "LSC messages with several elements per address need the element's alignment (one element may lie anywhere)";

/// Distance of data components: from the message's length where it names one, which also covers
/// payloads padded to a wider native SIMD.
uint32_t component_bytes(const Uop& u, unsigned length, unsigned components, unsigned register_bytes) {
  const uint32_t needed = part_bytes(u, u.exec_size, register_bytes);
  if (length == 0 || length % components != 0) return needed;
  const uint32_t given = length / components * u.grf_bytes;
  return given > needed ? given : needed;
}

Lanes lanes_of(const Uop& u, const isa::Message& m, uint32_t mask, unsigned register_bytes, bool load) {
  Lanes l;
  l.mask = mask;
  l.all = u.lanes;
  l.count = u.exec_size;
  l.offset = load ? u.dst.offset : u.src[1].offset;
  l.has_components = m.kind == isa::MessageKind::LoadCmask || m.kind == isa::MessageKind::StoreCmask;
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
  l.part = l.elements == 1 ? 0 : component_bytes(u, load ? m.dst_len : m.src1_len, l.elements, register_bytes);
  return l;
}

/// The addresses of the first `n` channels. 16-bit ones are rare (SLM only in practice) and widened.
template <bool kSlm, bool kNarrow, class Addr>
[[gnu::always_inline]] inline void form_addresses(const Thread& t, const Uop& u, const isa::Message& m, unsigned n,
                                                  Addr* addresses) {
  if constexpr (kNarrow) {
    for (unsigned i = 0; i < n; ++i) {
      uint16_t a;
      std::memcpy(&a, t.at(u.src[0].offset + 2 * i), sizeof a);
      addresses[i] = static_cast<Addr>(a + m.immediate_offset);
    }
  } else {
    std::memcpy(addresses, t.at(u.src[0].offset), n * sizeof(Addr));
    const auto immediate = static_cast<Addr>(static_cast<int64_t>(m.immediate_offset));
    if (immediate != 0) {
      for (unsigned i = 0; i < n; ++i) addresses[i] = static_cast<Addr>(addresses[i] + immediate);
    }
    if constexpr (kSlm) {
      for (unsigned i = 0; i < n; ++i) addresses[i] &= static_cast<Addr>(kSlmAddressMask);
    }
  }
}

template <Space S, class Addr, class Fmt, bool kLoad, int N>
void simd(Thread& t, const Uop& u, const isa::Message& m) {
  const uint32_t mask = active_channels(t, u);
  if (mask == 0) return;
  const unsigned n = N ? N : u.exec_size;
  const Call c{t, u, m, kLoad ? Access::Load : Access::Store};
  const Lanes l = lanes_of(u, m, mask, sizeof(typename Fmt::Reg), kLoad);

  // A copy: the destination may be the address payload itself.
  Addr addresses[kMaxLanes];
  form_addresses<S == Space::Slm, false>(t, u, m, n, addresses);
  if (l.elements > 1) require_alignment(c, l, addresses, sizeof(typename Fmt::Mem), kVectorRule);

  if constexpr (S == Space::Flat) {
    const Range range = allocation_at(c, addresses[__builtin_ctz(mask)]);
    move_lanes<Fmt, Addr, kLoad, N>(c, l, nullptr, range, addresses);
  } else {
    const Window w = S == Space::Slm ? slm_window(c) : surface_window(c);
    move_lanes<Fmt, Addr, kLoad, N>(c, l, &w, w.range(), addresses);
  }
}

template <Space S, class Fmt, bool kLoad>
void simd_a16(Thread& t, const Uop& u, const isa::Message& m) {
  const uint32_t mask = active_channels(t, u);
  if (mask == 0) return;
  const Call c{t, u, m, kLoad ? Access::Load : Access::Store};
  const Lanes l = lanes_of(u, m, mask, sizeof(typename Fmt::Reg), kLoad);
  uint32_t addresses[kMaxLanes];
  form_addresses<S == Space::Slm, true>(t, u, m, u.exec_size, addresses);
  if (l.elements > 1) require_alignment(c, l, addresses, sizeof(typename Fmt::Mem), kVectorRule);
  if constexpr (S == Space::Flat) {
    move_lanes<Fmt, uint32_t, kLoad, 0>(c, l, nullptr, allocation_at(c, addresses[__builtin_ctz(mask)]), addresses);
  } else {
    const Window w = S == Space::Slm ? slm_window(c) : surface_window(c);
    move_lanes<Fmt, uint32_t, kLoad, 0>(c, l, &w, w.range(), addresses);
  }
}

template <Space S, class Addr, class Fmt, bool kLoad>
Chosen for_size(unsigned exec_size) {
  // The formats that compilers emit all the time get code for each channel count.
  if constexpr (sizeof(typename Fmt::Reg) >= 4 && !std::is_same_v<Fmt, D16U32H>) {
    switch (exec_size) {
      case 8:
        return chosen<simd<S, Addr, Fmt, kLoad, 8>>();
      case 16:
        return chosen<simd<S, Addr, Fmt, kLoad, 16>>();
      case 32:
        return chosen<simd<S, Addr, Fmt, kLoad, 32>>();
      default:
        break;
    }
  }
  return chosen<simd<S, Addr, Fmt, kLoad, 0>>();
}

template <Space S, bool kLoad>
Chosen for_format(const Request& r) {
  return with_format(r.m.data_size, [&](auto format) -> Chosen {
    using Fmt = decltype(format);
    if (r.m.address_bits == 16) return chosen<simd_a16<S, Fmt, kLoad>>();
    if (r.m.address_bits == 32) return for_size<S, uint32_t, Fmt, kLoad>(r.exec_size);
    if constexpr (S == Space::Slm) {
      return {};
    } else {
      return for_size<S, uint64_t, Fmt, kLoad>(r.exec_size);
    }
  });
}

template <bool kLoad>
Chosen for_space(const Request& r) {
  if (r.m.sfid == isa::Sfid::Slm) return for_format<Space::Slm, kLoad>(r);
  if (r.m.model == isa::AddressModel::Flat) return for_format<Space::Flat, kLoad>(r);
  return for_format<Space::Window, kLoad>(r);
}

/// A load without destination only warms the caches. It faults on no address.
void prefetch(Thread&, const Uop&, const isa::Message&) {}

template <bool kSlm, bool kNarrow, class Addr>
void describe(const Call& c, const Lanes& l, const Window* w, Footprint& out) {
  Addr addresses[kMaxLanes];
  form_addresses<kSlm, kNarrow>(c.t, c.u, c.m, c.u.exec_size, addresses);
  describe_lanes(l, w, addresses, isa::memory_bytes(c.m.data_size), out);
}

}  // namespace

void describe_lsc_simd(const Call& c, Footprint& out) {
  const uint32_t mask = active_channels(c.t, c.u);
  if (mask == 0) return;
  const Lanes l = lanes_of(c.u, c.m, mask, isa::register_bytes(c.m.data_size), c.access == Access::Load);
  const bool slm = c.m.sfid == isa::Sfid::Slm;
  Window window;
  const Window* w = nullptr;
  if (slm || c.m.model != isa::AddressModel::Flat) {
    window = slm ? slm_window(c) : surface_window(c);
    w = &window;
  }
  if (c.m.address_bits == 64) return describe<false, false, uint64_t>(c, l, w, out);
  if (c.m.address_bits == 16)
    return slm ? describe<true, true, uint32_t>(c, l, w, out) : describe<false, true, uint32_t>(c, l, w, out);
  return slm ? describe<true, false, uint32_t>(c, l, w, out) : describe<false, false, uint32_t>(c, l, w, out);
}

Chosen choose_lsc_simd(const Request& r) {
  const isa::Message& m = r.m;
  const bool cmask = m.kind == isa::MessageKind::LoadCmask || m.kind == isa::MessageKind::StoreCmask;
  const bool load = m.kind == isa::MessageKind::Load || m.kind == isa::MessageKind::LoadCmask;
  if (!load && m.kind != isa::MessageKind::Store && m.kind != isa::MessageKind::StoreCmask) return {};
  // The tgm port takes typed (image) messages only, whose addresses are coordinates.
  if (m.sfid != isa::Sfid::Ugm && m.sfid != isa::Sfid::UgmL && m.sfid != isa::Sfid::Slm) return {};
  if (m.transposed || (cmask && (m.component_mask & 0xF) == 0) || (!cmask && m.vector_size == 0)) return {};
  if (load && (r.no_destination || m.is_prefetch())) return chosen<prefetch>();
  const unsigned components =
      cmask ? static_cast<unsigned>(__builtin_popcount(m.component_mask & 0xFu)) : m.vector_size;
  const unsigned part = (r.exec_size * isa::register_bytes(m.data_size) + r.grf_bytes - 1) / r.grf_bytes;
  if (part * components > kMaxPayloadRegisters) return {};
  return load ? for_space<true>(r) : for_space<false>(r);
}

}  // namespace xeforge::machine::messages
