// SPDX-License-Identifier: Apache-2.0
//
// The checks of arguments that several calls share. Each throws Error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <sycl/sycl.hpp>

#include "xeforge/gemm/status.h"

namespace xeforge::gemm {

/// BadSize unless 0 < value <= kLargestPackedSize, SizeNotMultiple unless `of` divides it.
void require_size(const std::string& what, std::int64_t value, std::int64_t of);

/// NullPointer, MisalignedPointer.
void require_aligned(const std::string& what, const void* pointer);

/// NotDeviceMemory unless the first and the last byte are USM of the context, WrongDevice unless `device` may use it.
void require_device_memory(const std::string& what, const void* pointer, std::size_t bytes,
                           const sycl::context& context, const sycl::device& device);

}  // namespace xeforge::gemm
