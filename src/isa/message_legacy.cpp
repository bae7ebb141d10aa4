// SPDX-License-Identifier: Apache-2.0
//
// The data ports before the load/store unit. Xe-HPG still has them: compilers use dc0 for argument loads and spills,
// the vendor's GEMM kernels for block transfers to local memory. Field positions: IGA's MessageDecoderHDC.cpp with
// its document pages (MSD0R_OWB and so on), and ngen's descriptors.
#include <array>
#include <bit>

#include "isa/message_bits.h"
#include "isa/message_families.h"

namespace xeforge::isa {
namespace {

constexpr uint8_t kOwordDwords = 4;
constexpr uint8_t kHwordDwords = 8;

// Descriptor bits 7:0. 64-bit addresses name no surface; the index then only chooses the coherency.
void binding_table(uint32_t desc, Message& m, uint8_t address_bits) {
  m.bti = static_cast<uint8_t>(bits(desc, 0, 8));
  m.address_bits = address_bits;
  m.model = address_bits == 64 ? AddressModel::Flat : AddressModel::Bti;
  m.header = bit(desc, 19);
}

void block(MessageKind kind, uint32_t dwords, Message& m) {
  m.kind = kind;
  m.data_size = DataSize::D32;
  m.vector_size = static_cast<uint8_t>(dwords);
  m.transposed = true;
}

// Bits 10:8: 1 in the low half of a register, 1 in the high half, 2, 4, 8, 16 owords. The high half has no word in
// Message (no compiler that this project runs emits it) and stays unknown.
void oword_block(MessageKind kind, uint32_t desc, Message& m) {
  constexpr std::array<uint8_t, 8> kOwords{1, 0, 2, 4, 8, 16, 0, 0};
  const uint8_t owords = kOwords[bits(desc, 8, 3)];
  if (owords != 0) block(kind, uint32_t{owords} * kOwordDwords, m);
}

// 1, 2, 4 or 8 hwords.
void hword_block(MessageKind kind, uint32_t code, Message& m) {
  constexpr uint32_t kLast = 3;
  if (code <= kLast) block(kind, (1U << code) * kHwordDwords, m);
}

// Bits 11:10 give the bytes that each channel moves; a channel always takes a whole dword of the registers.
void byte_scattered(MessageKind kind, uint32_t desc, Message& m) {
  constexpr std::array kSizes{DataSize::D8U32, DataSize::D16U32, DataSize::D32};
  const uint32_t code = bits(desc, 10, 2);
  if (code >= kSizes.size()) return;
  m.kind = kind;
  m.data_size = kSizes[code];
}

// Bits 11:10 give the elements at each address, as a power of two.
void scattered(MessageKind kind, DataSize size, uint32_t desc, Message& m) {
  m.kind = kind;
  m.data_size = size;
  m.vector_size = static_cast<uint8_t>(1U << bits(desc, 10, 2));
}

void scratch_block(uint32_t desc, Message& m) {
  m.address_bits = 32;
  m.header = bit(desc, 19);
  hword_block(bit(desc, 17) ? MessageKind::ScratchBlockWrite : MessageKind::ScratchBlockRead, bits(desc, 12, 2), m);
  m.scratch_offset = bits(desc, 0, 12) * 32;
}

void memory_fence(uint32_t desc, Message& m) {
  m.kind = MessageKind::LegacyMemoryFence;
  m.bti = static_cast<uint8_t>(bits(desc, 0, 8));
  m.header = bit(desc, 19);
  constexpr uint8_t kLocalMemory = 0xFE;
  if (m.bti != 0 && m.bti != kLocalMemory) m.kind = MessageKind::Unknown;
}

// Bits 11:8 say which channels are *off*; 13:12 how many addresses there are.
void untyped_surface(MessageKind kind, uint32_t desc, Message& m) {
  constexpr std::array<uint8_t, 4> kSimd{0, 16, 8, 0};
  m.component_mask = static_cast<uint8_t>(~bits(desc, 8, 4) & 0xF);
  m.vector_size = static_cast<uint8_t>(std::popcount(m.component_mask));
  m.simd = kSimd[bits(desc, 12, 2)];
  m.data_size = DataSize::D32;
  if (m.simd != 0 && m.component_mask != 0) m.kind = kind;
}

struct AtomicCode {
  AtomicOp op = AtomicOp::None;
  bool quad = false;  // 64 bits wide whatever the message says
};

constexpr std::array<AtomicCode, 16> kIntegerAtomics{{{AtomicOp::Cmpxchg, true},
                                                      {AtomicOp::And},
                                                      {AtomicOp::Or},
                                                      {AtomicOp::Xor},
                                                      {AtomicOp::Xchg},
                                                      {AtomicOp::Inc},
                                                      {AtomicOp::Dec},
                                                      {AtomicOp::Add},
                                                      {AtomicOp::Sub},
                                                      {AtomicOp::RevSub},
                                                      {AtomicOp::Smax},
                                                      {AtomicOp::Smin},
                                                      {AtomicOp::Umax},
                                                      {AtomicOp::Umin},
                                                      {AtomicOp::Cmpxchg},
                                                      {AtomicOp::Predec}}};

constexpr std::array<AtomicCode, 8> kFloatAtomics{{{},
                                                   {AtomicOp::FMax},
                                                   {AtomicOp::FMin},
                                                   {AtomicOp::FCmpxchg},
                                                   {AtomicOp::FAdd},
                                                   {AtomicOp::FSub},
                                                   {AtomicOp::FAdd, true},
                                                   {AtomicOp::FSub, true}}};

void atomic(MessageKind kind, AtomicCode code, DataSize size, uint8_t simd, Message& m) {
  if (code.op == AtomicOp::None) return;
  m.kind = kind;
  m.atomic = code.op;
  m.data_size = code.quad ? DataSize::D64 : size;
  m.simd = simd;
}

// Bit 12, where it means eight instead of sixteen channels.
uint8_t simd_reversed(uint32_t desc) { return bit(desc, 12) ? 8 : 16; }

void a64_scattered(bool read, uint32_t desc, Message& m) {
  enum SubType : uint32_t { kBytes, kDwords, kQwords };
  const auto kind = read ? MessageKind::A64ScatteredRead : MessageKind::A64ScatteredWrite;
  m.simd = bit(desc, 12) ? 16 : 8;
  switch (bits(desc, 8, 2)) {
    case kBytes:
      byte_scattered(kind, desc, m);
      break;
    case kDwords:
      scattered(kind, DataSize::D32, desc, m);
      break;
    case kQwords:
      scattered(kind, DataSize::D64, desc, m);
      break;
    default:
      break;
  }
}

void a64_block(bool read, uint32_t desc, Message& m) {
  enum SubType : uint32_t { kUnalignedOwords, kAlignedOwords, kDualBlock, kHwords };
  const auto kind = read ? MessageKind::A64BlockRead : MessageKind::A64BlockWrite;
  switch (bits(desc, 11, 2)) {
    case kUnalignedOwords:
    case kAlignedOwords:
      oword_block(kind, desc, m);
      break;
    case kHwords:
      hword_block(kind, bits(desc, 8, 3), m);
      break;
    default:
      break;
  }
}

void data_simd(uint32_t desc, Message& m) { m.simd = bit(desc, 8) ? 16 : 8; }

}  // namespace

void decode_dc0(uint32_t desc, Message& m) {
  enum Type : uint32_t {
    kOwordRead = 0x00,
    kAlignedRead = 0x01,
    kDwordRead = 0x03,
    kByteRead = 0x04,
    kQwordRead = 0x05,
    kFence = 0x07,
    kOwordWrite = 0x08,
    kDwordWrite = 0x0B,
    kByteWrite = 0x0C,
    kQwordWrite = 0x0D,
  };
  if (bit(desc, 18)) {
    scratch_block(desc, m);
    return;
  }
  binding_table(desc, m, 32);
  switch (bits(desc, 14, 5)) {
    case kOwordRead:
      oword_block(MessageKind::OwordBlockRead, desc, m);
      break;
    case kAlignedRead:
      if (bit(desc, 13)) {
        hword_block(MessageKind::AlignedOwordBlockRead, bits(desc, 8, 3), m);
      } else {
        oword_block(MessageKind::AlignedOwordBlockRead, desc, m);
      }
      break;
    case kOwordWrite:
      oword_block(MessageKind::OwordBlockWrite, desc, m);
      break;
    case kByteRead:
    case kByteWrite:
      data_simd(desc, m);
      byte_scattered(bits(desc, 14, 5) == kByteRead ? MessageKind::ByteScatteredRead : MessageKind::ByteScatteredWrite,
                     desc, m);
      break;
    case kDwordRead:
    case kDwordWrite:
      data_simd(desc, m);
      scattered(bits(desc, 14, 5) == kDwordRead ? MessageKind::DwordScatteredRead : MessageKind::DwordScatteredWrite,
                DataSize::D32, desc, m);
      break;
    case kQwordRead:
    case kQwordWrite:
      data_simd(desc, m);
      scattered(bits(desc, 14, 5) == kQwordRead ? MessageKind::QwordScatteredRead : MessageKind::QwordScatteredWrite,
                DataSize::D64, desc, m);
      break;
    case kFence:
      memory_fence(desc, m);
      break;
    default:
      break;
  }
}

void decode_dc1(uint32_t desc, Message& m) {
  enum Type : uint32_t {
    kUntypedRead = 0x01,
    kAtomic = 0x02,
    kAtomicWord = 0x03,
    kUntypedWrite = 0x09,
    kA64ScatteredRead = 0x10,
    kA64UntypedRead = 0x11,
    kA64Atomic = 0x12,
    kA64AtomicWord = 0x13,
    kA64BlockRead = 0x14,
    kA64BlockWrite = 0x15,
    kA64UntypedWrite = 0x19,
    kA64ScatteredWrite = 0x1A,
    kAtomicFloat = 0x1B,
    kAtomicHalf = 0x1C,
    kA64AtomicFloat = 0x1D,
    kA64AtomicHalf = 0x1E,
  };
  const uint32_t type = bits(desc, 14, 5);
  // From 0x10 on all of them use 64-bit addresses, but for the two float atomics in between.
  const bool a64 = type >= kA64ScatteredRead && type != kAtomicFloat && type != kAtomicHalf;
  binding_table(desc, m, a64 ? 64 : 32);
  const auto integer = kIntegerAtomics[bits(desc, 8, 4)];
  const auto floating = kFloatAtomics[bits(desc, 8, 3)];
  switch (type) {
    case kUntypedRead:
      untyped_surface(MessageKind::UntypedSurfaceRead, desc, m);
      break;
    case kUntypedWrite:
      untyped_surface(MessageKind::UntypedSurfaceWrite, desc, m);
      break;
    case kA64UntypedRead:
      untyped_surface(MessageKind::A64UntypedRead, desc, m);
      break;
    case kA64UntypedWrite:
      untyped_surface(MessageKind::A64UntypedWrite, desc, m);
      break;
    case kA64ScatteredRead:
    case kA64ScatteredWrite:
      a64_scattered(type == kA64ScatteredRead, desc, m);
      break;
    case kA64BlockRead:
    case kA64BlockWrite:
      a64_block(type == kA64BlockRead, desc, m);
      break;
    case kAtomic:
      atomic(MessageKind::UntypedAtomic, integer, DataSize::D32, simd_reversed(desc), m);
      break;
    case kAtomicWord:
      atomic(MessageKind::UntypedAtomic, integer, DataSize::D16U32, simd_reversed(desc), m);
      break;
    case kA64Atomic:
      // Always eight channels; bit 12 is the width of the data.
      atomic(MessageKind::A64UntypedAtomic, integer, bit(desc, 12) ? DataSize::D64 : DataSize::D32, 8, m);
      break;
    case kA64AtomicWord:
      atomic(MessageKind::A64UntypedAtomic, integer, DataSize::D16U32, 8, m);
      break;
    case kAtomicFloat:
      atomic(MessageKind::UntypedAtomic, floating, DataSize::D32, simd_reversed(desc), m);
      break;
    case kAtomicHalf:
      atomic(MessageKind::UntypedAtomic, floating, DataSize::D16U32, simd_reversed(desc), m);
      break;
    case kA64AtomicFloat:
      atomic(MessageKind::A64UntypedAtomic, floating, DataSize::D32, 8, m);
      break;
    case kA64AtomicHalf:
      atomic(MessageKind::A64UntypedAtomic, floating, DataSize::D16U32, 8, m);
      break;
    default:
      break;
  }
}

void decode_dcro(uint32_t desc, Message& m) {
  enum Type : uint32_t { kOwordRead = 0x00, kAlignedOwordRead = 0x01, kDwordRead = 0x03 };
  binding_table(desc, m, 32);
  switch (bits(desc, 14, 5)) {
    case kOwordRead:
      oword_block(MessageKind::OwordBlockRead, desc, m);
      break;
    case kAlignedOwordRead:
      oword_block(MessageKind::AlignedOwordBlockRead, desc, m);
      break;
    case kDwordRead:
      data_simd(desc, m);
      scattered(MessageKind::DwordScatteredRead, DataSize::D32, desc, m);
      break;
    default:
      break;
  }
}

}  // namespace xeforge::isa
