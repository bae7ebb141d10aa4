// SPDX-License-Identifier: Apache-2.0
#include "gemm/kernel_arguments.h"

namespace xeforge::gemm {

namespace {

template <class Enum>
constexpr std::uint32_t number(Enum value) {
  return static_cast<std::uint32_t>(value);
}

static_assert(number(kernels::Code::Bf16) == number(Type::Bf16) && number(kernels::Code::F16) == number(Type::F16) &&
              number(kernels::Code::F32) == number(Type::F32) && number(kernels::Code::S8) == number(Type::S8) &&
              number(kernels::Code::U8) == number(Type::U8) && number(kernels::Code::S32) == number(Type::S32));
static_assert(kernels::kLargestSteps == Epilogue::kLargest);

}  // namespace

Distances distances_a(const Problem& p) { return p.transpose_a ? Distances{1, p.lda} : Distances{p.lda, 1}; }

Distances distances_b(const Problem& p) { return p.transpose_b ? Distances{1, p.ldb} : Distances{p.ldb, 1}; }

kernels::GemmArguments kernel_arguments(const Call& call) {
  const Problem& p = call.problem;
  kernels::GemmArguments g{};
  g.a = address_of(call.a);
  g.b = address_of(call.b);
  g.c = address_of(call.c);
  g.alpha_at = address_of(call.alpha);
  g.beta_at = address_of(call.beta);
  g.m = p.m;
  g.n = p.n;
  g.k = p.k;
  g.row_a = distances_a(p).row;
  g.column_a = distances_a(p).column;
  g.row_b = distances_b(p).row;
  g.column_b = distances_b(p).column;
  g.ldc = p.ldc;
  g.stride_a = p.stride_a;
  g.stride_b = p.stride_b;
  g.stride_c = p.stride_c;
  g.alpha = p.alpha;
  g.beta = p.beta;
  g.type_a = number(p.a);
  g.type_b = number(p.b);
  g.type_c = number(p.c);
  g.flags = (call.pointer_arrays ? kernels::kPointersA | kernels::kPointersB | kernels::kPointersC : 0) |
            (p.precision == Precision::Tf32 ? kernels::kTf32 : 0);
  if (call.packed_unit_a != 0) g.flags &= ~kernels::kPointersA;
  if (call.packed_unit_b != 0) g.flags &= ~kernels::kPointersB;
  for (const Epilogue::Operation& operation : call.epilogue.operations()) {
    kernels::Step& step = g.step[g.steps++];
    step.data = address_of(operation.data);
    step.ld = operation.ld;
    step.stride = operation.stride;
    step.kind = number(operation.kind);
    step.along = number(operation.along);
    step.type = number(operation.type);
    step.value = operation.value;
    step.high = operation.high;
  }
  return g;
}

}  // namespace xeforge::gemm
