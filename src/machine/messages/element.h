// SPDX-License-Identifier: Apache-2.0
//
// Element formats of messages: what lies in memory and what lies in a register.
#pragma once

#include <cstdint>

#include "isa/message.h"

namespace xeforge::machine::messages {

/// Loads put the memory element at bit `Shift` of the register element and zero the rest. (DG2
/// leaves the rest undefined, Xe2 zeroes it: IGA, MessageDecoderLSC.cpp.)
template <class MemT, class RegT, unsigned Shift>
struct Format {
  using Mem = MemT;
  using Reg = RegT;
  static constexpr bool kPlain = sizeof(Mem) == sizeof(Reg);
  static Reg to_register(Mem v) { return static_cast<Reg>(static_cast<Reg>(v) << Shift); }
  static Mem to_memory(Reg v) { return static_cast<Mem>(v >> Shift); }
};

using D8 = Format<uint8_t, uint8_t, 0>;
using D16 = Format<uint16_t, uint16_t, 0>;
using D32 = Format<uint32_t, uint32_t, 0>;
using D64 = Format<uint64_t, uint64_t, 0>;
using D8U32 = Format<uint8_t, uint32_t, 0>;
using D16U32 = Format<uint16_t, uint32_t, 0>;
using D16U32H = Format<uint16_t, uint32_t, 16>;

/// Calls `f` with a value of the format type and returns what it returns.
template <class F>
auto with_format(isa::DataSize size, F&& f) {
  switch (size) {
    case isa::DataSize::D8:
      return f(D8{});
    case isa::DataSize::D16:
      return f(D16{});
    case isa::DataSize::D32:
      return f(D32{});
    case isa::DataSize::D64:
      return f(D64{});
    case isa::DataSize::D8U32:
      return f(D8U32{});
    case isa::DataSize::D16U32:
      return f(D16U32{});
    case isa::DataSize::D16U32H:
      return f(D16U32H{});
  }
  return f(D32{});
}

}  // namespace xeforge::machine::messages
