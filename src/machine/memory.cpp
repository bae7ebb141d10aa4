// SPDX-License-Identifier: Apache-2.0
#include "machine/memory.h"

#include <algorithm>
#include <mutex>
#include <stdexcept>

#include "machine/text.h"

namespace xeforge::machine {
namespace {

const char* name_of(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::Device:
      return "device USM";
    case MemoryKind::Host:
      return "host USM";
    case MemoryKind::Shared:
      return "shared USM";
    case MemoryKind::ModuleData:
      return "module data";
    case MemoryKind::Internal:
      return "driver memory";
  }
  return "memory";
}

std::string name_of(const Allocation& a) {
  if (!a.label.empty()) return a.label;
  return std::string(name_of(a.kind)) + " #" + std::to_string(a.id) + " (" + bytes_text(a.size) + ")";
}

/// First allocation whose base lies above `address`.
std::vector<Allocation>::const_iterator above(const std::vector<Allocation>& sorted, uint64_t address) {
  return std::upper_bound(sorted.begin(), sorted.end(), address,
                          [](uint64_t value, const Allocation& a) { return value < a.base; });
}

}  // namespace

const Allocation* MemorySnapshot::find(uint64_t address) const {
  const auto next = above(allocations_, address);
  if (next == allocations_.begin()) return nullptr;
  const Allocation& candidate = *(next - 1);
  return candidate.contains(address, 1) ? &candidate : nullptr;
}

std::string MemorySnapshot::describe_miss(uint64_t address, uint64_t bytes) const {
  if (allocations_.empty()) return "no memory is allocated";
  // A pointer below the first page is an index applied to null, whatever lies nearest.
  if (address < 4096) return "the pointer is null (address " + hex(address) + ")";

  const auto next = above(allocations_, address);
  const bool has_above = next != allocations_.end();
  const bool has_below = next != allocations_.begin();
  if (has_below) {
    const Allocation& below = *(next - 1);
    if (below.contains(address, 1)) {
      const uint64_t inside = below.size - (address - below.base);
      if (inside >= bytes) return "inside " + name_of(below);
      return "crosses the end of " + name_of(below) + ": the last " + bytes_text(bytes - inside) + " lie beyond it";
    }
    const uint64_t past = address - below.base - below.size;
    if (!has_above || past <= next->base - address) {
      if (past == 0) return "directly behind the end of " + name_of(below);
      return bytes_text(past) + " past the end of " + name_of(below);
    }
  }
  return bytes_text(next->base - address) + " before the start of " + name_of(*next);
}

uint64_t MemoryMap::add(uint64_t base, uint64_t size, MemoryKind kind, std::string label) {
  if (size == 0 || base + size < base) {
    throw std::logic_error("MemoryMap::add: " + hex(base) + " with " + bytes_text(size) + " is not a memory range");
  }
  const std::unique_lock lock(mutex_);
  const auto next = above(allocations_, base);
  const Allocation* clash = nullptr;
  if (next != allocations_.end() && next->base < base + size) clash = &*next;
  if (next != allocations_.begin() && (next - 1)->base + (next - 1)->size > base) clash = &*(next - 1);
  if (clash != nullptr) {
    throw std::logic_error("MemoryMap::add: " + hex(base) + " with " + bytes_text(size) + " overlaps " +
                           name_of(*clash) + " at " + hex(clash->base));
  }
  Allocation a;
  a.base = base;
  a.size = size;
  a.id = next_id_++;
  a.kind = kind;
  a.label = std::move(label);
  const uint64_t id = a.id;
  allocations_.insert(next, std::move(a));
  cached_.reset();
  return id;
}

void MemoryMap::remove(uint64_t base) {
  const std::unique_lock lock(mutex_);
  const auto next = above(allocations_, base);
  if (next == allocations_.begin() || (next - 1)->base != base) {
    throw std::logic_error("MemoryMap::remove: nothing is registered at " + hex(base));
  }
  allocations_.erase(next - 1);
  cached_.reset();
}

std::optional<Allocation> MemoryMap::find(uint64_t address) const {
  const std::shared_lock lock(mutex_);
  const auto next = above(allocations_, address);
  if (next == allocations_.begin() || !(next - 1)->contains(address, 1)) return std::nullopt;
  return *(next - 1);
}

std::shared_ptr<const MemorySnapshot> MemoryMap::snapshot() const {
  {
    const std::shared_lock lock(mutex_);
    if (cached_) return cached_;
  }
  const std::unique_lock lock(mutex_);
  if (!cached_) cached_ = std::make_shared<const MemorySnapshot>(allocations_);
  return cached_;
}

}  // namespace xeforge::machine
