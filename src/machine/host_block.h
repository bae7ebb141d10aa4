// SPDX-License-Identifier: Apache-2.0
//
// Host memory that a launch provides for its kernel beside the program's own allocations: private memory,
// implicit arguments, synchronisation buffers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace xeforge::machine {

/// Anonymous pages, zero and without cost until they are touched. Move only.
class HostBlock {
 public:
  enum class Place : uint8_t {
    Anywhere,
    Low  ///< below 4 GiB, so that a 32-bit address in r0 is the address itself
  };

  HostBlock() = default;
  /// Throws std::bad_alloc.
  explicit HostBlock(size_t bytes, Place place = Place::Anywhere);
  ~HostBlock();
  HostBlock(HostBlock&& other) noexcept;
  HostBlock& operator=(HostBlock&& other) noexcept;
  HostBlock(const HostBlock&) = delete;
  HostBlock& operator=(const HostBlock&) = delete;

  std::byte* data() const { return data_; }
  size_t size() const { return size_; }
  uint64_t address() const { return reinterpret_cast<uint64_t>(data_); }

 private:
  std::byte* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace xeforge::machine
