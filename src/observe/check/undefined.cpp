// SPDX-License-Identifier: Apache-2.0
#include "observe/check/undefined.h"

#include <algorithm>
#include <cstring>

#include "machine/translate.h"

namespace xeforge::observe::check {
namespace {

namespace regspace = machine::regspace;

bool shadowed(isa::RegFile file) {
  return file == isa::RegFile::Grf || file == isa::RegFile::Acc || file == isa::RegFile::Address;
}

Elements elements_of(const isa::Operand& o, unsigned grf_bytes) {
  Elements e;
  e.operand = &o;
  e.size = static_cast<uint8_t>(isa::bytes_of(o.type));
  if (o.kind == isa::OperandKind::Indirect) e.kind = Elements::Kind::Indirect;
  if (o.kind != isa::OperandKind::Direct) return e;
  if (o.file == isa::RegFile::Flag) {
    e.kind = Elements::Kind::Flags;
    e.offset = (o.reg * 4u + o.sub_bytes) * 8;  // in bits
  } else if (shadowed(o.file)) {
    e.kind = Elements::Kind::Registers;
    e.offset = machine::register_offset(o, grf_bytes);
  }
  return e;
}

void close(Elements& e, unsigned exec_size) {
  e.contiguous = true;
  for (unsigned i = 0; i < exec_size && e.contiguous; ++i)
    e.contiguous =
        static_cast<int32_t>(i / e.w) * e.v + static_cast<int32_t>(i % e.w) * e.h == static_cast<int32_t>(i * e.size);
  e.span = 0;
  for (unsigned i = 0; i < exec_size; ++i) e.span = std::max(e.span, e.at(i) + e.size - e.offset);
  if (e.kind == Elements::Kind::Registers && e.offset + e.span > ShadowRegisters::kBytes) e.kind = Elements::Kind::None;
}

}  // namespace

std::string origins_text(uint8_t origins) {
  static constexpr struct {
    uint8_t bit;
    const char* text;
  } kRows[] = {{origin::kRegister, "a register"},        {origin::kLocal, "local memory"},
               {origin::kDevice, "device memory"},       {origin::kFlag, "a flag"},
               {origin::kAccumulator, "an accumulator"}, {origin::kScratch, "scratch memory"}};
  std::string text;
  for (const auto& row : kRows) {
    if ((origins & row.bit) == 0) continue;
    if (!text.empty()) text += " and ";
    text += row.text;
  }
  return text + " that was never written";
}

Elements source_elements(const isa::Operand& o, unsigned exec_size, unsigned grf_bytes) {
  Elements e = elements_of(o, grf_bytes);
  e.w = std::max<uint8_t>(o.region.w, 1);
  e.v = o.region.v * e.size;
  e.h = o.region.h * e.size;
  close(e, exec_size);
  return e;
}

Elements destination_elements(const isa::Operand& o, unsigned exec_size, unsigned grf_bytes) {
  Elements e = elements_of(o, grf_bytes);
  e.w = 1;
  e.v = std::max<uint8_t>(o.region.h, 1) * e.size;
  close(e, exec_size);
  return e;
}

void ShadowRegisters::reset(uint32_t payload, uint32_t grf) {
  std::memset(bytes_.data(), 0, payload);
  std::memset(bytes_.data() + payload, origin::kRegister, grf - payload);
  std::memset(bytes_.data() + grf, 0, regspace::kAcc - grf);
  std::memset(bytes_.data() + regspace::kAcc, origin::kAccumulator, regspace::kAccBytes + regspace::kAddressBytes);
  flags_.fill(origin::kFlag);
  flags_dirty_ = true;
  dirty_.fill(false);
  refresh(0, kUnits - 1);
}

void ShadowRegisters::refresh(uint32_t first, uint32_t last) {
  constexpr uint32_t kUnit = 1u << kUnitLog2;
  for (uint32_t unit = first; unit <= last; ++unit) {
    uint64_t words[kUnit / 8];
    std::memcpy(words, bytes_.data() + size_t{unit} * kUnit, sizeof words);
    dirty_[unit] = (words[0] | words[1] | words[2] | words[3]) != 0;
  }
}

void ShadowRegisters::set(uint32_t offset, uint32_t n, uint8_t value) {
  if (n == 0 || offset + n > kBytes) return;
  std::memset(bytes_.data() + offset, value, n);
  refresh(offset >> kUnitLog2, (offset + n - 1) >> kUnitLog2);
}

void ShadowRegisters::set_bytes(uint32_t offset, const uint8_t* from, uint32_t n) {
  if (n == 0 || offset + n > kBytes) return;
  std::memcpy(bytes_.data() + offset, from, n);
  refresh(offset >> kUnitLog2, (offset + n - 1) >> kUnitLog2);
}

}  // namespace xeforge::observe::check
