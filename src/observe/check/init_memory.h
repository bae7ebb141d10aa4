// SPDX-License-Identifier: Apache-2.0
//
// Which bytes of the device's memory were ever written, over all launches of a process. Memory that is not registered
// counts as written: the host may have filled it in ways that nobody saw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace xeforge::observe::check {

class DefinedMemory {
 public:
  DefinedMemory() = default;
  ~DefinedMemory();
  DefinedMemory(const DefinedMemory&) = delete;
  DefinedMemory& operator=(const DefinedMemory&) = delete;

  /// [base, base + size) is new and holds nothing.
  void allocate(uint64_t base, uint64_t size);
  void release(uint64_t base);
  /// Written from outside of kernels (copies, fills).
  void define(uint64_t address, uint64_t size);
  /// A copy within the device: the destination is as much written as the source.
  void copy(uint64_t to, uint64_t from, uint64_t size);

  /// Part of an allocation: one byte per byte of memory, 0 = never written.
  struct View {
    uint64_t base = 0, end = 0;
    uint8_t* written = nullptr;  ///< of base; null: everything is written
    bool holds(uint64_t address) const { return address >= base && address < end; }
    uint8_t* at(uint64_t address) const { return written + (address - base); }
  };
  /// What holds `address`; a view without `written` (of the gap) if nothing does. Valid until allocate() or release().
  View find(uint64_t address) const;

 private:
  struct Area {
    uint64_t size = 0;
    uint8_t* written = nullptr;
    size_t bytes = 0;
  };
  View find_locked(uint64_t address) const;
  mutable std::mutex mutex_;
  std::map<uint64_t, Area> areas_;
};

}  // namespace xeforge::observe::check
