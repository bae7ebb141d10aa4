// SPDX-License-Identifier: Apache-2.0
//
// The answers of OpenCL's clGet...Info calls.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include <CL/cl.h>

namespace xeforge::driver::opencl {

/// Where one answer goes: the last three arguments of every clGet...Info call.
struct Answer {
  size_t room;
  void* value;
  size_t* needed;

  cl_int bytes(const void* data, size_t size) const {
    if (needed != nullptr) *needed = size;
    if (value == nullptr) return CL_SUCCESS;
    if (room < size) return CL_INVALID_VALUE;
    if (size != 0) std::memcpy(value, data, size);
    return CL_SUCCESS;
  }
  template <class T>
  cl_int scalar(T v) const {
    return bytes(
        &v, sizeof(T));  // NOLINT(bugprone-sizeof-expression): handles are pointers, and it is those that are copied
  }
  cl_int text(const std::string& s) const { return bytes(s.c_str(), s.size() + 1); }
  template <class T>
  cl_int list(const std::vector<T>& v) const {
    return bytes(v.data(), v.size() * sizeof(T));
  }
};

}  // namespace xeforge::driver::opencl
