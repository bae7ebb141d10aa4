// SPDX-License-Identifier: Apache-2.0
//
// The planner of the fast kernels: products of bf16 or f16 into floats, without an epilogue.
#include <algorithm>

#include "gemm/kernel_arguments.h"
#include "gemm/operand_layout.h"
#include "gemm/planners.h"
#include "gemm/strategy.h"
#include "kernels/fast/arguments.h"
#include "xeforge/gemm/status.h"

namespace xeforge::gemm {

namespace {

constexpr std::uint32_t kUnit = 8;  ///< rows of A and columns of B that lie together for Xe-HPG

/// Why no fast kernel takes the call, whatever its sizes; empty if one may.
std::string reason_against_call(const Call& call) {
  if (call.pointer_arrays) return "matrices of a batch lie at addresses of their own";
  if (call.alpha != nullptr || call.beta != nullptr) return "factors are in device memory";
  if (!call.epilogue.empty()) return "it has an epilogue";
  return {};
}

/// What only the addresses tell, and the packed forms.
std::string reason_against(const Call& call, const Strategy& s) {
  const PackedSides packed = packed_sides(s);
  std::string reason = reason_against_packed(s, {call.packed_unit_a != 0, call.packed_unit_b != 0});
  if (!reason.empty()) return reason;
  for (const std::uint32_t unit : {call.packed_unit_a, call.packed_unit_b}) {
    if (unit != 0 && unit != kUnit) return "operands were packed for other kernels";
  }
  const bool block2d = s.kernel == FastKernel::Xe2Rows;
  const std::int64_t line = block2d ? 64 : 4;
  const Problem& p = call.problem;
  const auto aligned = [&](const void* pointer, std::int64_t stride, std::int64_t size) {
    const bool batch = p.batch > 1 && stride * size % line != 0;
    return address_of(pointer) % line == 0 && !batch;
  };
  if ((!packed.a && !aligned(call.a, p.stride_a, 2)) || (!packed.b && !aligned(call.b, p.stride_b, 2)) ||
      !aligned(call.c, p.stride_c, 4))
    return block2d ? "2D block messages need matrices at multiples of 64 bytes"
                   : "matrices begin at multiples of 4 bytes";
  return {};
}

}  // namespace

Plan plan_strategy(const Call& call, const Strategy& s) {
  const Problem& p = call.problem;
  const PackedSides reads_packed = packed_sides(s);
  Plan plan;
  plan.strategy = to_string(s);
  kernels::FastArguments g{};
  g.a = address_of(call.a);
  g.b = address_of(call.b);
  g.c = address_of(call.c);
  g.stride_a = p.stride_a * 2;
  g.stride_b = p.stride_b * 2;
  g.stride_c = p.stride_c * 4;
  g.lda = p.lda;
  g.ldb = p.ldb;
  g.ldc = p.ldc;
  g.m = static_cast<std::uint32_t>(p.m);
  g.n = static_cast<std::uint32_t>(p.n);
  g.k = static_cast<std::uint32_t>(p.k);
  g.batch = static_cast<std::uint32_t>(p.batch);
  g.alpha = p.alpha;
  g.beta = p.beta;

  constexpr std::size_t kElsewhere = ~std::size_t{0};
  std::array<std::size_t, 2> packed{kElsewhere, kElsewhere};
  std::vector<Packing> packings;
  for (const Side side : {Side::A, Side::B}) {
    const bool of_a = side == Side::A;
    if (!(of_a ? reads_packed.a : reads_packed.b)) continue;
    const OperandLayout layout = layout_of(call, side, kUnit);
    const std::int64_t matrices = matrices_of(call, side);
    (of_a ? g.stride_a : g.stride_b) = matrices == 1 ? 0 : layout.bytes();
    (of_a ? g.lda : g.ldb) = layout.steps() * kUnit * 32;
    // Where nothing is read by rows, k is in the steps of packed operands.
    if (reads_packed.a && reads_packed.b) g.k = static_cast<std::uint32_t>(layout.steps());
    if ((of_a ? call.packed_unit_a : call.packed_unit_b) != 0) continue;
    packed[of_a ? 0 : 1] = plan.workspace;
    packings.push_back({side, layout, plan.workspace});
    plan.workspace += page_multiple(layout.bytes() * matrices);
  }
  if (!packings.empty()) plan.launches.push_back(pack_launch(call, packings));
  const auto groups = [](std::int64_t size, std::uint32_t of_group) {
    return static_cast<std::size_t>(blocks(size, of_group));
  };
  const std::size_t down = groups(p.m, rows_of_group(s)), across = groups(p.n, s.tile_n * s.group_columns);
  Launch launch;
  launch.module = module_of(s, {p.a, p.alpha == 1, p.beta == 0});
  launch.kernel = launch.module.name;
  // The group's shape stays, the order in which groups are counted does not.
  const std::size_t outer = s.columns_outer ? across : down, inner = s.columns_outer ? down : across;
  launch.range = {{static_cast<std::size_t>(p.batch), outer * s.group_rows, inner * s.group_columns},
                  {1, s.group_rows, s.group_columns}};
  launch.arguments = [g, packed](sycl::handler& handler, std::byte* workspace) {
    kernels::FastArguments arguments = g;
    if (packed[0] != kElsewhere) arguments.a = address_of(workspace + packed[0]);
    if (packed[1] != kElsewhere) arguments.b = address_of(workspace + packed[1]);
    handler.set_args(arguments);
  };
  plan.launches.push_back(std::move(launch));
  return plan;
}

std::vector<Estimate> fast_choices(const Call& call, const Features& features) {
  std::vector<Estimate> choices = estimates(call.problem, features, call.packed_unit_a != 0, call.packed_unit_b != 0);
  const std::string against = reason_against_call(call);
  for (Estimate& e : choices) {
    if (e.reason.empty()) e.reason = against;
    if (e.reason.empty()) e.reason = reason_against(call, e.strategy);
  }
  std::stable_partition(choices.begin(), choices.end(), [](const Estimate& e) { return e.reason.empty(); });
  return choices;
}

std::optional<Plan> plan_fast(const Call& call, const Features& features) {
  const std::vector<Estimate> choices = fast_choices(call, features);
  if (choices.empty() || !choices.front().reason.empty()) return std::nullopt;
  Plan plan = plan_strategy(call, choices.front().strategy);
  // A question about the workspace has no C, and its answer is for matrices at any address: also for those that this
  // strategy does not take.
  if (call.c == nullptr) {
    if (const auto other = plan_packed(call, features)) plan.workspace = std::max(plan.workspace, other->workspace);
  }
  return plan;
}

Plan plan_named(const Call& call, const Features& features, std::string_view text) {
  const Strategy s = parse_strategy(text);
  std::string reason = reason_against(needs_of(s), features);
  if (reason.empty()) reason = reason_against_call(call);
  if (reason.empty()) reason = reason_against_problem(call.problem, s);
  if (reason.empty()) reason = reason_against(call, s);
  if (!reason.empty()) {
    throw Error(Status::BadStrategy, "strategy '" + to_string(s) + "' does not take " + to_string(call.problem) +
                                         " on " + features.device + ": " + reason);
  }
  return plan_strategy(call, s);
}

}  // namespace xeforge::gemm
