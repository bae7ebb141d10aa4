// SPDX-License-Identifier: Apache-2.0
#include "gemm/kernel_arguments.h"
#include "gemm/operand_layout.h"
#include "gemm/planners.h"

namespace xeforge::gemm {

namespace {

constexpr std::int64_t kBlock = 64;     ///< rows and columns of C of a group
constexpr std::size_t kItems = 256;     ///< of a group
constexpr std::int64_t kSmall = 32768;  ///< products in a small problem: a few tens of microseconds of any kernel

}  // namespace

const Module& portable_module() {
  static const Module kModule{"portable", "#include \"kernels/gemm/pack.h\"\n#include \"kernels/gemm/portable.h\"\n"};
  return kModule;
}

std::optional<Plan> plan_portable(const Call& call, const Features& /*features*/) {
  const Problem& p = call.problem;
  const bool reads = p.k != 0 && (call.alpha != nullptr || p.alpha != 0);
  if (reads && (call.packed_unit_a > 1 || call.packed_unit_b > 1)) return std::nullopt;
  kernels::GemmArguments arguments = kernel_arguments(call);
  // Units of one: an ordinary matrix with rows (columns) of whole steps.
  if (call.packed_unit_a == 1) {
    const OperandLayout layout = layout_of(call, Side::A, 1);
    arguments.row_a = layout.pitch();
    arguments.column_a = 1;
    arguments.stride_a = matrices_of(call, Side::A) == 1 ? 0 : p.m * layout.pitch();
  }
  if (call.packed_unit_b == 1) {
    const OperandLayout layout = layout_of(call, Side::B, 1);
    arguments.row_b = 1;
    arguments.column_b = layout.pitch();
    arguments.stride_b = matrices_of(call, Side::B) == 1 ? 0 : p.n * layout.pitch();
  }
  Launch launch;
  launch.module = portable_module();
  launch.kernel = is_integer(p.a) ? "gemm_portable_int" : "gemm_portable_float";
  launch.range = {{static_cast<std::size_t>(p.batch), static_cast<std::size_t>((p.m + kBlock - 1) / kBlock),
                   static_cast<std::size_t>((p.n + kBlock - 1) / kBlock) * kItems},
                  {1, 1, kItems}};
  launch.arguments = [arguments](sycl::handler& handler, std::byte* /*workspace*/) { handler.set_args(arguments); };
  Plan plan;
  plan.strategy = "portable 64x64x16";
  plan.launches.push_back(std::move(launch));
  return plan;
}

std::optional<Plan> plan_small(const Call& call, const Features& features) {
  const Problem& p = call.problem;
  // Each factor is below 2^31: three of them need more than 64 bits.
  if (p.m * p.n > kSmall || p.m * p.n * p.k > kSmall || call.packed_unit_a != 0 || call.packed_unit_b != 0)
    return std::nullopt;
  return plan_portable(call, features);
}

}  // namespace xeforge::gemm
