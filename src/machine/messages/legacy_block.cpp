// SPDX-License-Identifier: Apache-2.0
//
// Block messages of the data ports before LSC (dc0, dc1, dcro). One header register holds the
// address; the data follow in successive registers.
//
// Units differ per message: oword block read and write (type 0 and 8) count in owords, the
// "aligned" one (type 1, which IGC uses for arguments) in bytes, A64 blocks in bytes (executed
// vendor kernels). Alignment: dwords for type 1 and A64 (IGC OWORD_LD_UNALIGNED.md), owords by
// construction for the others.
#include "machine/messages/choose.h"
#include "machine/messages/copy.h"

namespace xeforge::machine::messages {
namespace {

constexpr uint32_t kOword = 16;
constexpr uint32_t kHeaderOffsetDword = 2;
constexpr const char* kDwordRule = "block messages need dword alignment";

template <class T>
T header_field(const Thread& t, const Uop& u, uint32_t dword) {
  T value;
  std::memcpy(&value, t.at(u.src[0].offset + 4 * dword), sizeof value);
  return value;
}

uint32_t block_bytes(const isa::Message& m) { return m.vector_size * isa::memory_bytes(m.data_size); }

template <bool kLoad>
std::byte* block_data(Thread& t, const Uop& u) {
  return t.at(kLoad ? u.dst.offset : u.src[1].offset);
}

template <bool kLoad, uint32_t kUnit>
void surface_block(Thread& t, const Uop& u, const isa::Message& m) {
  if (active_channels(t, u) == 0) return;
  const Call c{t, u, m, kLoad ? Access::Load : Access::Store};
  const Window w = legacy_window(c);
  uint64_t offset = uint64_t{header_field<uint32_t>(t, u, kHeaderOffsetDword)} * kUnit;
  if (w.kind == WindowKind::Slm) offset &= kSlmAddressMask;
  if ((offset & 3u) != 0) fault_misaligned(c, offset, 4, -1, kDwordRule);
  copy_block(c, &w, offset, block_bytes(m), block_data<kLoad>(t, u));
}

template <bool kLoad>
void a64_block(Thread& t, const Uop& u, const isa::Message& m) {
  if (active_channels(t, u) == 0) return;
  const Call c{t, u, m, kLoad ? Access::Load : Access::Store};
  const auto address = header_field<uint64_t>(t, u, 0);
  if ((address & 3u) != 0) fault_misaligned(c, address, 4, -1, kDwordRule);
  copy_block(c, nullptr, address, block_bytes(m), block_data<kLoad>(t, u));
}

/// Spills. The header's scratch base (r0.5) is the thread's own space here.
template <bool kLoad>
void scratch_block(Thread& t, const Uop& u, const isa::Message& m) {
  if (active_channels(t, u) == 0) return;
  const Call c{t, u, m, kLoad ? Access::Load : Access::Store};
  const Window w = scratch_window(c);
  copy_block(c, &w, m.scratch_offset, block_bytes(m), block_data<kLoad>(t, u));
}

}  // namespace

Chosen choose_legacy_block(const Request& r) {
  const uint32_t bytes = block_bytes(r.m);
  if (bytes == 0 || bytes > kMaxPayloadRegisters * r.grf_bytes) return {};
  switch (r.m.kind) {
    case isa::MessageKind::OwordBlockRead:
      return chosen<surface_block<true, kOword>>();
    case isa::MessageKind::OwordBlockWrite:
      return chosen<surface_block<false, kOword>>();
    case isa::MessageKind::AlignedOwordBlockRead:
      return chosen<surface_block<true, 1>>();
    case isa::MessageKind::A64BlockRead:
      return chosen<a64_block<true>>();
    case isa::MessageKind::A64BlockWrite:
      return chosen<a64_block<false>>();
    case isa::MessageKind::ScratchBlockRead:
      return chosen<scratch_block<true>>();
    case isa::MessageKind::ScratchBlockWrite:
      return chosen<scratch_block<false>>();
    default:
      return {};
  }
}

}  // namespace xeforge::machine::messages
