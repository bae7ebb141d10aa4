// SPDX-License-Identifier: Apache-2.0
//
// What stands behind a handle. The loader may use the first four words of every object as
// pointers to dispatch tables (ze_handle_t); they stay null, which is right as long as the driver
// does not report ZE_extension_driver_ddi_handles.
#pragma once

#include <cstdint>

#include "driver/api.h"

namespace xeforge::driver {

enum class ObjectKind : uint32_t {
  Driver = 0x78660001,
  Device,
  Context,
  Queue,
  List,
  Fence,
  EventPool,
  Event,
  Module,
  BuildLog,
  Kernel,
  Destroyed
};

template <ObjectKind kKind, class ZeHandle>
class Object {
 public:
  using Handle = ZeHandle;
  static constexpr ObjectKind kObjectKind = kKind;

  Object() = default;
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  ~Object() { *const_cast<volatile ObjectKind*>(&kind_) = ObjectKind::Destroyed; }

  Handle handle() { return reinterpret_cast<Handle>(this); }
  bool alive() const { return kind_ == kKind; }

 private:
  ze_handle_t tables_{};
  ObjectKind kind_ = kKind;
};

/// The object behind a handle. Throws ApiError: INVALID_NULL_HANDLE for null, INVALID_ARGUMENT for
/// a handle of another kind or of a destroyed object (as far as its memory still shows it).
template <class T>
T& as(typename T::Handle handle) {
  if (handle == nullptr) {
    throw ApiError(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "a handle is null");
  }
  T* object = reinterpret_cast<T*>(handle);
  if (!object->alive()) {
    throw ApiError(ZE_RESULT_ERROR_INVALID_ARGUMENT,
                   "a handle belongs to an object of another kind or to a destroyed one");
  }
  return *object;
}

/// Throws ApiError INVALID_NULL_POINTER that names the parameter.
inline void require(const void* pointer, const char* parameter) {
  if (pointer == nullptr) {
    throw ApiError(ZE_RESULT_ERROR_INVALID_NULL_POINTER, std::string(parameter) + " is null");
  }
}

/// The pattern of all queries that return an array: a null array asks for the count.
template <class T, class Fill>
void return_array(uint32_t* count, T* array, uint32_t available, Fill&& fill) {
  require(count, "pCount");
  if (array == nullptr || *count == 0) {
    *count = available;
    return;
  }
  if (*count > available) {
    *count = available;
  }
  for (uint32_t i = 0; i < *count; ++i) {
    fill(i, array[i]);
  }
}

}  // namespace xeforge::driver
