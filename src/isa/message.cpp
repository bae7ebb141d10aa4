// SPDX-License-Identifier: Apache-2.0
#include "isa/message.h"

#include "isa/message_bits.h"
#include "isa/message_families.h"

namespace xeforge::isa {
namespace {

// Gateway operation, descriptor bits 3:0. A named barrier is signalled by the same message: its number and the
// counts of producers and consumers are payload.
void decode_gateway(uint32_t desc, Message& m) {
  constexpr uint32_t kEndOfThread = 0;
  constexpr uint32_t kBarrier = 4;
  switch (bits(desc, 0, 4)) {
    case kEndOfThread:
      m.kind = MessageKind::EndOfThread;
      break;
    case kBarrier:
      m.kind = MessageKind::BarrierSignal;
      break;
    default:
      break;
  }
}

}  // namespace

Message decode_message(Platform platform, Sfid sfid, uint32_t desc, uint32_t exdesc, const Message& partial) {
  Message m;
  m.sfid = sfid;
  m.desc = desc;
  m.exdesc = exdesc;
  m.desc_in_reg = partial.desc_in_reg;
  m.desc_a0_subreg = partial.desc_a0_subreg;
  m.exdesc_in_reg = partial.exdesc_in_reg;
  m.exdesc_a0_subreg = partial.exdesc_a0_subreg;
  m.exbso = partial.exbso;
  m.end_of_thread = partial.end_of_thread;
  m.src1_len = partial.src1_len;
  m.src1_len_in_reg = partial.src1_len_in_reg;
  m.src0_len = static_cast<uint8_t>(bits(desc, 25, 4));
  m.dst_len = static_cast<uint8_t>(bits(desc, 20, 5));
  m.returns_data = m.dst_len != 0;

  switch (sfid) {
    case Sfid::Ugm:
    case Sfid::UgmL:
    case Sfid::Tgm:
    case Sfid::Slm:
      decode_lsc(platform, desc, exdesc, m);
      break;
    case Sfid::Dc0:
      decode_dc0(desc, m);
      break;
    case Sfid::Dc1:
      decode_dc1(desc, m);
      break;
    case Sfid::DcRo:
      decode_dcro(desc, m);
      break;
    case Sfid::Gateway:
      decode_gateway(desc, m);
      break;
    default:
      break;
  }
  return m;
}

unsigned memory_bytes(DataSize s) {
  switch (s) {
    case DataSize::D8:
    case DataSize::D8U32:
      return 1;
    case DataSize::D16:
    case DataSize::D16U32:
    case DataSize::D16U32H:
      return 2;
    case DataSize::D32:
      return 4;
    case DataSize::D64:
      return 8;
  }
  return 0;
}

unsigned register_bytes(DataSize s) {
  switch (s) {
    case DataSize::D8:
      return 1;
    case DataSize::D16:
      return 2;
    case DataSize::D32:
    case DataSize::D8U32:
    case DataSize::D16U32:
    case DataSize::D16U32H:
      return 4;
    case DataSize::D64:
      return 8;
  }
  return 0;
}

}  // namespace xeforge::isa
