// SPDX-License-Identifier: Apache-2.0
#include "lab/guarded_buffer.h"

#include <cstdint>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

namespace xeforge::lab {

namespace {

// Quiet NaN as float, and as bf16 in both halves.
constexpr std::uint32_t kPattern = 0x7FC17FC1;

std::vector<std::uint32_t> pattern(std::size_t bytes) { return std::vector<std::uint32_t>((bytes + 3) / 4, kPattern); }

}  // namespace

GuardedBuffer::GuardedBuffer(sycl::queue queue, std::string name, std::size_t bytes)
    : queue_(std::move(queue)),
      name_(std::move(name)),
      bytes_(bytes),
      base_(sycl::malloc_device<char>(bytes + 2 * kGuardBytes, queue_)) {
  if (base_ == nullptr) throw std::bad_alloc();
  const auto band = pattern(kGuardBytes);
  queue_.memcpy(base_, band.data(), kGuardBytes).wait();
  queue_.memcpy(base_ + kGuardBytes + bytes_, band.data(), kGuardBytes).wait();
}

GuardedBuffer::~GuardedBuffer() { sycl::free(base_, queue_); }

void GuardedBuffer::write(const void* from) { queue_.memcpy(data(), from, bytes_).wait(); }

void GuardedBuffer::read(void* to) const { queue_.memcpy(to, data(), bytes_).wait(); }

bool GuardedBuffer::holds(const void* bytes) const {
  std::vector<char> now(bytes_);
  read(now.data());
  return std::memcmp(now.data(), bytes, bytes_) == 0;
}

void GuardedBuffer::poison() { write(pattern(bytes_).data()); }

std::string GuardedBuffer::damage() const {
  const auto band = pattern(kGuardBytes);
  const auto* expected = reinterpret_cast<const unsigned char*>(band.data());
  std::vector<unsigned char> found(kGuardBytes);
  for (const bool after : {false, true}) {
    queue_.memcpy(found.data(), base_ + (after ? kGuardBytes + bytes_ : 0), kGuardBytes).wait();
    for (std::size_t i = 0; i < kGuardBytes; ++i) {
      // The byte nearest to the content says most.
      const std::size_t at = after ? i : kGuardBytes - 1 - i;
      if (found[at] == expected[at]) continue;
      return name_ + " was written " + std::to_string(i + (after ? 0 : 1)) + " bytes " +
             (after ? "after its end" : "before its start");
    }
  }
  return "";
}

}  // namespace xeforge::lab
