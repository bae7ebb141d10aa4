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

// Bits 9:8 say what the elements are, 12 how many addresses.
void a64_scattered(MessageKind kind, uint32_t desc, Message& m) {
  constexpr uint32_t kBytes = 0;
  constexpr uint32_t kDwords = 1;
  constexpr uint32_t kQwords = 2;
  m.simd = bit(desc, 12) ? 16 : 8;
  const uint32_t elements = bits(desc, 8, 2);
  if (elements == kBytes) byte_scattered(kind, desc, m);
  if (elements == kDwords) scattered(kind, DataSize::D32, desc, m);
  if (elements == kQwords) scattered(kind, DataSize::D64, desc, m);
}

// 1, 2, 4 or 8 hwords as 1 to 4 in bits 10:8. IGA's listing counts from 0 there, but the registers that oneDNN's
// kernels ask for (8 with code 4) say otherwise.
void a64_hword_block(MessageKind kind, uint32_t desc, Message& m) {
  const uint32_t code = bits(desc, 8, 3);
  if (code != 0) hword_block(kind, code - 1, m);
}

// Bits 12:11: owords (0 unaligned, 1 aligned), 3 hwords.
void a64_block(MessageKind kind, uint32_t desc, Message& m) {
  constexpr uint32_t kAlignedOwords = 1;
  constexpr uint32_t kHwords = 3;
  const uint32_t unit = bits(desc, 11, 2);
  if (unit <= kAlignedOwords) oword_block(kind, desc, m);
  if (unit == kHwords) a64_hword_block(kind, desc, m);
}

// Bit 13 chooses between owords and hwords.
void aligned_block(MessageKind kind, uint32_t desc, Message& m) {
  if (bit(desc, 13)) {
    hword_block(kind, bits(desc, 8, 3), m);
  } else {
    oword_block(kind, desc, m);
  }
}

enum class Layout : uint8_t {
  OwordBlock,
  AlignedBlock,
  A64Block,
  ByteScattered,
  Scattered,
  A64Scattered,
  Untyped,
  IntegerAtomic,
  FloatAtomic,
  Fence
};

struct Row {
  uint8_t type;  // descriptor bits 18:14
  MessageKind kind;
  Layout layout;
  uint8_t address_bits = 32;
  DataSize size = DataSize::D32;
};

constexpr std::array kDc0{
    Row{0x00, MessageKind::OwordBlockRead, Layout::OwordBlock},
    Row{0x01, MessageKind::AlignedOwordBlockRead, Layout::AlignedBlock},
    Row{0x03, MessageKind::DwordScatteredRead, Layout::Scattered},
    Row{0x04, MessageKind::ByteScatteredRead, Layout::ByteScattered},
    Row{0x05, MessageKind::QwordScatteredRead, Layout::Scattered, 32, DataSize::D64},
    Row{0x07, MessageKind::LegacyMemoryFence, Layout::Fence},
    Row{0x08, MessageKind::OwordBlockWrite, Layout::OwordBlock},
    Row{0x0B, MessageKind::DwordScatteredWrite, Layout::Scattered},
    Row{0x0C, MessageKind::ByteScatteredWrite, Layout::ByteScattered},
    Row{0x0D, MessageKind::QwordScatteredWrite, Layout::Scattered, 32, DataSize::D64},
};

