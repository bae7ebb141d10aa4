// SPDX-License-Identifier: Apache-2.0
//
// Global memory of the virtual GPU. Device addresses are host addresses (USM): the machine
// reads and writes host memory directly, after checking every access against this map.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <vector>

namespace xeforge::machine {

enum class MemoryKind : uint8_t { Device, Host, Shared, ModuleData, Internal };

struct Allocation {
  uint64_t base = 0, size = 0;
  uint64_t id = 0;  ///< running number, for reports
  MemoryKind kind = MemoryKind::Device;
  bool read_only = false;
  std::string label;  ///< "device USM #12 (6291456 bytes)" in reports

  bool contains(uint64_t address, uint64_t bytes) const {
    return address >= base && bytes <= size && address - base <= size - bytes;
  }
};

/// Immutable, sorted picture of the map, taken per launch: lookups need no lock.
class MemorySnapshot {
 public:
  explicit MemorySnapshot(std::vector<Allocation> sorted) : allocations_(std::move(sorted)) {}
  /// The allocation that contains `address`, or null.
  const Allocation* find(uint64_t address) const;
  /// Nearest allocation below/above, for "N bytes past the end of ..." texts.
  std::string describe_miss(uint64_t address, uint64_t bytes) const;
  const std::vector<Allocation>& allocations() const { return allocations_; }

 private:
  std::vector<Allocation> allocations_;
};

class MemoryMap {
 public:
  /// Registers [base, base+size). Returns the allocation's id. Overlap throws std::logic_error.
  uint64_t add(uint64_t base, uint64_t size, MemoryKind kind, std::string label = {});
  void remove(uint64_t base);
  std::optional<Allocation> find(uint64_t address) const;
  std::shared_ptr<const MemorySnapshot> snapshot() const;

 private:
  mutable std::shared_mutex mutex_;
  std::vector<Allocation> allocations_;  // sorted by base
  mutable std::shared_ptr<const MemorySnapshot> cached_;
  uint64_t next_id_ = 1;
};

}  // namespace xeforge::machine
