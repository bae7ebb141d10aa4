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
#include "machine/messages/describe.h"

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

/// Byte offset in the window of a message that counts in units of `unit` bytes.
uint64_t surface_offset(const Thread& t, const Uop& u, const Window& w, uint32_t unit) {
  const uint64_t offset = uint64_t{header_field<uint32_t>(t, u, kHeaderOffsetDword)} * unit;
  return w.kind == WindowKind::Slm ? offset & kSlmAddressMask : offset;
}

template <bool kLoad, uint32_t kUnit>
void surface_block(Thread& t, const Uop& u, const isa::Message& m) {
  if (active_channels(t, u) == 0) return;
  const Call c{t, u, m, kLoad ? Access::Load : Access::Store};
  const Window w = legacy_window(c);
  const uint64_t offset = surface_offset(t, u, w, kUnit);
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

void describe_legacy_block(const Call& c, Footprint& out) {
  out.channels = active_channels(c.t, c.u);
  if (out.channels == 0) return;
  const uint32_t bytes = block_bytes(c.m);
  Window w;
  uint64_t offset = 0;
  switch (c.m.kind) {
    case isa::MessageKind::A64BlockRead:
    case isa::MessageKind::A64BlockWrite:
      describe_space(nullptr, out);
      return out.add(header_field<uint64_t>(c.t, c.u, 0), bytes, -1);
    case isa::MessageKind::ScratchBlockRead:
    case isa::MessageKind::ScratchBlockWrite:
      w = scratch_window(c);
      offset = c.m.scratch_offset;
      break;
    default:
      w = legacy_window(c);
      offset = surface_offset(c.t, c.u, w, c.m.kind == isa::MessageKind::AlignedOwordBlockRead ? 1 : kOword);
      break;
  }
  describe_space(&w, out);
  describe_range(&w, offset, bytes, kCopyUnit, -1, out);
}

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
