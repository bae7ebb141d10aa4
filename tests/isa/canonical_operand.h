// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace xeforge::isa::testing {

/// What both sides say about a register operand.
struct CanonicalOperand {
  bool negate = false;
  bool absolute = false;
  std::string place;       ///< "r12", "acc0", "a0", "null", "r[a0.2,-32]"
  unsigned sub_bytes = 0;  ///< direct operands
  std::string macro;       ///< "", "mme3", "nomme"
  std::string type;
  std::string elements;  ///< of element_list, or "stride n" for a destination
  std::string text() const;
};

/// "0 2 4 6": element offsets of the channels; `vxh` regions count from each address register ("a0:0 a1:0").
std::string element_list(unsigned exec_size, unsigned v, unsigned w, unsigned h, bool vxh);

/// An immediate of `type` written by its bits; floats by six digits, as the listing has them.
std::string immediate_text(uint64_t bits, std::string_view type);

unsigned type_bits(std::string_view type);

}  // namespace xeforge::isa::testing
