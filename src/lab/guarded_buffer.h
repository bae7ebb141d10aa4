// SPDX-License-Identifier: Apache-2.0
//
// Device memory between two guard bands that no kernel may touch. The bands hold NaN in every reading (bf16, float), so
// that a kernel which reads them shows it in its result; one that writes them is found by intact().
#pragma once

#include <cstddef>
#include <string>

#include <sycl/sycl.hpp>

namespace xeforge::lab {

class GuardedBuffer {
 public:
  static constexpr std::size_t kGuardBytes = 4096;

  GuardedBuffer(sycl::queue queue, std::string name, std::size_t bytes);
  ~GuardedBuffer();
  GuardedBuffer(const GuardedBuffer&) = delete;
  GuardedBuffer& operator=(const GuardedBuffer&) = delete;

  void* data() const { return base_ + kGuardBytes; }
  std::size_t size() const { return bytes_; }

  void write(const void* from);
  void read(void* to) const;
  /// Whether the content is these bytes.
  bool holds(const void* bytes) const;
  /// Fills the content (not the bands) with NaN.
  void poison();

  /// What was written into a band, in words; empty if nothing was.
  std::string damage() const;

 private:
  mutable sycl::queue queue_;
  std::string name_;
  std::size_t bytes_;
  char* base_;
};

}  // namespace xeforge::lab
