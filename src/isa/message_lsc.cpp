// SPDX-License-Identifier: Apache-2.0
//
// Field positions: IGA's MessageDecoderLSC.cpp names them with their document pages (DP_LOAD and so on).
#include <array>
#include <bit>

#include "isa/message_bits.h"
#include "isa/message_families.h"

namespace xeforge::isa {
namespace {

struct LscOperation {
  MessageKind kind = MessageKind::Unknown;
  AtomicOp atomic = AtomicOp::None;
};

constexpr unsigned kOperationBits = 6;

constexpr auto kOperations = [] {
  std::array<LscOperation, 1 << kOperationBits> table{};
  table[0x00] = {MessageKind::Load};
  table[0x02] = {MessageKind::LoadCmask};
  table[0x03] = {MessageKind::LoadBlock2d};
  table[0x04] = {MessageKind::Store};
  table[0x06] = {MessageKind::StoreCmask};
  table[0x07] = {MessageKind::StoreBlock2d};
  table[0x1F] = {MessageKind::Fence};
  constexpr std::array kAtomics{AtomicOp::Inc,      AtomicOp::Dec,  AtomicOp::Load, AtomicOp::Store, AtomicOp::Add,
                                AtomicOp::Sub,      AtomicOp::Smin, AtomicOp::Smax, AtomicOp::Umin,  AtomicOp::Umax,
                                AtomicOp::Cmpxchg,  AtomicOp::FAdd, AtomicOp::FSub, AtomicOp::FMin,  AtomicOp::FMax,
                                AtomicOp::FCmpxchg, AtomicOp::And,  AtomicOp::Or,   AtomicOp::Xor};
  constexpr size_t kFirstAtomic = 0x08;
  for (size_t i = 0; i < kAtomics.size(); ++i) table[kFirstAtomic + i] = {MessageKind::Atomic, kAtomics[i]};
  return table;
}();

struct CachePair {
  CachePolicy l1, l3;
};

// Descriptor bits 19:17.
constexpr std::array<CachePair, 8> kLoadCaching{{{CachePolicy::Default, CachePolicy::Default},
                                                 {CachePolicy::Uncached, CachePolicy::Uncached},
                                                 {CachePolicy::Uncached, CachePolicy::Cached},
                                                 {CachePolicy::Cached, CachePolicy::Uncached},
                                                 {CachePolicy::Cached, CachePolicy::Cached},
                                                 {CachePolicy::Streaming, CachePolicy::Uncached},
                                                 {CachePolicy::Streaming, CachePolicy::Cached},
                                                 {CachePolicy::InvalidateAfterRead, CachePolicy::Cached}}};
constexpr std::array<CachePair, 8> kStoreCaching{{{CachePolicy::Default, CachePolicy::Default},
                                                  {CachePolicy::Uncached, CachePolicy::Uncached},
                                                  {CachePolicy::Uncached, CachePolicy::WriteBack},
                                                  {CachePolicy::WriteThrough, CachePolicy::Uncached},
                                                  {CachePolicy::WriteThrough, CachePolicy::WriteBack},
                                                  {CachePolicy::Streaming, CachePolicy::Uncached},
                                                  {CachePolicy::Streaming, CachePolicy::WriteBack},
                                                  {CachePolicy::WriteBack, CachePolicy::WriteBack}}};

CachePair caching(Platform platform, uint32_t desc, bool load) {
  if (platform == Platform::Xe2 && load) {
    // Xe2 has a fourth bit, 16, with three more policies for loads.
    switch (bits(desc, 16, 4)) {
      case 0x5:
        return {CachePolicy::Uncached, CachePolicy::ConstCached};
      case 0x9:
        return {CachePolicy::Cached, CachePolicy::ConstCached};
      case 0xE:
        return {CachePolicy::InvalidateAfterRead, CachePolicy::InvalidateAfterRead};
      default:
        break;
    }
  }
  const uint32_t code = bits(desc, 17, 3);
  return load ? kLoadCaching[code] : kStoreCaching[code];
}

constexpr std::array<uint8_t, 8> kVectorSizes{1, 2, 3, 4, 8, 16, 32, 64};

constexpr std::array kAddressModels{AddressModel::Flat, AddressModel::Bss, AddressModel::Ss, AddressModel::Bti};

// Xe2 only: offsets that the instruction adds to every address. What lies in `exdesc` beside an a0 register is the
// immediate part of the instruction.
void immediate_offset(uint32_t exdesc, Message& m) {
  const bool block = m.kind == MessageKind::LoadBlock2d || m.kind == MessageKind::StoreBlock2d;
  switch (m.model) {
    case AddressModel::Flat:
      if (block) {
        m.block2d_x = static_cast<int16_t>(signed_bits(exdesc, 12, 10));
        m.block2d_y = static_cast<int16_t>(signed_bits(exdesc, 22, 10));
      } else {
        m.immediate_offset = signed_bits(exdesc, 12, 20);
      }
      break;
    case AddressModel::Bti:
      if (!m.exdesc_in_reg) m.immediate_offset = signed_bits(exdesc, 12, 12);
      break;
    case AddressModel::Bss:
    case AddressModel::Ss:
      // Offset bits 16:4 lie in 31:19, 3:0 in 15:12; between them is the number of the a0 register.
      if (m.exdesc_in_reg && m.sfid == Sfid::Ugm) {
        m.immediate_offset = signed_bits((bits(exdesc, 19, 13) << 4) | bits(exdesc, 12, 4), 0, 17);
      }
      break;
  }
}

bool decode_data_size(uint32_t desc, Message& m) {
  constexpr uint32_t kLast = static_cast<uint32_t>(DataSize::D16U32H);
  const uint32_t code = bits(desc, 9, 3);
  if (code > kLast) return false;
  m.data_size = static_cast<DataSize>(code);
  return true;
}

bool decode_address_size(uint32_t desc, Message& m) {
  const uint32_t code = bits(desc, 7, 2);
  if (code == 0) return false;
  m.address_bits = static_cast<uint8_t>(8U << code);
  return true;
}

bool decode_fence(uint32_t desc, Message& m) {
  constexpr uint32_t kLastScope = static_cast<uint32_t>(FenceScope::SystemAcquire);
  constexpr uint32_t kLastFlush = 6;
  const uint32_t scope = bits(desc, 9, 3);
  m.fence_flush = static_cast<uint8_t>(bits(desc, 12, 3));
  if (scope > kLastScope || m.fence_flush > kLastFlush) return false;
  m.fence_scope = static_cast<FenceScope>(scope);
  return true;
}

bool decode_access(Platform platform, uint32_t desc, uint32_t exdesc, Message& m) {
  const bool block = m.kind == MessageKind::LoadBlock2d || m.kind == MessageKind::StoreBlock2d;
  const bool cmask = m.kind == MessageKind::LoadCmask || m.kind == MessageKind::StoreCmask;
  const bool load =
      m.kind == MessageKind::Load || m.kind == MessageKind::LoadCmask || m.kind == MessageKind::LoadBlock2d;
  const bool typed_block = block && m.sfid == Sfid::Tgm;

  m.model = kAddressModels[bits(desc, 29, 2)];
  if (m.model == AddressModel::Bti && !m.exdesc_in_reg) m.bti = static_cast<uint8_t>(bits(exdesc, 24, 8));
  if (typed_block) {
    m.address_bits = 32;
  } else if (!decode_data_size(desc, m)) {
    return false;
  }
  if (block) {
    if (!typed_block) m.address_bits = 64;
    m.transposed = !typed_block && bit(desc, 15);
    m.vnni = !typed_block && m.kind == MessageKind::LoadBlock2d && bit(desc, 7);
  } else if (!decode_address_size(desc, m)) {
    return false;
  } else if (cmask) {
    m.component_mask = static_cast<uint8_t>(bits(desc, 12, 4));
    m.vector_size = static_cast<uint8_t>(std::popcount(m.component_mask));
    if (m.component_mask == 0) return false;
  } else {
    m.vector_size = kVectorSizes[bits(desc, 12, 3)];
    m.transposed = bit(desc, 15);
    if (m.kind == MessageKind::Atomic && (m.vector_size != 1 || m.transposed)) return false;
  }
  if (m.sfid != Sfid::Slm) {
    const auto policy = caching(platform, desc, load);
    m.l1 = policy.l1;
    m.l3 = policy.l3;
  }
  if (platform == Platform::Xe2) immediate_offset(exdesc, m);
  return true;
}

}  // namespace

void decode_lsc(Platform platform, uint32_t desc, uint32_t exdesc, Message& m) {
  const auto& operation = kOperations[bits(desc, 0, kOperationBits)];
  m.kind = operation.kind;
  m.atomic = operation.atomic;
  if (m.kind == MessageKind::Unknown) return;
  const bool known = m.kind == MessageKind::Fence ? decode_fence(desc, m) : decode_access(platform, desc, exdesc, m);
  if (!known) m.kind = MessageKind::Unknown;
}

}  // namespace xeforge::isa
