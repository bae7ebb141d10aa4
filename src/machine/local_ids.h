// SPDX-License-Identifier: Apache-2.0
//
// Which work-item sits in which lane of which hardware thread, and the rows of local ids that threads
// start with.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "binary/zebin.h"

namespace xeforge::machine {

/// Work-items in dispatch order: the fastest dimension of `order` first, `simd` of them per thread.
/// simd 1 (ESIMD) means one work-item per thread with all channels on.
struct LocalIds {
  unsigned simd = 8;
  std::array<uint32_t, 3> local{1, 1, 1};
  std::array<uint8_t, 3> order{0, 1, 2};

  uint32_t items() const { return local[0] * local[1] * local[2]; }
  uint32_t threads() const { return simd == 1 ? items() : (items() + simd - 1) / simd; }
  std::array<uint32_t, 3> item(uint32_t index) const;
  /// Channels that exist: fewer in the last thread of a group whose size is no multiple of simd.
  uint32_t dispatch_mask(uint32_t thread) const;
};

/// True if the driver lets the hardware write the local ids into registers and starts threads behind the
/// code that would load them (compute-runtime command_encoder_xehp_and_later.inl,
/// isRuntimeLocalIdsGenerationRequired). The one difference: orders other than the kernel's own, which
/// the driver takes for odd sizes whose other dimensions are powers of two, are left to memory.
bool hardware_writes_local_ids(const binary::Kernel& kernel, const LocalIds& ids);

/// Local ids as threads find them, `stride` bytes apart. SIMT: a row of 16-bit ids per dimension, 32 bytes
/// for SIMD8/16 with 32-byte registers and else 64 bytes; ESIMD: x, y, z packed at the start of one register.
struct LocalIdBlock {
  std::vector<std::byte> bytes;
  uint32_t stride = 0;
};
LocalIdBlock local_id_block(const binary::Kernel& kernel, const LocalIds& ids, unsigned grf_bytes);

}  // namespace xeforge::machine
