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
  undefined_.fill(0);
  for (uint32_t at = payload; at < grf; at += kWordBytes - at % kWordBytes)
    undefined_[at / kWordBytes] = UINT64_MAX << at % kWordBytes;
  for (uint32_t word = regspace::kAcc / kWordBytes; word < kWords; ++word) undefined_[word] = UINT64_MAX;
  known_.fill(0);
  flags_.fill(origin::kFlag);
  undefined_flags_.fill(UINT64_MAX);
  ++generation_;
}

void ShadowRegisters::write(uint32_t offset, uint32_t n, const uint8_t* from, uint8_t value) {
  if (n == 0 || offset + n > kBytes) return;
  uint32_t done = 0;
  while (done < n) {
    const uint32_t at = offset + done, word = at / kWordBytes, first = at % kWordBytes;
    const uint32_t here = std::min(n - done, kWordBytes - first);
    const uint64_t mask = UINT64_MAX >> (kWordBytes - here) << first;
    uint64_t undefined = value != 0 ? mask : 0;
    if (from != nullptr) {
      for (uint32_t i = 0; i < here; ++i) undefined |= uint64_t{from[done + i] != 0} << (first + i);
    }
    if (undefined != 0) {
      if (!known(word)) {
        std::memset(origins_.data() + size_t{word} * kWordBytes, first_origin(at), kWordBytes);
        known_[word / 64] |= uint64_t{1} << word % 64;
      }
      if (from != nullptr)
        std::memcpy(origins_.data() + at, from + done, here);
      else
        std::memset(origins_.data() + at, value, here);
      if ((undefined & ~undefined_[word]) != 0) ++generation_;
    }
    undefined_[word] = (undefined_[word] & ~mask) | undefined;
    done += here;
  }
}

void ShadowRegisters::set(uint32_t offset, uint32_t n, uint8_t value) { write(offset, n, nullptr, value); }

void ShadowRegisters::set_bytes(uint32_t offset, const uint8_t* from, uint32_t n) { write(offset, n, from, 0); }

void ShadowRegisters::set_flag(unsigned bit, uint8_t value) {
  uint64_t& word = undefined_flags_[bit / 64];
  const uint64_t mask = uint64_t{1} << bit % 64;
  if (value == 0) {
    word &= ~mask;
    return;
  }
  if ((word & mask) == 0) ++generation_;
  word |= mask;
  flags_[bit] = value;
}

}  // namespace xeforge::observe::check
