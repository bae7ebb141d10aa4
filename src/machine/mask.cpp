// SPDX-License-Identifier: Apache-2.0
//
// Predication: which channels an instruction acts on.
#include <cstring>

#include "machine/code.h"

namespace xeforge::machine {
namespace {

/// Horizontal predicates combine the flag bits of aligned runs of `width` channels.
uint32_t horizontal(uint32_t flags, unsigned width, bool any) {
  if (width >= 32) {
    const bool b = any ? flags != 0 : flags == 0xFFFFFFFFu;
    return b ? 0xFFFFFFFFu : 0;
  }
  uint32_t out = 0;
  const uint32_t run = (1u << width) - 1u;
  for (unsigned c = 0; c < 32; c += width) {
    const uint32_t f = (flags >> c) & run;
    if (any ? f != 0 : f == run) out |= run << c;
  }
  return out;
}

uint32_t flag_register(const Thread& t, uint32_t offset) {
  uint32_t f;
  std::memcpy(&f, t.at(offset), 4);
  return f;
}

struct HorizontalRow {
  isa::PredCtrl ctrl;
  uint8_t width;
  bool any;
};
constexpr HorizontalRow kHorizontal[] = {
    {isa::PredCtrl::Any2h, 2, true},    {isa::PredCtrl::All2h, 2, false},   {isa::PredCtrl::Any4h, 4, true},
    {isa::PredCtrl::All4h, 4, false},   {isa::PredCtrl::Any8h, 8, true},    {isa::PredCtrl::All8h, 8, false},
    {isa::PredCtrl::Any16h, 16, true},  {isa::PredCtrl::All16h, 16, false}, {isa::PredCtrl::Any32h, 32, true},
    {isa::PredCtrl::All32h, 32, false},
};

}  // namespace

uint32_t predicate_mask(const Thread& t, const Uop& u) {
  using isa::PredCtrl;
  if (u.pred == PredCtrl::None) return u.lanes;
  const unsigned shift = u.flag_shift + u.channel_offset;
  uint32_t p = flag_register(t, u.flag_offset);
  switch (u.pred) {
    case PredCtrl::Normal:
      break;
    case PredCtrl::AnyV:
      p |= flag_register(t, u.flag_offset + 4u);
      break;
    case PredCtrl::AllV:
      p &= flag_register(t, u.flag_offset + 4u);
      break;
    case PredCtrl::Any:  // Xe2: over the instruction's own channels
    case PredCtrl::All: {
      const uint32_t own = (p >> shift) & u.lanes;
      const bool b = u.pred == PredCtrl::Any ? own != 0 : own == u.lanes;
      return (b != u.pred_inverse) ? u.lanes : 0;
    }
    default:
      for (const HorizontalRow& row : kHorizontal)
        if (row.ctrl == u.pred) {
          p = horizontal(p >> u.flag_shift, row.width, row.any);
          p = u.channel_offset < 32 ? p >> u.channel_offset : 0;
          return (u.pred_inverse ? ~p : p) & u.lanes;
        }
      break;
  }
  p = shift < 32 ? p >> shift : 0;
  return (u.pred_inverse ? ~p : p) & u.lanes;
}

uint32_t channel_mask(const Thread& t, const Uop& u) {
  const uint32_t enabled = u.no_mask ? u.lanes : (t.exec_mask >> u.channel_offset) & u.lanes;
  return enabled & predicate_mask(t, u);
}

}  // namespace xeforge::machine
