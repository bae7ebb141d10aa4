// SPDX-License-Identifier: Apache-2.0
#include "gemm/kernel_arguments.h"
#include "gemm/operand_layout.h"
#include "gemm/planners.h"

namespace xeforge::gemm {

namespace {

constexpr std::int64_t kThreads = 16;         ///< of a group
constexpr std::size_t kPackItems = 128;       ///< of a group
constexpr std::size_t kWorkspaceStep = 4096;  ///< packed operands begin at pages

/// How the kernels' source names an element type; empty: the engine does not multiply it.
std::string_view engine_type(Type type) {
  switch (type) {
    case Type::Bf16:
      return "bf16";
    case Type::F16:
      return "sycl::half";
    case Type::S8:
      return "int8_t";
    case Type::U8:
      return "uint8_t";
    default:
      return {};
  }
}

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

std::int64_t blocks(std::int64_t size, std::int64_t of) { return (size + of - 1) / of; }

std::size_t page_multiple(std::int64_t bytes) {
  return (static_cast<std::size_t>(bytes) + kWorkspaceStep - 1) / kWorkspaceStep * kWorkspaceStep;
}

}  // namespace

Units operand_units(const Features& features, Type type) {
  const std::size_t width = features.dpas_width();
  if (!features.has_esimd || engine_type(type).empty() || (width != 8 && width != 16)) return {};
  return {8, static_cast<std::uint32_t>(width)};
}

OperandLayout layout_of(const Call& call, Side side, std::uint32_t unit) {
  const Problem& p = call.problem;
  return side == Side::A ? OperandLayout{p.m, p.k, unit, p.a} : OperandLayout{p.n, p.k, unit, p.b};
}

std::int64_t matrices_of(const Call& call, Side side) {
  const bool packed = (side == Side::A ? call.packed_unit_a : call.packed_unit_b) != 0;
  if (packed) return side == Side::A ? call.packed_batch_a : call.packed_batch_b;
  if (call.pointer_arrays) return call.problem.batch;
  return (side == Side::A ? call.problem.stride_a : call.problem.stride_b) == 0 ? 1 : call.problem.batch;
}

Launch pack_launch(const Call& call, Side side, const OperandLayout& layout, std::size_t to) {
  const Problem& p = call.problem;
  const bool of_a = side == Side::A;
  const Distances distances = of_a ? distances_a(p) : distances_b(p);
  kernels::PackArguments g{};
  g.from = address_of(of_a ? call.a : call.b);
  g.alpha_at = address_of(call.alpha);
  g.rows = layout.rows;
  g.depth = layout.depth;
  g.row_stride = of_a ? distances.row : distances.column;
  g.depth_stride = of_a ? distances.column : distances.row;
  g.stride_from = of_a ? p.stride_a : p.stride_b;
  g.stride_to = layout.bytes();
  g.units = layout.units();
  g.steps = layout.steps();
  g.type = static_cast<std::uint32_t>(layout.type);
  g.unit = layout.unit;
  g.words_outer = of_a ? 0 : 1;
  g.flags = (call.pointer_arrays ? kernels::kPointersA : 0) | (p.precision == Precision::Tf32 ? kernels::kTf32 : 0);
  const auto items = static_cast<std::size_t>(blocks(layout.bytes() / 4, kPackItems)) * kPackItems;
  Launch launch;
  launch.module = portable_module();
  launch.kernel = "gemm_pack";
  launch.range = {{static_cast<std::size_t>(matrices_of(call, side)), 1, items}, {1, 1, kPackItems}};
  launch.arguments = [g, to](sycl::handler& handler, std::byte* workspace) {
    kernels::PackArguments arguments = g;
    arguments.to = address_of(workspace + to);
    handler.set_args(arguments);
  };
  return launch;
}

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
  const auto place = [&](Side side) -> Place {
    const bool of_a = side == Side::A;
    const OperandLayout layout = layout_of(call, side, of_a ? units.a : units.b);
    const std::int64_t matrices = matrices_of(call, side);
    (of_a ? g.stride_a : g.stride_b) = matrices == 1 ? 0 : layout.bytes();
    g.k = layout.steps() / 2;
    if ((of_a ? call.packed_unit_a : call.packed_unit_b) != 0) return {false, 0};
    const std::size_t offset = plan.workspace;
    plan.launches.push_back(pack_launch(call, side, layout, offset));
    plan.workspace += page_multiple(layout.bytes() * matrices);
    return {true, offset};
  };
  const Place a = place(Side::A), b = place(Side::B);

  const std::int64_t rows = p.m <= 8 ? 1 : 2;
  const std::int64_t down = blocks(p.m, 8 * rows), across = blocks(p.n, 2 * units.b);
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
