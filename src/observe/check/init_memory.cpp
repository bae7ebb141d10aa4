// SPDX-License-Identifier: Apache-2.0
#include "observe/check/init_memory.h"

#include <algorithm>
#include <cstring>
#include <new>

#include <sys/mman.h>

namespace xeforge::observe::check {

DefinedMemory::~DefinedMemory() {
  for (const auto& [base, area] : areas_) munmap(area.written, area.bytes);
}

void DefinedMemory::allocate(uint64_t base, uint64_t size) {
  release(base);
  // Zero pages: what is never touched costs nothing.
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  const std::lock_guard lock(mutex_);
  areas_[base] = {size, static_cast<uint8_t*>(memory), size};
}

void DefinedMemory::release(uint64_t base) {
  const std::lock_guard lock(mutex_);
  const auto found = areas_.find(base);
  if (found == areas_.end()) return;
  munmap(found->second.written, found->second.bytes);
  areas_.erase(found);
}

DefinedMemory::View DefinedMemory::find_locked(uint64_t address) const {
  const auto next = areas_.upper_bound(address);
  View gap{0, next == areas_.end() ? UINT64_MAX : next->first, nullptr};
  if (next != areas_.begin()) {
    const auto& [base, area] = *std::prev(next);
    if (address - base < area.size) return {base, base + area.size, area.written};
    gap.base = base + area.size;
  }
  return gap;
}

DefinedMemory::View DefinedMemory::find(uint64_t address) const {
  const std::lock_guard lock(mutex_);
  return find_locked(address);
}

void DefinedMemory::define(uint64_t address, uint64_t size) {
  const std::lock_guard lock(mutex_);
  const View view = find_locked(address);
  if (view.written != nullptr) std::memset(view.at(address), 1, std::min(size, view.end - address));
}

void DefinedMemory::copy(uint64_t to, uint64_t from, uint64_t size) {
  const std::lock_guard lock(mutex_);
  const View target = find_locked(to), source = find_locked(from);
  if (target.written == nullptr) return;
  const uint64_t n = std::min(size, target.end - to);
  if (source.written == nullptr)
    std::memset(target.at(to), 1, n);
  else
    std::memmove(target.at(to), source.at(from), std::min(n, source.end - from));
}

}  // namespace xeforge::observe::check
