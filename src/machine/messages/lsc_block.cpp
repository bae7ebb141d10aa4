// SPDX-License-Identifier: Apache-2.0
//
// Transposed LSC messages ("block" loads and stores): one address, successive elements down the
// registers. Alignment: that of the element (4 bytes for d32, 8 for d64; SYCL ESIMD block_load,
// IGC emitLSCVectorLoad). SLM takes the same rule.
#include "machine/messages/choose.h"
#include "machine/messages/copy.h"

namespace xeforge::machine::messages {
namespace {

enum class Space : uint8_t { Flat, Slm, Window };

constexpr const char* kRule = "transposed LSC messages need the element's alignment";

template <class Addr>
Addr address_of(const Thread& t, const Uop& u, const isa::Message& m) {
  Addr a;
  std::memcpy(&a, t.at(u.src[0].offset), sizeof a);
  return static_cast<Addr>(a + static_cast<Addr>(static_cast<int64_t>(m.immediate_offset)));
}

template <Space S, class Addr, unsigned Element, unsigned Count, bool kLoad>
void block(Thread& t, const Uop& u, const isa::Message& m) {
  if ((active_channels(t, u) & 1u) == 0) return;
  constexpr uint32_t kBytes = Element * Count;
  const Call c{t, u, m, kLoad ? Access::Load : Access::Store};
  std::byte* data = t.at(kLoad ? u.dst.offset : u.src[1].offset);
  Addr a = address_of<Addr>(t, u, m);
  if constexpr (S == Space::Slm) a &= static_cast<Addr>(kSlmAddressMask);
  if ((a & (Element - 1)) != 0) fault_misaligned(c, a, Element, -1, kRule);
  if constexpr (S == Space::Flat) {
    const Range range = allocation_at(c, a);
    if (!range.holds(a, kBytes)) fault_global(c, a, kBytes, -1);
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

}  // namespace

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
