// SPDX-License-Identifier: Apache-2.0
//
// The operands of a job in device memory.
#pragma once

#include <cstring>
#include <new>
#include <vector>

#include <sycl/sycl.hpp>

namespace xeforge::lab::providers {

class DeviceCopy {
 public:
  DeviceCopy(sycl::queue queue, const void* from, std::size_t bytes)
      : queue_(std::move(queue)), data_(sycl::malloc_device(bytes, queue_)) {
    if (data_ == nullptr) throw std::bad_alloc();
    queue_.memcpy(data_, from, bytes).wait_and_throw();
  }
  DeviceCopy(sycl::queue queue, const std::vector<std::byte>& from)
      : DeviceCopy(std::move(queue), from.data(), from.size()) {}
  ~DeviceCopy() { sycl::free(data_, queue_); }
  DeviceCopy(const DeviceCopy&) = delete;
  DeviceCopy& operator=(const DeviceCopy&) = delete;

  template <class T = void>
  T* data() const {
    return static_cast<T*>(data_);
  }
  void read(std::vector<std::byte>& to) { queue_.memcpy(to.data(), data_, to.size()).wait_and_throw(); }

 private:
  sycl::queue queue_;
  void* data_;
};

/// A queue whose errors surface in wait_and_throw().
inline sycl::queue gpu_queue() {
  return sycl::queue(
      sycl::gpu_selector_v,
      [](const sycl::exception_list& errors) {
        for (const std::exception_ptr& error : errors) std::rethrow_exception(error);
      },
      sycl::property::queue::in_order());
}

}  // namespace xeforge::lab::providers
