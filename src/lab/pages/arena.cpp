// SPDX-License-Identifier: Apache-2.0
#include "lab/pages/arena.h"

#include <cstdio>
#include <stdexcept>

#include <sys/mman.h>

namespace xeforge::lab::pages {
namespace {

// Far from where Linux and the sanitizers put anything of a process.
constexpr uint64_t kBase = 0x00003d0000000000;
constexpr size_t kSize = size_t{64} << 20;
constexpr size_t kPage = size_t{64} << 10;

}  // namespace

Arena::Arena() {
  void* at = ::mmap(reinterpret_cast<void*>(kBase), kSize, PROT_READ | PROT_WRITE,  // NOLINT
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) throw std::runtime_error("the address range of recorded buffers is taken in this process");
  base_ = static_cast<std::byte*>(at);
}

Arena::~Arena() { ::munmap(base_, kSize); }

std::byte* Arena::allocate(size_t bytes) {
  const size_t room = (bytes + kPage - 1) / kPage * kPage + kPage;
  if (used_ + room > kSize) throw std::runtime_error("the buffers of a recorded launch do not fit into 64 MiB");
  std::byte* at = base_ + used_;
  used_ += room;
  map_.add(reinterpret_cast<uint64_t>(at), bytes, machine::MemoryKind::Device);
  return at;
}

}  // namespace xeforge::lab::pages
