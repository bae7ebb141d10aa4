// SPDX-License-Identifier: Apache-2.0
//
// Message gateway (barriers, end of thread) and fences.
#include <atomic>

#include "machine/barrier.h"
#include "machine/messages/choose.h"
#include "machine/messages/describe.h"

namespace xeforge::machine::messages {
namespace {

BarrierPayload read_payload(const Thread& t, const Uop& u) {
  BarrierPayload payload;
  std::memcpy(&payload.dword, t.at(u.src[0].offset + 8), sizeof payload.dword);
  return payload;
}

/// Xe2: one message for all barriers.
void signal_any(Thread& t, const Uop& u, const isa::Message&) {
  if (active_channels(t, u) == 0) return;
  const BarrierPayload payload = read_payload(t, u);
  if (payload.of_group(static_cast<uint32_t>(t.group->threads.size()), true))
    signal_barrier(t, u.pc, payload.active_only());
  else
    signal_named_barrier(t, u.pc, payload);
}

/// Devices that have the group's barrier only.
void signal_group(Thread& t, const Uop& u, const isa::Message& m) {
  if (active_channels(t, u) == 0) return;
  const BarrierPayload payload = read_payload(t, u);
  if (payload.id() != 0) {
    raise_fault(FaultKind::UnsupportedOnDevice, u.pc, -1,
                isa::describe(m) + ": the payload names barrier " + std::to_string(payload.id()) +
                    ", but this device has no named barriers");
  }
  signal_barrier(t, u.pc, false);
}

/// Acts whatever the execution mask says: a thread that is told to end has ended.
void end_of_thread(Thread& t, const Uop&, const isa::Message&) { t.status = ThreadStatus::Finished; }

/// Fences return one register so that the thread can wait for them; its content is zero (IGC
/// documentation/visa/instructions/LSC_FENCE.md).
void fence(Thread& t, const Uop& u, const isa::Message& m) {
  if (active_channels(t, u) == 0) return;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (m.dst_len != 0 && !u.dst.null) std::memset(t.at(u.dst.offset), 0, u.grf_bytes);
}

}  // namespace

void describe_gateway(const Call& c, Footprint& out) {
  out.channels = active_channels(c.t, c.u);
  if (out.channels != 0) out.barrier_payload = read_payload(c.t, c.u).dword;
}

Chosen choose_gateway(const Request& r) {
  switch (r.m.kind) {
    case isa::MessageKind::BarrierSignal:
    case isa::MessageKind::NamedBarrierSignal:
      return r.device.platform == isa::Platform::Xe2 ? chosen<signal_any>() : chosen<signal_group>();
    case isa::MessageKind::EndOfThread:
      return chosen<end_of_thread>();
    default:
      return {};
  }
}

Chosen choose_fence(const Request& r) {
  if (r.m.kind == isa::MessageKind::Fence || r.m.kind == isa::MessageKind::LegacyMemoryFence) return chosen<fence>();
  return {};
}

}  // namespace xeforge::machine::messages
