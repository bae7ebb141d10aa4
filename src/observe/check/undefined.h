// SPDX-License-Identifier: Apache-2.0
//
// Definedness of a thread's registers: a bit for each byte (and for each flag) that was never written, and where such
// an undefined value came from. Operands as plain ranges, worked out once per instruction.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "machine/code.h"
#include "machine/thread.h"

namespace xeforge::observe::check {

/// Origins of undefined values.
namespace origin {
inline constexpr uint8_t kRegister = 1, kLocal = 2, kDevice = 4, kFlag = 8, kAccumulator = 16, kScratch = 32;
}  // namespace origin
/// "a register that was never written, local memory that was never written"
std::string origins_text(uint8_t origins);

/// An operand's bytes in Thread::regs, element by element.
struct Elements {
  enum class Kind : uint8_t { None, Registers, Flags, Indirect } kind = Kind::None;
  uint8_t size = 4;  ///< bytes per element
  bool contiguous = true;
  uint32_t offset = 0;   ///< of element 0
  uint32_t span = 0;     ///< bytes from the first to behind the last one
  int32_t v = 0, h = 0;  ///< strides in bytes
  uint8_t w = 1;
  const isa::Operand* operand = nullptr;

  uint32_t at(unsigned i) const {
    return contiguous
               ? offset + i * size
               : offset + static_cast<uint32_t>(static_cast<int32_t>(i / w) * v + static_cast<int32_t>(i % w) * h);
  }
};
Elements source_elements(const isa::Operand& o, unsigned exec_size, unsigned grf_bytes);
Elements destination_elements(const isa::Operand& o, unsigned exec_size, unsigned grf_bytes);

/// Bytes of registers that a block of instructions touches, and flags, a bit each.
struct Touched {
  struct Word {
    uint32_t index = 0;  ///< of 64 bytes in ShadowRegisters
    uint64_t bytes = 0;
  };
  std::vector<Word> words;
  std::array<uint64_t, 2> flags{};
};

class ShadowRegisters {
 public:
  static constexpr uint32_t kBytes = machine::regspace::kFlag;  // GRF, accumulators, a0
  static constexpr uint32_t kWordBytes = 64;
  static constexpr uint32_t kWords = kBytes / kWordBytes;
  static constexpr unsigned kFlagBits = 128;

  /// As a thread starts: `payload` bytes of the GRF are written, the rest of `grf` is not.
  void reset(uint32_t payload, uint32_t grf);

  /// True if one of the bytes [offset, +n) was never written.
  bool undefined(uint32_t offset, uint32_t n) const {
    if (n == 0 || offset >= kBytes) return false;
    const uint32_t last = std::min(offset + n, kBytes) - 1;
    const uint64_t head = UINT64_MAX << offset % 64, tail = UINT64_MAX >> (63 - last % 64);
    uint32_t word = offset / 64;
    if (word == last / 64) return (undefined_[word] & head & tail) != 0;
    if ((undefined_[word] & head) != 0) return true;
    while (++word < last / 64) {
      if (undefined_[word] != 0) return true;
    }
    return (undefined_[word] & tail) != 0;
  }
  bool any_undefined(const Touched& what) const {
    uint64_t all = (undefined_flags_[0] & what.flags[0]) | (undefined_flags_[1] & what.flags[1]);
    for (const Touched::Word& word : what.words) all |= undefined_[word.index] & word.bytes;
    return all != 0;
  }
  void define(const Touched& what) {
    undefined_flags_[0] &= ~what.flags[0];
    undefined_flags_[1] &= ~what.flags[1];
    for (const Touched::Word& word : what.words) undefined_[word.index] &= ~word.bytes;
  }
  uint8_t byte(uint32_t offset) const {
    const uint32_t word = offset / 64;
    if ((undefined_[word] >> offset % 64 & 1u) == 0) return 0;
    return known(word) ? origins_[offset] : first_origin(offset);
  }
  /// All origins of [offset, +n).
  uint8_t origins(uint32_t offset, uint32_t n) const {
    if (!undefined(offset, n)) return 0;
    uint8_t all = 0;
    for (uint32_t i = 0; i < n; ++i) all = static_cast<uint8_t>(all | byte(offset + i));
    return all;
  }
  void copy(uint32_t offset, uint32_t n, uint8_t* to) const {
    if (!undefined(offset, n)) {
      std::memset(to, 0, n);
      return;
    }
    for (uint32_t i = 0; i < n; ++i) to[i] = byte(offset + i);
  }
  void define(uint32_t offset, uint32_t n) {
    if (undefined(offset, n)) set(offset, n, 0);
  }
  void set(uint32_t offset, uint32_t n, uint8_t value);
  void set_bytes(uint32_t offset, const uint8_t* from, uint32_t n);

  uint8_t flag(unsigned bit) const {
    return (undefined_flags_[bit / 64] >> bit % 64 & 1u) == 0 ? uint8_t{0} : flags_[bit];
  }
  /// True if one of the flags [first, +n) was never written.
  bool flags_undefined(unsigned first, unsigned n) const {
    for (unsigned bit = first; bit < first + n && bit < kFlagBits; ++bit) {
      if ((undefined_flags_[bit / 64] >> bit % 64 & 1u) != 0) return true;
    }
    return false;
  }
  void set_flag(unsigned bit, uint8_t value);

  /// Changes whenever something becomes undefined that was not.
  uint32_t generation() const { return generation_; }

 private:
  // The bytes of a register file are not filled in before one of them has another origin than all.
  bool known(uint32_t word) const { return (known_[word / 64] >> word % 64 & 1u) != 0; }
  static uint8_t first_origin(uint32_t offset) {
    return offset < machine::regspace::kAcc ? origin::kRegister : origin::kAccumulator;
  }
  void write(uint32_t offset, uint32_t n, const uint8_t* from, uint8_t value);

  std::array<uint64_t, kWords> undefined_;
  std::array<uint64_t, (kWords + 63) / 64> known_;
  std::array<uint64_t, 2> undefined_flags_{};
  uint32_t generation_ = 0;
  std::array<uint8_t, kBytes> origins_;
  std::array<uint8_t, kFlagBits> flags_;
};

}  // namespace xeforge::observe::check
