// SPDX-License-Identifier: Apache-2.0
//
// Bit fields of descriptors. Internal to the room.
#pragma once

#include <cstdint>

namespace xeforge::isa {

constexpr uint32_t bits(uint32_t word, unsigned offset, unsigned length) {
  return (word >> offset) & ((uint32_t{1} << length) - 1);
}

constexpr bool bit(uint32_t word, unsigned offset) { return ((word >> offset) & 1) != 0; }

/// The field read as a two's complement number.
constexpr int32_t signed_bits(uint32_t word, unsigned offset, unsigned length) {
  return static_cast<int32_t>(word << (32 - offset - length)) >> (32 - length);
}

}  // namespace xeforge::isa
