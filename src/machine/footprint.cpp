// SPDX-License-Identifier: Apache-2.0
#include "machine/footprint.h"

#include <algorithm>

#include "machine/messages/describe.h"

namespace xeforge::machine {
namespace messages {

void describe_space(const Window* w, Footprint& out) {
  if (w == nullptr) {
    out.space = Footprint::Space::Global;
    return;
  }
  switch (w->kind) {
    case WindowKind::Surface:
      out.space = Footprint::Space::Global;
      break;
    case WindowKind::Slm:
      out.space = Footprint::Space::Slm;
      break;
    case WindowKind::Scratch:
      out.space = Footprint::Space::Scratch;
      break;
    case WindowKind::Indirect:
      out.space = Footprint::Space::Indirect;
      break;
  }
}

void describe_range(const Window* w, uint64_t offset, uint32_t bytes, uint32_t unit, int32_t part, Footprint& out) {
  if (w == nullptr) return out.add(offset, bytes, part);
  const Range range = w->range();
  const uint64_t origin = w->kind == WindowKind::Surface ? range.origin : 0;
  if (range.holds(offset, bytes)) return out.add(origin + offset, bytes, part);
  // Unit by unit, as the handlers do; neighbours that are inside become one piece.
  uint32_t begin = 0, end = 0;
  for (uint32_t done = 0; done < bytes; done += unit) {
    const uint32_t n = std::min(unit, bytes - done);
    if (range.holds(offset + done, n)) {
      if (end != done) begin = done;
      end = done + n;
      if (end == bytes) out.add(origin + offset + begin, end - begin, part);
    } else if (end == done && end > begin) {
      out.add(origin + offset + begin, end - begin, part);
    }
  }
}

namespace {

using Kind = Footprint::Kind;
using Describe = void (*)(const Call&, Footprint&);

struct Row {
  Kind kind = Kind::Other;
  Describe describe = nullptr;
};

void describe_lsc(const Call& c, Footprint& out) {
  return c.m.transposed ? describe_lsc_block(c, out) : describe_lsc_simd(c, out);
}

Row row_of(isa::MessageKind kind) {
  using isa::MessageKind;
  switch (kind) {
    case MessageKind::Load:
      return {Kind::Load, describe_lsc};
    case MessageKind::Store:
      return {Kind::Store, describe_lsc};
    case MessageKind::LoadCmask:
      return {Kind::Load, describe_lsc_simd};
    case MessageKind::StoreCmask:
      return {Kind::Store, describe_lsc_simd};
    case MessageKind::LoadBlock2d:
      return {Kind::Load, describe_lsc_block2d};
    case MessageKind::StoreBlock2d:
      return {Kind::Store, describe_lsc_block2d};
    case MessageKind::Atomic:
    case MessageKind::UntypedAtomic:
    case MessageKind::A64UntypedAtomic:
      return {Kind::Atomic, describe_atomic};
    case MessageKind::Fence:
    case MessageKind::LegacyMemoryFence:
      return {Kind::Fence, nullptr};
    case MessageKind::BarrierSignal:
    case MessageKind::NamedBarrierSignal:
      return {Kind::BarrierSignal, describe_gateway};
    case MessageKind::EndOfThread:
      return {Kind::EndOfThread, nullptr};
    case MessageKind::OwordBlockRead:
    case MessageKind::AlignedOwordBlockRead:
    case MessageKind::ScratchBlockRead:
    case MessageKind::A64BlockRead:
      return {Kind::Load, describe_legacy_block};
    case MessageKind::OwordBlockWrite:
    case MessageKind::ScratchBlockWrite:
    case MessageKind::A64BlockWrite:
      return {Kind::Store, describe_legacy_block};
    case MessageKind::DwordScatteredRead:
    case MessageKind::ByteScatteredRead:
    case MessageKind::QwordScatteredRead:
    case MessageKind::UntypedSurfaceRead:
    case MessageKind::A64ScatteredRead:
    case MessageKind::A64UntypedRead:
      return {Kind::Load, describe_legacy_scattered};
    case MessageKind::DwordScatteredWrite:
    case MessageKind::ByteScatteredWrite:
    case MessageKind::QwordScatteredWrite:
    case MessageKind::UntypedSurfaceWrite:
    case MessageKind::A64ScatteredWrite:
    case MessageKind::A64UntypedWrite:
      return {Kind::Store, describe_legacy_scattered};
    case MessageKind::Unknown:
      break;
  }
  return {};
}

const isa::Message* message_or_null(const Thread& t, const Uop& u) {
  try {
    return &executed_message(t, u);
  } catch (const FaultException&) {
    return nullptr;
  }
}

bool lsc_load(isa::MessageKind kind) {
  return kind == isa::MessageKind::Load || kind == isa::MessageKind::LoadCmask || kind == isa::MessageKind::LoadBlock2d;
}

}  // namespace
}  // namespace messages

void footprint(Thread& t, const Uop& u, Footprint& out) {
  using namespace messages;
  const isa::Message* message = message_or_null(t, u);
  const isa::Message& m = message == nullptr ? u.inst->msg : *message;
  const Row row = row_of(m.kind);
  out.kind = row.kind;
  out.space = Footprint::Space::None;
  out.ends_thread = u.inst->end_of_thread || m.end_of_thread || m.kind == isa::MessageKind::EndOfThread;
  out.channels = 0;
  out.barrier_payload = 0;
  out.message = &m;
  out.count = 0;
  if (row.describe == nullptr) {
    out.channels = active_channels(t, u);
    return;
  }
  const Access access = row.kind == Kind::Atomic  ? Access::Atomic
                        : row.kind == Kind::Store ? Access::Store
                                                  : Access::Load;
  const Call c{t, u, m, access};
  if (lsc_load(m.kind) && (u.dst.null || m.is_prefetch())) out.kind = Kind::Prefetch;
  try {
    row.describe(c, out);
  } catch (const FaultException&) {
    out.count = 0;  // the handler will say it; nobody is told that a prefetch went nowhere
  }
}

}  // namespace xeforge::machine
