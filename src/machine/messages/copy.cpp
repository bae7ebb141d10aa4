// SPDX-License-Identifier: Apache-2.0
#include "machine/messages/copy.h"

namespace xeforge::machine::messages {

void copy_checked(const Call& c, const Window& w, uint64_t offset, uint32_t bytes, std::byte* data) {
  const bool load = c.access == Access::Load;
  const Range range = w.range();
  bool asked = false;
  for (uint32_t done = 0; done < bytes; done += kCopyUnit) {
    const uint64_t at = offset + done;
    const uint32_t n = bytes - done < kCopyUnit ? bytes - done : kCopyUnit;
    if (range.holds(at, n)) {
      if (load)
        std::memcpy(data + done, range.at(at), n);
      else
        std::memcpy(range.at(at), data + done, n);
      continue;
    }
    // Kernels of ngen load a dword for the last bytes of a matrix whose rows are not whole dwords; surfaces of hardware
    // are whole pages there.
    if (load && !w.report && load_valid_part(range, at, n, data + done)) continue;
    // One question per message, about everything from the first bytes that do not fit.
    if (!asked) outside_window(c, w, at, bytes - done, -1);
    asked = true;
    if (load) std::memset(data + done, 0, n);
  }
}

void copy_block(const Call& c, const Window* w, uint64_t address, uint32_t bytes, std::byte* data) {
  const Range range = w == nullptr ? allocation_at(c, address) : w->range();
  if (!range.holds(address, bytes)) {
    if (w != nullptr) return copy_checked(c, *w, address, bytes, data);
    if (load_across_end(c, range, address, bytes, data)) return;
    fault_global(c, address, bytes, -1);
    if (c.access == Access::Load) std::memset(data, 0, bytes);
    return;
  }
  if (c.access == Access::Load)
    std::memcpy(data, range.at(address), bytes);
  else
    std::memcpy(range.at(address), data, bytes);
}

}  // namespace xeforge::machine::messages
