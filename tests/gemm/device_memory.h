// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <sycl/sycl.hpp>

namespace xeforge::gemm {

/// Device memory that begins with these values.
template <class T>
class DeviceMemory {
 public:
  DeviceMemory(sycl::queue queue, const std::vector<T>& values)
      : queue_(std::move(queue)), size_(values.size()), data_(sycl::malloc_device<T>(size_, queue_)) {
    queue_.memcpy(data_, values.data(), size_ * sizeof(T)).wait_and_throw();
  }
  ~DeviceMemory() { sycl::free(data_, queue_); }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  T* data() const { return data_; }
  std::vector<T> read() {
    std::vector<T> values(size_);
    queue_.memcpy(values.data(), data_, size_ * sizeof(T)).wait_and_throw();
    return values;
  }

 private:
  sycl::queue queue_;
  std::size_t size_;
  T* data_;
};

}  // namespace xeforge::gemm
