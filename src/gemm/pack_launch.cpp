// SPDX-License-Identifier: Apache-2.0
//
// Packed operands: their units on a device, and the launch that packs (kernels/gemm/pack.h).
#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>

#include "gemm/kernel_arguments.h"
#include "gemm/operand_layout.h"
#include "gemm/planners.h"

namespace xeforge::gemm {

namespace {

constexpr std::int64_t kItems = 64;          ///< of a group
constexpr std::int64_t kMostThreads = 768;   ///< beyond them items take more than one stretch of k
constexpr std::int64_t kMostStretches = 16;  ///< of an item
constexpr std::int64_t kItemsOfThread = 16;

kernels::PackOperand pack_operand(const Call& call, Side side, const OperandLayout& layout) {
  const Problem& p = call.problem;
  const bool of_a = side == Side::A;
  const Distances distances = of_a ? distances_a(p) : distances_b(p);
  kernels::PackOperand o{};
  o.from = address_of(of_a ? call.a : call.b);
  o.rows = layout.rows;
  const auto size = static_cast<std::int64_t>(size_of(layout.type));
  o.row_bytes = (of_a ? distances.row : distances.column) * size;
  o.depth_bytes = (of_a ? distances.column : distances.row) * size;
  o.from_bytes = (of_a ? p.stride_a : p.stride_b) * size;
  o.to_bytes = layout.bytes();
  o.chunk_bytes = std::int64_t{64} * layout.unit;
  o.unit_bytes = layout.steps() / 2 * o.chunk_bytes;
  o.matrices = static_cast<std::uint32_t>(matrices_of(call, side));
  o.unit_shift = static_cast<std::uint32_t>(std::countr_zero(layout.unit));
  o.words_outer = of_a ? 0 : 1;
  const auto aligned = [](std::int64_t bytes) { return bytes % 8 == 0; };
  const bool fours = size == 2 && o.row_bytes == size && layout.unit >= 8 && o.rows % 4 == 0 && !call.pointer_arrays &&
                     aligned(o.depth_bytes) && aligned(o.from_bytes) && o.from % 8 == 0;
  o.fours = fours ? 1 : 0;
  const std::int64_t rows = layout.units() * layout.unit;
  o.groups = static_cast<std::uint32_t>(blocks(fours ? rows / 4 : rows, kItems));
  return o;
}

}  // namespace

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

Launch pack_launch(const Call& call, std::span<const Packing> operands) {
  if (operands.empty() || operands.size() > 2) throw std::logic_error("a launch packs one operand or two");
  const Problem& p = call.problem;
  kernels::PackArguments g{};
  g.alpha_at = address_of(call.alpha);
  g.depth = p.k;
  g.all_chunks = static_cast<std::uint32_t>(operands.front().layout.steps() / 2);
  g.element = static_cast<std::uint32_t>(size_of(operands.front().layout.type));
  g.flags = (call.pointer_arrays ? kernels::kPointersA : 0) | (p.precision == Precision::Tf32 ? kernels::kTf32 : 0);
  std::int64_t groups = 0, matrices = 0, threads = 0;
  std::array<std::size_t, 2> to{};
  for (std::size_t i = 0; i < operands.size(); ++i) {
    kernels::PackOperand& o = i == 0 ? g.first : g.second;
    o = pack_operand(call, operands[i].side, operands[i].layout);
    to.at(i) = operands[i].to;
    groups += o.groups;
    matrices = std::max<std::int64_t>(matrices, o.matrices);
    threads += std::int64_t{o.groups} * o.matrices * (kItems / kItemsOfThread);
  }
  std::int64_t stretches = 1;
  while (stretches < kMostStretches && threads * blocks(g.all_chunks, stretches) > kMostThreads) stretches *= 2;
  g.chunks = static_cast<std::uint32_t>(stretches);
  Launch launch;
  launch.module = portable_module();
  launch.kernel = "gemm_pack";
  launch.range = {{static_cast<std::size_t>(matrices), static_cast<std::size_t>(blocks(g.all_chunks, stretches)),
                   static_cast<std::size_t>(groups * kItems)},
                  {1, 1, static_cast<std::size_t>(kItems)}};
  launch.arguments = [g, to](sycl::handler& handler, std::byte* workspace) {
    kernels::PackArguments arguments = g;
    arguments.first.to = address_of(workspace + to[0]);
    arguments.second.to = address_of(workspace + to[1]);
    handler.set_args(arguments);
  };
  return launch;
}

}  // namespace xeforge::gemm