constexpr std::array kDc1{
    Row{0x01, MessageKind::UntypedSurfaceRead, Layout::Untyped},
    Row{0x02, MessageKind::UntypedAtomic, Layout::IntegerAtomic},
    Row{0x03, MessageKind::UntypedAtomic, Layout::IntegerAtomic, 32, DataSize::D16U32},
    Row{0x09, MessageKind::UntypedSurfaceWrite, Layout::Untyped},
    Row{0x10, MessageKind::A64ScatteredRead, Layout::A64Scattered, 64},
    Row{0x11, MessageKind::A64UntypedRead, Layout::Untyped, 64},
    Row{0x12, MessageKind::A64UntypedAtomic, Layout::IntegerAtomic, 64},
    Row{0x13, MessageKind::A64UntypedAtomic, Layout::IntegerAtomic, 64, DataSize::D16U32},
    Row{0x14, MessageKind::A64BlockRead, Layout::A64Block, 64},
    Row{0x15, MessageKind::A64BlockWrite, Layout::A64Block, 64},
    Row{0x19, MessageKind::A64UntypedWrite, Layout::Untyped, 64},
    Row{0x1A, MessageKind::A64ScatteredWrite, Layout::A64Scattered, 64},
    Row{0x1B, MessageKind::UntypedAtomic, Layout::FloatAtomic},
    Row{0x1C, MessageKind::UntypedAtomic, Layout::FloatAtomic, 32, DataSize::D16U32},
    Row{0x1D, MessageKind::A64UntypedAtomic, Layout::FloatAtomic, 64},
    Row{0x1E, MessageKind::A64UntypedAtomic, Layout::FloatAtomic, 64, DataSize::D16U32},
};

constexpr std::array kDcro{
    Row{0x00, MessageKind::OwordBlockRead, Layout::OwordBlock},
    Row{0x01, MessageKind::AlignedOwordBlockRead, Layout::OwordBlock},
    Row{0x03, MessageKind::DwordScatteredRead, Layout::Scattered},
};

// With 64-bit addresses there are always eight channels; bit 12 of the dword message is then the width of the data.
void integer_atomic(const Row& row, uint32_t desc, Message& m) {
  const bool wide = row.address_bits == 64 && row.size == DataSize::D32 && bit(desc, 12);
  const uint8_t simd = row.address_bits == 64 ? 8 : simd_reversed(desc);
  atomic(row.kind, kIntegerAtomics[bits(desc, 8, 4)], wide ? DataSize::D64 : row.size, simd, m);
}

void float_atomic(const Row& row, uint32_t desc, Message& m) {
  const uint8_t simd = row.address_bits == 64 ? 8 : simd_reversed(desc);
  atomic(row.kind, kFloatAtomics[bits(desc, 8, 3)], row.size, simd, m);
}

void decode_row(const Row& row, uint32_t desc, Message& m) {
  binding_table(desc, m, row.address_bits);
  switch (row.layout) {
    case Layout::OwordBlock:
      return oword_block(row.kind, desc, m);
    case Layout::AlignedBlock:
      return aligned_block(row.kind, desc, m);
    case Layout::A64Block:
      return a64_block(row.kind, desc, m);
    case Layout::ByteScattered:
      m.simd = bit(desc, 8) ? 16 : 8;
      return byte_scattered(row.kind, desc, m);
    case Layout::Scattered:
      m.simd = bit(desc, 8) ? 16 : 8;
      return scattered(row.kind, row.size, desc, m);
    case Layout::A64Scattered:
      return a64_scattered(row.kind, desc, m);
    case Layout::Untyped:
      return untyped_surface(row.kind, desc, m);
    case Layout::IntegerAtomic:
      return integer_atomic(row, desc, m);
    case Layout::FloatAtomic:
      return float_atomic(row, desc, m);
    case Layout::Fence:
      return memory_fence(desc, m);
  }
}

template <size_t N>
void decode_table(const std::array<Row, N>& table, uint32_t desc, Message& m) {
  for (const auto& row : table) {
    if (row.type == bits(desc, 14, 5)) return decode_row(row, desc, m);
  }
}

}  // namespace

void decode_dc0(uint32_t desc, Message& m) {
  if (bit(desc, 18)) {
    scratch_block(desc, m);
  } else {
    decode_table(kDc0, desc, m);
  }
}

void decode_dc1(uint32_t desc, Message& m) { decode_table(kDc1, desc, m); }

void decode_dcro(uint32_t desc, Message& m) { decode_table(kDcro, desc, m); }

}  // namespace xeforge::isa
