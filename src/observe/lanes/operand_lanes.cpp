// SPDX-License-Identifier: Apache-2.0
#include "observe/lanes/operand_lanes.h"

#include <algorithm>
#include <cstring>

namespace xeforge::observe {
namespace {

using isa::Operand;
using isa::OperandKind;
using isa::RegFile;
namespace regspace = machine::regspace;

uint32_t address_register(const machine::Thread& t, unsigned subregister) {
  uint16_t a = 0;
  std::memcpy(&a, t.at(regspace::kAddress + subregister * 2u), 2);
  return a;
}

int32_t origin_of(const machine::Thread& t, const Operand& o, unsigned element, unsigned grf_bytes) {
  if (o.kind == OperandKind::Direct) {
    const uint32_t in_file = o.reg * grf_bytes + o.sub_bytes;
    if (o.file == RegFile::Grf) return static_cast<int32_t>(regspace::kGrf + in_file);
    if (o.file == RegFile::Acc) return static_cast<int32_t>(regspace::kAcc + in_file);
    return -1;
  }
  if (o.kind != OperandKind::Indirect) return -1;
  const unsigned subregister = o.addr_subreg + (o.region.vxh ? element / o.region.w : 0);
  return static_cast<int32_t>((address_register(t, subregister) + static_cast<uint32_t>(o.addr_offset)) & 0xFFFFu);
}

}  // namespace

int32_t element_offset(const machine::Thread& t, const Operand& o, unsigned element, unsigned grf_bytes,
                       bool destination) {
  const int32_t origin = origin_of(t, o, element, grf_bytes);
  if (origin < 0) return -1;
  const unsigned bytes = isa::bytes_of(o.type);
  const isa::Region& r = o.region;
  unsigned elements = 0;
  if (destination)
    elements = element * r.h;
  else if (r.vxh)
    elements = element % r.w * r.h;
  else
    elements = element / r.w * r.v + element % r.w * r.h;
  const uint32_t offset = static_cast<uint32_t>(origin) + elements * bytes;
  return offset + bytes <= regspace::kAddress ? static_cast<int32_t>(offset) : -1;
}

void RegisterOrigins::set(int32_t offset, unsigned bytes, uint8_t lane) {
  if (offset < 0) return;
  const size_t first = static_cast<size_t>(offset), last = std::min(first + bytes, lanes_.size());
  for (size_t i = first; i < last; ++i) lanes_[i] = lane;
}

void RegisterOrigins::collect(int32_t offset, unsigned bytes, std::vector<uint8_t>& to) const {
  if (offset < 0) return;
  const size_t first = static_cast<size_t>(offset), last = std::min(first + bytes, lanes_.size());
  for (size_t i = first; i < last; ++i) {
    if (lanes_[i] == kNone) continue;
    const auto at = std::lower_bound(to.begin(), to.end(), lanes_[i]);
    if (at == to.end() || *at != lanes_[i]) to.insert(at, lanes_[i]);
  }
}

}  // namespace xeforge::observe
