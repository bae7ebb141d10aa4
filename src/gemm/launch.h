// SPDX-License-Identifier: Apache-2.0
//
// Launching a rung.
#pragma once

#include <array>

#include <sycl/sycl.hpp>

#include "gemm/catalog.h"
#include "xeforge/gemm/features.h"

namespace xeforge::gemm {

/// Device pointers (USM). A and B lie as the rung's layouts say; C is row major.
struct Operands {
  const void* a = nullptr;
  const void* b = nullptr;
  float* c = nullptr;
};

/// What the rung asks of a device, from its row.
Needs needs_of(const Rung& rung);

struct Geometry {
  std::array<std::size_t, 2> global{}, local{};  ///< work-items; local {0, 0}: the driver chooses
};

/// Throws std::invalid_argument if the rung cannot compute the shape (reason_against()).
Geometry geometry(const Rung& rung, const Shape& shape);

/// Submits one launch. Errors of the kernel come as sycl::exception here or from the wait.
sycl::event launch(sycl::queue& queue, const sycl::kernel& kernel, const Rung& rung, const Shape& shape,
                   const Operands& operands);

}  // namespace xeforge::gemm
