// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gemm/plan.h"
#include "kernels/gemm/arguments.h"

namespace xeforge::gemm {

/// A call as the kernels get it.
kernels::GemmArguments kernel_arguments(const Call& call);

/// Elements from one row (column) of A or B to the next.
struct Distances {
  std::int64_t row, column;
};
Distances distances_a(const Problem& problem);
Distances distances_b(const Problem& problem);

inline std::uint64_t address_of(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

}  // namespace xeforge::gemm
