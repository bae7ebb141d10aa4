// SPDX-License-Identifier: Apache-2.0
//
// From what a program says to what planners see: checks of everything, and one form for both orders of matrices.
#pragma once

#include <optional>

#include "gemm/plan.h"
#include "xeforge/gemm/gemm.h"

namespace xeforge::gemm {

struct Arguments {
  Problem problem;
  Operand<Side::A> a;
  Operand<Side::B> b;
  void* c = nullptr;
  std::optional<PointerArrays> arrays;  ///< instead of a, b and c
  Extras extras;
};

/// Checks numbers only, no pointers.
void check_form(const Arguments& arguments);
/// Checks all pointers, for a queue's context and device. After check_form().
void check_memory(const Arguments& arguments, const sycl::context& context, const sycl::device& device);

/// Checks the pointer of one operand alone.
void check_source(const Arguments& arguments, Side side, const sycl::context& context, const sycl::device& device);

/// C has no elements.
bool is_empty(const Problem& problem);

/// As planners see it. After check_form(); not for empty ones.
Call make_call(const Arguments& arguments);

}  // namespace xeforge::gemm
