// SPDX-License-Identifier: Apache-2.0
#include "machine/host_block.h"

#include <new>
#include <utility>

#include <sys/mman.h>

namespace xeforge::machine {
namespace {

constexpr size_t kPage = 4096;
constexpr uint64_t kLowLimit = uint64_t{1} << 32;

void* map(size_t bytes, HostBlock::Place place) {
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  if (place == HostBlock::Place::Anywhere) return mmap(nullptr, bytes, PROT_READ | PROT_WRITE, kFlags, -1, 0);
#ifdef MAP_32BIT
  return mmap(nullptr, bytes, PROT_READ | PROT_WRITE, kFlags | MAP_32BIT, -1, 0);
#else
  // A hint that the kernel follows where the place is free; the caller checks the result.
  return mmap(reinterpret_cast<void*>(uint64_t{1} << 30), bytes, PROT_READ | PROT_WRITE, kFlags, -1, 0);
#endif
}

}  // namespace

HostBlock::HostBlock(size_t bytes, Place place) : size_((bytes + kPage - 1) / kPage * kPage) {
  if (size_ == 0) size_ = kPage;
  void* block = map(size_, place);
  if (block == MAP_FAILED) throw std::bad_alloc();
  data_ = static_cast<std::byte*>(block);
  if (place == Place::Low && address() + size_ > kLowLimit) {
    munmap(data_, size_);
    throw std::bad_alloc();
  }
}

HostBlock::~HostBlock() {
  if (data_ != nullptr) munmap(data_, size_);
}

HostBlock::HostBlock(HostBlock&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

HostBlock& HostBlock::operator=(HostBlock&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

}  // namespace xeforge::machine
