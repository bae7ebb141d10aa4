// SPDX-License-Identifier: Apache-2.0
//
// Which lane put what is in a register there. Every byte of a thread's registers remembers the channel that
// wrote it, so that the sources of an element name the lanes its value came from, however the compiler chose to move
// it: by regions, through an address register, level by level of a reduction.
#pragma once

#include <cstdint>
#include <vector>

#include "machine/code.h"
#include "machine/thread.h"

namespace xeforge::observe {

/// Byte offset in machine::Thread::regs of element `element` of a direct or indirect register operand, with the
/// address registers as they are now; -1 for one that lies outside the general registers and accumulators.
int32_t element_offset(const machine::Thread& t, const isa::Operand& operand, unsigned element, unsigned grf_bytes,
                       bool destination);

class RegisterOrigins {
 public:
  static constexpr uint8_t kNone = 0xFF;  ///< the thread's payload, memory, or never written

  RegisterOrigins() : lanes_(machine::regspace::kAddress, kNone) {}
  void set(int32_t offset, unsigned bytes, uint8_t lane);
  /// Adds the lanes behind `bytes` bytes to `to`, ascending, each once.
  void collect(int32_t offset, unsigned bytes, std::vector<uint8_t>& to) const;

 private:
  std::vector<uint8_t> lanes_;  // general registers and accumulators
};

}  // namespace xeforge::observe
