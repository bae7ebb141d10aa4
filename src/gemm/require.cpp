// SPDX-License-Identifier: Apache-2.0
#include "gemm/require.h"

#include <cstdio>

#include "xeforge/gemm/problem.h"

namespace xeforge::gemm {

namespace {

std::string hex(const void* pointer) {
  char text[2 + 2 * sizeof pointer + 1];
  std::snprintf(text, sizeof text, "0x%llx",
                static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(pointer)));
  return text;
}

}  // namespace

void require_size(const std::string& what, std::int64_t value, std::int64_t of) {
  if (value <= 0 || value > kLargestPackedSize) {
    throw Error(Status::BadSize,
                what + " = " + std::to_string(value) + ": sizes are 1 to " + std::to_string(kLargestPackedSize));
  }
  if (value % of != 0) {
    throw Error(Status::SizeNotMultiple, what + " = " + std::to_string(value) + " is not a multiple of " +
                                             std::to_string(of) + ": pad the matrix to " +
                                             std::to_string((value + of - 1) / of * of));
  }
}

void require_aligned(const std::string& what, const void* pointer) {
  if (pointer == nullptr) throw Error(Status::NullPointer, what + " is null");
  if (reinterpret_cast<std::uintptr_t>(pointer) % kAlignment != 0) {
    throw Error(Status::MisalignedPointer, what + " at " + hex(pointer) + " is not aligned to " +
                                               std::to_string(kAlignment) +
                                               " bytes: the kernels read and write whole blocks");
  }
}

void require_device_memory(const std::string& what, const void* pointer, std::size_t bytes,
                           const sycl::context& context, const sycl::device& device) {
  const char* const first = static_cast<const char*>(pointer);
  for (const char* at : {first, first + bytes - 1}) {
    const auto kind = sycl::get_pointer_type(at, context);
    if (kind == sycl::usm::alloc::unknown) {
      throw Error(Status::NotDeviceMemory,
                  what + (at == first ? " at " + hex(pointer) + " is" : ": its last byte, at " + hex(at) + ", is") +
                      " no USM of the queue's context: allocate " + std::to_string(bytes) +
                      " bytes with sycl::malloc_device(..., queue)");
    }
    if (kind == sycl::usm::alloc::device && sycl::get_pointer_device(at, context) != device) {
      throw Error(Status::WrongDevice, what + " at " + hex(pointer) + " is memory of another device than the queue's");
    }
  }
}

}  // namespace xeforge::gemm
