// SPDX-License-Identifier: Apache-2.0
//
// Buffers at addresses that are the same on every run, so that recorded pointers are, too.
#pragma once

#include <cstddef>
#include <cstdint>

#include "machine/memory.h"

namespace xeforge::lab::pages {

class Arena {
 public:
  /// Throws std::runtime_error if the address range is taken.
  Arena();
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// Zeroed; pages apart from its neighbours. Throws std::runtime_error when the arena is full.
  std::byte* allocate(size_t bytes);
  machine::MemoryMap& map() { return map_; }

 private:
  std::byte* base_ = nullptr;
  size_t used_ = 0;
  machine::MemoryMap map_;
};

}  // namespace xeforge::lab::pages
