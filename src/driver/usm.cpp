// SPDX-License-Identifier: Apache-2.0
#include "driver/usm.h"

#include <bit>
#include <string>

#include <sys/mman.h>

namespace xeforge::driver {
namespace {

using machine::MemoryKind;

const char* kind_text(MemoryKind kind) {
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

/// Freed allocations whose addresses are kept: mappings are limited per process (65530 by default).
constexpr std::size_t kMostInQuarantine = 16384;

std::size_t round_up(std::size_t value, std::size_t step) { return (value + step - 1) / step * step; }

void unmap(void* start, std::size_t bytes) {
  if (munmap(start, bytes) != 0) {
    say("munmap of a freed allocation failed");
  }
}

}  // namespace

void* Usm::allocate(MemoryKind kind, std::size_t size, std::size_t alignment, const char* label) {
  if (alignment != 0 && !std::has_single_bit(alignment)) {
    throw ApiError(ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT,
                   "alignment " + std::to_string(alignment) + " is not a power of two");
  }
  const bool on_device = kind == MemoryKind::Device || kind == MemoryKind::Shared;
  const ze_result_t out_of_memory =
      on_device ? ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  const std::size_t step = std::max(alignment, kUsmPage);
  const std::size_t body = round_up(size, kUsmPage);
  const std::size_t total = body + step + kUsmPage;  // guard before (at least the alignment's slack), guard behind
  if (body < size || total < body) {
    throw ApiError(out_of_memory, std::to_string(size) + " bytes are more than an address space holds");
  }

  const std::lock_guard lock(mutex_);
  if (on_device && (size > device_bytes_ || device_used_ > device_bytes_ - size)) {
    throw ApiError(ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, std::to_string(size) + " bytes asked for, " +
                                                             std::to_string(device_bytes_ - device_used_) + " of " +
                                                             std::to_string(device_bytes_) + " are free");
  }
  // Pages are committed when they are touched; the device may be larger than this machine.
  void* start = mmap(nullptr, total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED) {
    throw ApiError(out_of_memory, "the host cannot map " + std::to_string(total) + " bytes");
  }
  // mmap aligns to 4 KiB only, so that the first usable address is searched behind the first guard page.
  const auto first = reinterpret_cast<uintptr_t>(start) + 4096;
  const uintptr_t base = round_up(first, step);
  void* usable = reinterpret_cast<void*>(base);
  if (mprotect(usable, body, PROT_READ | PROT_WRITE) != 0) {
    unmap(start, total);
    throw ApiError(out_of_memory, "the host cannot commit " + std::to_string(body) + " bytes");
  }
  try {
    std::string text = label != nullptr ? label : kind_text(kind);
    text += " (" + std::to_string(size) + " bytes)";
    map_.add(base, size, kind, std::move(text));
    mappings_[base] = {start, total, on_device, size, false, label != nullptr};
  } catch (...) {
    unmap(start, total);
    throw;
  }
  if (on_device) {
    device_used_ += size;
  }
  // Only device memory: the host writes the other kinds behind our back.
  if (track_written_.load() && kind == MemoryKind::Device && label == nullptr) {
    written_.allocate(base, size);
  }
  return usable;
}

void Usm::retire(void* pointer) {
  const std::lock_guard lock(mutex_);
  const auto it = mappings_.find(reinterpret_cast<uintptr_t>(pointer));
  if (it == mappings_.end() || it->second.retired) {
    throw ApiError(ZE_RESULT_ERROR_INVALID_ARGUMENT, "the pointer to free is not the start of a live allocation");
  }
  it->second.retired = true;
}

void Usm::free(void* pointer) {
  const std::lock_guard lock(mutex_);
  const auto it = mappings_.find(reinterpret_cast<uintptr_t>(pointer));
  if (it == mappings_.end()) {
    throw std::logic_error("Usm::free: not an allocation");
  }
  const Mapping mapping = it->second;
  if (quarantine_.load() && !mapping.internal) {
    const auto allocation = map_.find(it->first);
    const auto start = reinterpret_cast<uint64_t>(mapping.start);
    freed_[start] = {mapping, it->first, allocation ? allocation->label : std::string()};
    freed_order_.push_back(start);
  }
  map_.remove(it->first);
  if (track_written_.load()) {
    written_.release(it->first);
  }
  mappings_.erase(it);
  if (mapping.counts_as_device) {
    device_used_ -= mapping.size;
  }
  if (users_ == 0) {
    dispose(mapping);
  } else {
    graveyard_.push_back(mapping);
  }
}

void Usm::note_write(const void* to, std::size_t size) {
  if (track_written_.load()) {
    written_.define(reinterpret_cast<uint64_t>(to), size);
  }
}

void Usm::note_copy(const void* to, const void* from, std::size_t size) {
  if (track_written_.load()) {
    written_.copy(reinterpret_cast<uint64_t>(to), reinterpret_cast<uint64_t>(from), size);
  }
}

void Usm::dispose(const Mapping& mapping) {
  if (freed_.find(reinterpret_cast<uint64_t>(mapping.start)) == freed_.end()) {
    unmap(mapping.start, mapping.bytes);
    return;
  }
  // Address space is plenty; the pages themselves are given back.
  if (mmap(mapping.start, mapping.bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) ==
      MAP_FAILED) {
    say("a freed allocation could not be put into quarantine");
  }
  while (freed_order_.size() > kMostInQuarantine) {
    const auto oldest = freed_.find(freed_order_.front());
    freed_order_.erase(freed_order_.begin());
    unmap(oldest->second.mapping.start, oldest->second.mapping.bytes);
    freed_.erase(oldest);
  }
}

std::optional<std::string> Usm::find_freed(uint64_t address) const {
  const std::lock_guard lock(mutex_);
  const auto next = freed_.upper_bound(address);
  if (next == freed_.begin()) {
    return std::nullopt;
  }
  const Freed& freed = std::prev(next)->second;
  if (address < freed.base || address - freed.base >= freed.mapping.size) {
    return std::nullopt;
  }
  return freed.label;
}

bool Usm::owns(uint64_t address) const {
  const std::lock_guard lock(mutex_);
  const auto inside = [&](const Mapping& mapping) {
    const auto start = reinterpret_cast<uint64_t>(mapping.start);
    return address >= start && address - start < mapping.bytes;
  };
  const auto next = mappings_.upper_bound(address + kUsmPage);  // the guard in front belongs to the next one
  for (auto it = next; it != mappings_.begin();) {
    --it;
    if (inside(it->second)) {
      return true;
    }
    if (it->first < address) {
      break;
    }
  }
  const auto freed = freed_.upper_bound(address);
  return freed != freed_.begin() && inside(std::prev(freed)->second.mapping);
}

std::vector<machine::Allocation> Usm::not_given_back() const {
  const std::lock_guard lock(mutex_);
  std::vector<machine::Allocation> all;
  for (const auto& [base, mapping] : mappings_) {
    if (mapping.retired || mapping.internal) {
      continue;
    }
    if (const auto allocation = map_.find(base)) {
      all.push_back(*allocation);
    }
  }
  return all;
}

std::optional<machine::Allocation> Usm::find(const void* pointer) const {
  return map_.find(reinterpret_cast<uintptr_t>(pointer));
}

uint64_t Usm::device_bytes_free() const {
  const std::lock_guard lock(mutex_);
  return device_bytes_ - device_used_;
}

void Usm::check_range(const void* pointer, std::size_t size, const char* what) const {
  const auto allocation = find(pointer);
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  if (allocation.has_value() && !allocation->contains(address, size)) {
    throw ApiError(ZE_RESULT_ERROR_INVALID_SIZE,
                   std::string(what) + " of " + std::to_string(size) + " bytes from offset " +
                       std::to_string(address - allocation->base) + " leaves " + allocation->label);
  }
}

void Usm::begin_use() {
  const std::lock_guard lock(mutex_);
  ++users_;
}

void Usm::end_use() {
  const std::lock_guard lock(mutex_);
  if (--users_ == 0) {
    for (const Mapping& mapping : graveyard_) {
      dispose(mapping);
    }
    graveyard_.clear();
  }
}

}  // namespace xeforge::driver
