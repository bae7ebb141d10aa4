// SPDX-License-Identifier: Apache-2.0
//
// A small Level Zero host: one device, one in-order immediate command list, shared memory, and kernels of OpenCL C
// compiled for the device that is there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "level_zero/ze_api.h"

namespace programs {

/// Throws std::runtime_error naming the call unless it succeeded.
void check(ze_result_t result, const char* call);

class Session {
 public:
  Session();
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void* allocate(std::size_t bytes);
  void free(void* pointer);
  const ze_device_properties_t& properties() const { return properties_; }
  bool has_double() const { return has_double_; }

  ze_context_handle_t context() const { return context_; }
  ze_device_handle_t device() const { return device_; }
  ze_command_list_handle_t list() const { return list_; }

 private:
  ze_driver_handle_t driver_ = nullptr;
  ze_device_handle_t device_ = nullptr;
  ze_context_handle_t context_ = nullptr;
  ze_command_list_handle_t list_ = nullptr;
  ze_device_properties_t properties_{};
  bool has_double_ = false;
};

/// Shared memory that is freed with the object.
template <class T>
class Buffer {
 public:
  Buffer(Session& session, std::size_t count, T fill = T{})
      : session_(&session), count_(count), data_(static_cast<T*>(session.allocate(count * sizeof(T)))) {
    for (std::size_t i = 0; i < count; ++i) data_[i] = fill;
  }
  Buffer(Session& session, const std::vector<T>& values) : Buffer(session, values.size()) {
    for (std::size_t i = 0; i < count_; ++i) data_[i] = values[i];
  }
  ~Buffer() { session_->free(data_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() const { return data_; }
  T* end() const { return data_ + count_; }
  std::size_t size() const { return count_; }

 private:
  Session* session_;
  std::size_t count_;
  T* data_;
};

/// An argument in local memory of that many bytes.
struct LocalBytes {
  std::size_t bytes;
};

using Size3 = std::array<std::uint32_t, 3>;

class Module {
 public:
  /// Compiles the OpenCL C in `file`. Throws with the compiler's log if it cannot.
  Module(Session& session, const std::string& file, const std::string& options = "-cl-std=CL3.0");
  ~Module();
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  /// Runs a kernel over `groups` groups of `local` work-items and waits for it.
  template <class... A>
  void run(const std::string& kernel, Size3 groups, Size3 local, const A&... arguments) {
    std::uint32_t index = 0;
    ze_kernel_handle_t handle = kernel_of(kernel);
    (set(handle, index++, arguments), ...);
    launch(handle, groups, local);
  }

 private:
  ze_kernel_handle_t kernel_of(const std::string& name);
  void launch(ze_kernel_handle_t kernel, Size3 groups, Size3 local);
  template <class T>
  static void set(ze_kernel_handle_t kernel, std::uint32_t index, const T& value) {
    check(zeKernelSetArgumentValue(kernel, index, sizeof value, &value), "zeKernelSetArgumentValue");
  }
  template <class T>
  static void set(ze_kernel_handle_t kernel, std::uint32_t index, const Buffer<T>& buffer) {
    set(kernel, index, buffer.begin());
  }
  static void set(ze_kernel_handle_t kernel, std::uint32_t index, const LocalBytes& local) {
    check(zeKernelSetArgumentValue(kernel, index, local.bytes, nullptr), "zeKernelSetArgumentValue");
  }

  Session* session_;
  ze_module_handle_t module_ = nullptr;
  std::map<std::string, ze_kernel_handle_t> kernels_;
};

}  // namespace programs
