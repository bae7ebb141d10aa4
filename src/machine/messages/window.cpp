// SPDX-License-Identifier: Apache-2.0
#include "machine/messages/window.h"

namespace xeforge::machine::messages {
namespace {

/// Legacy binding table indices with a meaning of their own (IGA, MessageDecoderHDC.cpp).
constexpr uint8_t kSlmBti = 0xFE;
constexpr uint8_t kStatelessBti = 0xFF;
constexpr uint8_t kStatelessNoncoherentBti = 0xFD;

uint32_t address_register(const Thread& t, uint32_t dword_subreg) {
  uint32_t value;
  std::memcpy(&value, t.at(regspace::kAddress + 4 * dword_subreg), sizeof value);
  return value;
}

Window of_surface(const Call& c, const Surface& s) {
  Window w;
  w.base = reinterpret_cast<std::byte*>(s.base);
  w.end = s.size;
  w.kind = WindowKind::Surface;
  const RunOptions* options = c.t.worker->context->options;
  w.report = s.report_out_of_bounds || (options != nullptr && options->stateful_bounds_are_errors);
  w.surface = &s;
  return w;
}

/// Cross-thread and per-thread data as the A32 stateless space shows them: their address is what
/// r0.0 holds. Nothing else is reachable through A32 stateless addresses on these devices.
Window indirect_window(const Call& c) {
  LaunchContext& context = *c.t.worker->context;
  Window w;
  w.base = context.indirect_data.data();
  w.low = context.indirect_base;
  w.end = context.indirect_base + context.indirect_data.size();
  w.kind = WindowKind::Indirect;
  return w;
}

Window bti_window(const Call& c, uint8_t bti) {
  const Surface& s = c.t.worker->context->bti[bti];
  if (s.size == 0 && s.base == 0) {
    fault_message(c, "binding table entry " + std::to_string(bti) + " is not bound to any argument of this launch");
  }
  return of_surface(c, s);
}

}  // namespace

Window slm_window(const Call& c) {
  Group& group = *c.t.group;
  Window w;
  w.base = group.slm.data();
  w.end = group.slm.size();
  w.kind = WindowKind::Slm;
  return w;
}

Window scratch_window(const Call& c) {
  Window w;
  w.base = c.t.scratch.data();
  w.end = c.t.scratch.size();
  w.kind = WindowKind::Scratch;
  return w;
}

Window surface_window(const Call& c) {
  const isa::Message& m = c.m;
  if (m.model == isa::AddressModel::Ss) return scratch_window(c);
  if (m.model == isa::AddressModel::Bti) {
    const uint32_t index = m.exdesc_in_reg ? address_register(c.t, m.exdesc_a0_subreg) >> 24 : m.bti;
    // LSC index 255: the thread's indirect data (Xe2 prologues, knowledge of compiled code).
    return index == 0xFF ? indirect_window(c) : bti_window(c, static_cast<uint8_t>(index));
  }
  // Bits [31:6] hold the surface state offset when the descriptor may use all 32 bits (ExBSO, and
  // always on Xe2); otherwise [31:12] hold offset[25:6] because the low bits carry lengths.
  const bool wide = m.exbso || c.u.grf_bytes == 64;
  uint32_t index;
  if (m.exdesc_in_reg) {
    const uint32_t value = address_register(c.t, m.exdesc_a0_subreg);
    index = wide ? value >> 6 : value >> 12;
  } else {
    index = (m.exdesc & 0xFFFFF800u) >> 6;
  }
  const std::vector<Surface>& surfaces = c.t.worker->context->bindless;
  if (index == 0 || index > surfaces.size()) {
    fault_message(c, "surface state offset " + hex(uint64_t{index} << 6) + " names none of the " +
                         std::to_string(surfaces.size()) + " surfaces of this launch");
  }
  return of_surface(c, surfaces[index - 1]);
}

Window legacy_window(const Call& c) {
  switch (c.m.bti) {
    case kSlmBti:
      return slm_window(c);
    case kStatelessBti:
    case kStatelessNoncoherentBti:
      return indirect_window(c);
    default:
      return bti_window(c, c.m.bti);
  }
}

void outside_window(const Call& c, const Window& w, uint64_t offset, uint64_t bytes, int lane) {
  if (w.kind == WindowKind::Surface && !w.report) return;
  const std::string access = describe_access(c, offset, bytes, lane);
  switch (w.kind) {
    case WindowKind::Slm: {
      std::string text = access + " of the group's shared local memory, which has " + bytes_text(w.end);
      return report_fault(c, {FaultKind::SlmOutOfBounds, c.u.pc, lane, std::move(text)});
    }
    case WindowKind::Scratch:
      // Registers come back from scratch in messages of 1, 2, 4 or 8 of them; IGC 2.40 fetches three with a message of
      // four that begins inside and ends behind the space. On hardware something else lies there, and nobody looks.
      if (c.access == Access::Load && offset == w.end && bytes < uint64_t{c.m.dst_len} * c.u.grf_bytes) return;
      return report_fault(c, {FaultKind::ScratchOutOfBounds, c.u.pc, lane,
                              access + " of the thread's scratch space, which has " + bytes_text(w.end)});
    case WindowKind::Indirect:
      // Prologues load whole blocks and may read past the arguments, never in front of them; what
      // lies there on hardware is the heap's next entry.
      if (c.access == Access::Load && offset >= w.low && offset <= w.end) return;
      return report_fault(c, {FaultKind::OutOfBounds, c.u.pc, lane,
                              access + " of the indirect data, which lies at " + hex(w.low) + " with " +
                                  bytes_text(w.end - w.low) + "; stateless A32 messages reach nothing else"});
    case WindowKind::Surface:
      break;
  }
  std::string text = access + " of a surface of " + bytes_text(w.end);
  uint64_t address = 0;
  if (w.surface->base == 0) {
    text += ", whose pointer argument is null";
  } else {
    // Offsets are 32 bits: one in front of the surface wraps around to a huge one.
    const uint64_t negative = (uint64_t{1} << 32) - offset;
    const bool before = offset >= 0x80000000u && offset < (uint64_t{1} << 32) && negative < w.surface->base;
    address = before ? w.surface->base - negative : w.surface->base + offset;
    const MemorySnapshot* memory = c.t.worker->memory;
    text += ", address " + hex(address);
    if (memory != nullptr) text += ", " + memory->describe_miss(address, bytes);
  }
  FaultException fault(FaultKind::OutOfBounds, c.u.pc, lane, std::move(text));
  fault.address = address;
  fault.has_address = true;
  report_fault(c, std::move(fault));
}

}  // namespace xeforge::machine::messages
