// SPDX-License-Identifier: Apache-2.0
//
// The packed form of any operand (kernels/gemm/arguments.h, PackArguments), seen from the host.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "gemm/plan.h"
#include "xeforge/gemm/prepacked.h"

namespace xeforge::gemm {

/// `rows` rows of A or columns of B, in units of `unit`; k in pairs of steps of 32 bytes.
struct OperandLayout {
  std::int64_t rows = 0, depth = 0;
  std::uint32_t unit = 1;
  Type type = Type::Bf16;

  std::int64_t units() const { return (rows + unit - 1) / unit; }
  std::int64_t steps() const {
    const auto step = static_cast<std::int64_t>(32 / size_of(type));
    return (depth + 2 * step - 1) / (2 * step) * 2;
  }
  std::int64_t bytes() const { return units() * unit * steps() * 32; }
  /// With units of 1 the packed form is an ordinary matrix: elements from one row (column) to the next.
  std::int64_t pitch() const { return steps() * 32 / static_cast<std::int64_t>(size_of(type)); }
};

/// Rows of A and columns of B that lie together in packed operands of these types on the device; 1 where it has no
/// matrix engine for them.
struct Units {
  std::uint32_t a = 1, b = 1;
};
Units operand_units(const Features& features, Type type);

/// How the kernels' source names an element type; empty: no matrix engine multiplies it.
std::string_view engine_type(Type type);

/// An operand of a call that is to be packed, `to` bytes behind the workspace's beginning.
struct Packing {
  Side side = Side::A;
  OperandLayout layout;
  std::size_t to = 0;
};
/// Packs one operand of the call, or both at once.
Launch pack_launch(const Call& call, std::span<const Packing> operands);
/// As long as the packed matrix of the call's operand is.
OperandLayout layout_of(const Call& call, Side side, std::uint32_t unit);
/// How many different matrices the batch has of it.
std::int64_t matrices_of(const Call& call, Side side);

/// The module of the kernels that run on any device.
const Module& portable_module();

}  // namespace xeforge::gemm
