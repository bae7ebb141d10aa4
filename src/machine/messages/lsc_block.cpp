// SPDX-License-Identifier: Apache-2.0
//
// Transposed LSC messages ("block" loads and stores): one address, successive elements down the
// registers. Alignment: that of the element (4 bytes for d32, 8 for d64; SYCL ESIMD block_load,
// IGC emitLSCVectorLoad). SLM takes the same rule.
#include "machine/messages/choose.h"
#include "machine/messages/copy.h"
#include "machine/messages/describe.h"

namespace xeforge::machine::messages {
namespace {

enum class Space : uint8_t { Flat, Slm, Window };

constexpr const char* kRule = "transposed LSC messages need the element's alignment";

template <class Addr, bool kSlm>
Addr address_of(const Thread& t, const Uop& u, const isa::Message& m) {
  Addr a;
  std::memcpy(&a, t.at(u.src[0].offset), sizeof a);
  a = static_cast<Addr>(a + static_cast<Addr>(static_cast<int64_t>(m.immediate_offset)));
  if constexpr (kSlm) a &= static_cast<Addr>(kSlmAddressMask);
  return a;
}

template <Space S, class Addr, unsigned Element, unsigned Count, bool kLoad>
void block(Thread& t, const Uop& u, const isa::Message& m) {
  if ((active_channels(t, u) & 1u) == 0) return;
  constexpr uint32_t kBytes = Element * Count;
  const Call c{t, u, m, kLoad ? Access::Load : Access::Store};
  std::byte* data = t.at(kLoad ? u.dst.offset : u.src[1].offset);
  const Addr a = address_of<Addr, S == Space::Slm>(t, u, m);
  if ((a & (Element - 1)) != 0) fault_misaligned(c, a, Element, -1, kRule);
  if constexpr (S == Space::Flat) {
    const Range range = allocation_at(c, a);
    if (!range.holds(a, kBytes)) {
      if (load_across_end(c, range, a, kBytes, data)) return;
      fault_global(c, a, kBytes, -1);
      if constexpr (kLoad) std::memset(data, 0, kBytes);
      return;
    }
    if constexpr (kLoad)
      std::memcpy(data, range.at(a), kBytes);
    else
      std::memcpy(range.at(a), data, kBytes);
  } else {
    const Window w = S == Space::Slm ? slm_window(c) : surface_window(c);
    const Range range = w.range();
    if (range.holds(a, kBytes)) {
      if constexpr (kLoad)
        std::memcpy(data, range.at(a), kBytes);
      else
        std::memcpy(range.at(a), data, kBytes);
    } else {
      copy_checked(c, w, a, kBytes, data);
    }
  }
}

template <Space S, class Addr, unsigned Element, bool kLoad>
Chosen for_count(unsigned count) {
  switch (count) {
    case 1:
      return chosen<block<S, Addr, Element, 1, kLoad>>();
    case 2:
      return chosen<block<S, Addr, Element, 2, kLoad>>();
    case 3:
      return chosen<block<S, Addr, Element, 3, kLoad>>();
    case 4:
      return chosen<block<S, Addr, Element, 4, kLoad>>();
    case 8:
      return chosen<block<S, Addr, Element, 8, kLoad>>();
    case 16:
      return chosen<block<S, Addr, Element, 16, kLoad>>();
    case 32:
      return chosen<block<S, Addr, Element, 32, kLoad>>();
    case 64:
      return chosen<block<S, Addr, Element, 64, kLoad>>();
    default:
      return {};
  }
}

template <Space S, class Addr, bool kLoad>
Chosen for_element(const isa::Message& m) {
  // Narrower elements exist in two-dimensional blocks only.
  if (m.data_size == isa::DataSize::D32) return for_count<S, Addr, 4, kLoad>(m.vector_size);
  if (m.data_size == isa::DataSize::D64) return for_count<S, Addr, 8, kLoad>(m.vector_size);
  return {};
}

template <Space S, bool kLoad>
Chosen for_address(const isa::Message& m) {
  if (m.address_bits == 16) return for_element<S, uint16_t, kLoad>(m);
  if (m.address_bits == 32) return for_element<S, uint32_t, kLoad>(m);
  if constexpr (S == Space::Slm) {
    return {};
  } else {
    return for_element<S, uint64_t, kLoad>(m);
  }
}

template <bool kLoad>
Chosen for_space(const isa::Message& m) {
  if (m.sfid == isa::Sfid::Slm) return for_address<Space::Slm, kLoad>(m);
  if (m.model == isa::AddressModel::Flat) return for_address<Space::Flat, kLoad>(m);
  return for_address<Space::Window, kLoad>(m);
}

void prefetch_block(Thread&, const Uop&, const isa::Message&) {}

template <bool kSlm>
uint64_t any_address(const Call& c) {
  if (c.m.address_bits == 16) return address_of<uint16_t, kSlm>(c.t, c.u, c.m);
  if (c.m.address_bits == 32) return address_of<uint32_t, kSlm>(c.t, c.u, c.m);
  return address_of<uint64_t, kSlm>(c.t, c.u, c.m);
}

}  // namespace

void describe_lsc_block(const Call& c, Footprint& out) {
  out.channels = active_channels(c.t, c.u) & 1u;
  if (out.channels == 0) return;
  const bool slm = c.m.sfid == isa::Sfid::Slm;
  const uint32_t bytes = c.m.vector_size * isa::memory_bytes(c.m.data_size);
  if (!slm && c.m.model == isa::AddressModel::Flat) {
    describe_space(nullptr, out);
    return out.add(any_address<false>(c), bytes, -1);
  }
  const Window w = slm ? slm_window(c) : surface_window(c);
  describe_space(&w, out);
  describe_range(&w, slm ? any_address<true>(c) : any_address<false>(c), bytes, kCopyUnit, -1, out);
}

Chosen choose_lsc_block(const Request& r) {
  const isa::Message& m = r.m;
  if (!m.transposed || (m.kind != isa::MessageKind::Load && m.kind != isa::MessageKind::Store)) return {};
  if (m.sfid != isa::Sfid::Ugm && m.sfid != isa::Sfid::UgmL && m.sfid != isa::Sfid::Slm) return {};
  if (r.exec_size != 1) return {};
  if (m.kind == isa::MessageKind::Load)
    return (r.no_destination || m.is_prefetch()) ? chosen<prefetch_block>() : for_space<true>(m);
  return for_space<false>(m);
}

}  // namespace xeforge::machine::messages
