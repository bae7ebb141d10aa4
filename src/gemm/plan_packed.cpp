// SPDX-License-Identifier: Apache-2.0
#include "gemm/kernel_arguments.h"
#include "gemm/operand_layout.h"
#include "gemm/planners.h"

namespace xeforge::gemm {

namespace {

constexpr std::int64_t kThreads = 16;  ///< of a group

/// A kernel for operands of these types, in a module of its own.
Module packed_module(Type a, Type b, std::uint32_t width, std::int64_t units) {
  std::string name = "gemm_xmx_" + std::string(name_of(a)) + "_";
  if (a != b) name += std::string(name_of(b)) + "_";
  name += std::to_string(width) + "x" + std::to_string(units);
  std::string source = "#include \"kernels/gemm/packed.h\"\nnamespace xeforge::kernels {\nXEFORGE_PACKED_KERNEL(" +
                       name + ", " + std::string(engine_type(a)) + ", " + std::string(engine_type(b)) + ", " +
                       (is_integer(a) ? "int32_t" : "float") + ", " + std::to_string(width) + ", " +
                       std::to_string(units) + ")\n}\n";
  return {std::move(name), std::move(source)};
}

}  // namespace

std::optional<Plan> plan_packed(const Call& call, const Features& features) {
  const Problem& p = call.problem;
  const Units units = operand_units(features, p.a);
  if (units.b == 1 || p.k == 0 || (call.alpha == nullptr && p.alpha == 0)) return std::nullopt;
  if ((call.packed_unit_a != 0 && call.packed_unit_a != units.a) ||
      (call.packed_unit_b != 0 && call.packed_unit_b != units.b)) {
    return std::nullopt;
  }
  Plan plan;
  kernels::GemmArguments g = kernel_arguments(call);
  g.flags &= ~(kernels::kPointersA | kernels::kPointersB);
  struct Place {
    bool in_workspace;
    std::size_t offset;
  };
  std::vector<Packing> packings;
  const auto place = [&](Side side) -> Place {
    const bool of_a = side == Side::A;
    const OperandLayout layout = layout_of(call, side, of_a ? units.a : units.b);
    const std::int64_t matrices = matrices_of(call, side);
    (of_a ? g.stride_a : g.stride_b) = matrices == 1 ? 0 : layout.bytes();
    g.k = layout.steps() / 2;
    if ((of_a ? call.packed_unit_a : call.packed_unit_b) != 0) return {false, 0};
    const std::size_t offset = plan.workspace;
    packings.push_back({side, layout, offset});
    plan.workspace += page_multiple(layout.bytes() * matrices);
    return {true, offset};
  };
  const Place a = place(Side::A), b = place(Side::B);
  if (!packings.empty()) plan.launches.push_back(pack_launch(call, packings));

  const std::int64_t rows = p.m <= 8 ? 1 : 2;
  const std::int64_t down = blocks(p.m, 8 * rows), across = blocks(p.n, std::int64_t{2} * units.b);
  const std::int64_t group_rows = down == 1 ? 1 : 4;
  const auto whole = [](std::int64_t threads, std::int64_t of) {
    return static_cast<std::size_t>(blocks(threads, of) * of);
  };
  const std::int64_t group_columns = kThreads / group_rows;
  Launch launch;
  launch.module = packed_module(p.a, p.b, units.b, rows);
  launch.kernel = launch.module.name;
  launch.range = {{static_cast<std::size_t>(p.batch), whole(down, group_rows), whole(across, group_columns)},
                  {1, static_cast<std::size_t>(group_rows), static_cast<std::size_t>(group_columns)}};
  launch.arguments = [g, a, b](sycl::handler& handler, std::byte* workspace) {
    kernels::GemmArguments arguments = g;
    if (a.in_workspace) arguments.a = address_of(workspace + a.offset);
    if (b.in_workspace) arguments.b = address_of(workspace + b.offset);
    handler.set_args(arguments);
  };
  plan.strategy = "packed " + std::to_string(8 * rows) + "x" + std::to_string(2 * units.b) + " per thread";
  plan.launches.push_back(std::move(launch));
  return plan;
}

}  // namespace xeforge::gemm
