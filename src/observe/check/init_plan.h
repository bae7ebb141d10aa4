// SPDX-License-Identifier: Apache-2.0
//
// What each instruction does with definedness, worked out once per launch.
#pragma once

#include "observe/check/undefined.h"

namespace xeforge::observe::check {

struct InitPlan {
  enum class Rule : uint8_t { Skip, Combine, Copy, BitLogic, FlagMask, Shift, Select, Zero, Dpas, Branch, Send };
  Rule rule = Rule::Skip;
  uint8_t sources = 0;
  std::array<Elements, 3> src;
  Elements dst;
  bool writes_flags = false;
  bool writes_accumulator = false;
};
InitPlan init_plan(const machine::Uop& u, unsigned grf_bytes);

/// Bit of the flags that channel 0 of the instruction's predicate or condition has.
unsigned flag_base(const machine::Uop& u);

/// Bytes of registers of a dpas or dpasw; of src2, those that the thread itself supplies.
struct DpasRanges {
  uint32_t rows = 0, depth = 0, columns = 0, in_size = 0, out_size = 0;
  bool adds = false;
  uint32_t a = 0, b = 0, own_rows = 0;
  uint32_t src0_bytes() const { return adds ? rows * columns * in_size : 0; }
  uint32_t dst_bytes() const { return rows * columns * out_size; }
};
DpasRanges dpas_ranges(const machine::Uop& u, unsigned grf_bytes);

/// Registers that a message's result fills.
inline uint32_t result_bytes(const isa::Message& m, unsigned grf_bytes) {
  return (m.dst_len == 0 ? 32 : m.dst_len) * grf_bytes;  // five bits: 32 wraps around
}
/// Offset of the accumulator's lane that an instruction writes besides its destination.
uint32_t accumulator_lane(const InitPlan& p, unsigned channel, unsigned grf_bytes);

}  // namespace xeforge::observe::check
