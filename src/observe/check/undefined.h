// SPDX-License-Identifier: Apache-2.0
//
// Definedness of a thread's registers, a byte for each byte (flags: for each bit): 0 is written, else the bits say
// where the undefined value came from. Operands as plain ranges, worked out once per instruction.
#pragma once

#include <array>
#include <cstdint>
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

class ShadowRegisters {
 public:
  static constexpr uint32_t kBytes = machine::regspace::kFlag;  // GRF, accumulators, a0
  static constexpr uint32_t kUnitLog2 = 5;                      // what one dirty bit stands for
  static constexpr uint32_t kUnits = kBytes >> kUnitLog2;
  static constexpr unsigned kFlagBits = 128;

  /// As a thread starts: `payload` bytes of the GRF are written, the rest of `grf` is not.
  void reset(uint32_t payload, uint32_t grf);

  /// False: every byte of [offset, +n) is written, for sure.
  bool maybe_undefined(uint32_t offset, uint32_t n) const {
    for (uint32_t unit = offset >> kUnitLog2; unit <= (offset + n - 1) >> kUnitLog2; ++unit) {
      if (dirty_[unit]) return true;
    }
    return false;
  }
  uint8_t origins(uint32_t offset, uint32_t n) const {
    uint8_t all = 0;
    for (uint32_t i = 0; i < n; ++i) all = static_cast<uint8_t>(all | bytes_[offset + i]);
    return all;
  }
  uint8_t byte(uint32_t offset) const { return bytes_[offset]; }
  const uint8_t* data(uint32_t offset) const { return bytes_.data() + offset; }
  void set(uint32_t offset, uint32_t n, uint8_t value);
  void set_bytes(uint32_t offset, const uint8_t* from, uint32_t n);

  uint8_t flag(unsigned bit) const { return flags_[bit]; }
  bool flags_maybe_undefined() const { return flags_dirty_; }
  void set_flag(unsigned bit, uint8_t value) {
    flags_[bit] = value;
    flags_dirty_ |= value != 0;
  }

 private:
  void refresh(uint32_t first_unit, uint32_t last_unit);

  std::array<uint8_t, kBytes> bytes_;
  std::array<bool, kUnits> dirty_;
  std::array<uint8_t, kFlagBits> flags_;
  bool flags_dirty_ = false;
};

}  // namespace xeforge::observe::check
