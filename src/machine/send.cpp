// SPDX-License-Identifier: Apache-2.0
//
// Handlers of send instructions: chosen once per instruction from its message, or at run time
// where the descriptor lies in a0.
#include <array>

#include "machine/footprint.h"
#include "machine/messages/choose.h"

namespace xeforge::machine {
namespace messages {

Chosen choose(const Request& r) {
  using Choose = Chosen (*)(const Request&);
  static constexpr Choose kFamilies[] = {choose_lsc_simd,     choose_lsc_block,       choose_lsc_block2d,
                                         choose_atomic,       choose_fence,           choose_gateway,
                                         choose_legacy_block, choose_legacy_scattered};
  for (const Choose family : kFamilies) {
    const Chosen found = family(r);
    if (found.body != nullptr) return found;
  }
  return {};
}

namespace {

/// Everything that the decoding of a run-time descriptor and the choice of its handler depend on, but for the
/// platform. By value: instructions come and go with their programs.
struct Key {
  uint32_t desc = 0, exdesc = 0;
  isa::Sfid sfid = isa::Sfid::Null;
  uint8_t src1_len = 0, exec_size = 0;
  uint8_t desc_a0_subreg = 0, exdesc_a0_subreg = 0;
  bool exdesc_in_reg = false, exbso = false, no_destination = false;

  bool operator==(const Key&) const = default;
};

/// Descriptors repeat: the last few are kept, per host thread.
struct Decoded {
  Key key;
  isa::Message message;
  Body body = nullptr;
};

constexpr size_t kCacheEntries = 64;

uint32_t address_register(const Thread& t, uint32_t dword_subreg) {
  uint32_t value;
  std::memcpy(&value, t.at(regspace::kAddress + 4 * dword_subreg), sizeof value);
  return value;
}

/// Payload lengths from a0 are only known now; those of immediate descriptors were checked by translate().
void require_registers(const Thread& t, const Uop& u, const isa::Message& m) {
  const uint32_t end = t.worker->context->code->grf_count * u.grf_bytes;
  const auto fits = [&](uint32_t offset, unsigned registers) {
    return offset >= regspace::kAcc || offset + registers * u.grf_bytes <= end;
  };
  if (fits(u.src[0].offset, m.src0_len) && fits(u.src[1].offset, m.src1_len) && fits(u.dst.offset, m.dst_len)) return;
  raise_fault(FaultKind::RegisterOutOfBounds, u.pc, -1,
              isa::describe(m) + ": its payload reaches beyond the thread's " +
                  std::to_string(t.worker->context->code->grf_count) + " registers");
}

/// The message whose descriptor lies in a0, and what executes it. Valid until the next call on this host thread.
template <isa::Platform kPlatform>
const Decoded& decode_dynamic(const Thread& t, const Uop& u) {
  thread_local std::array<Decoded, kCacheEntries> cache;
  const isa::Message& partial = u.inst->msg;
  const uint32_t desc = address_register(t, partial.desc_a0_subreg);
  uint8_t src1_len = partial.src1_len;
  if (partial.src1_len_in_reg)
    src1_len = static_cast<uint8_t>(address_register(t, partial.exdesc_a0_subreg) >> 6 & 31u);
  const Key key{desc,
                partial.exdesc,
                partial.sfid,
                src1_len,
                u.exec_size,
                partial.desc_a0_subreg,
                partial.exdesc_a0_subreg,
                partial.exdesc_in_reg,
                partial.exbso,
                u.dst.null};
  Decoded& slot = cache[(u.pc / 8 ^ desc * 2654435761u >> 20) % kCacheEntries];
  if (slot.body == nullptr || !(slot.key == key)) {
    slot.key = key;
    slot.message = isa::decode_message(kPlatform, partial.sfid, desc, partial.exdesc, partial);
    slot.message.src1_len = src1_len;
    const Request request{slot.message, u.exec_size, u.grf_bytes, u.dst.null,
                          *t.worker->context->launch->kernel->device};
    slot.body = choose(request).body;
    if (slot.body == nullptr) {
      raise_fault(FaultKind::BadMessage, u.pc, -1,
                  "descriptor " + hex(desc) + " in a0." + std::to_string(partial.desc_a0_subreg) +
                      " is not a message that this machine executes: " + isa::describe(slot.message));
    }
  }
  return slot;
}

}  // namespace
}  // namespace messages

const isa::Message& executed_message(const Thread& t, const Uop& u) {
  if (!u.inst->msg.desc_in_reg) return u.inst->msg;
  return t.worker->context->launch->kernel->device->platform == isa::Platform::XeHpg
             ? messages::decode_dynamic<isa::Platform::XeHpg>(t, u).message
             : messages::decode_dynamic<isa::Platform::Xe2>(t, u).message;
}

namespace {

template <isa::Platform kPlatform>
void dynamic_send(Thread& t, const Uop& u) {
  const messages::Decoded& decoded = messages::decode_dynamic<kPlatform>(t, u);
  messages::require_registers(t, u, decoded.message);
  decoded.body(t, u, decoded.message);
}

/// A message that also ends the thread.
template <Handler H>
void last_send(Thread& t, const Uop& u) {
  H(t, u);
  t.status = ThreadStatus::Finished;
}

void static_last_send(Thread& t, const Uop& u) {
  using namespace messages;
  const Request request{u.inst->msg, u.exec_size, u.grf_bytes, u.dst.null, *t.worker->context->launch->kernel->device};
  choose(request).body(t, u, u.inst->msg);
  t.status = ThreadStatus::Finished;
}

}  // namespace

Handler send_handler(const isa::Instruction& inst, const device::Device& device) {
  using namespace messages;
  const isa::Message& m = inst.msg;
  const bool last = inst.end_of_thread || m.end_of_thread;
  if (m.desc_in_reg) {
    if (device.platform == isa::Platform::XeHpg) {
      return last ? last_send<dynamic_send<isa::Platform::XeHpg>> : dynamic_send<isa::Platform::XeHpg>;
    }
    return last ? last_send<dynamic_send<isa::Platform::Xe2>> : dynamic_send<isa::Platform::Xe2>;
  }
  const Chosen found =
      choose({m, inst.exec_size, device.grf_bytes(), !inst.dst.exists() || inst.dst.is_null(), device});
  if (found.handler == nullptr) return nullptr;
  return last && m.kind != isa::MessageKind::EndOfThread ? static_last_send : found.handler;
}

}  // namespace xeforge::machine
