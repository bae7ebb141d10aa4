// SPDX-License-Identifier: Apache-2.0
#include "compile/checks.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>
#include <vector>

namespace xeforge::compile {
namespace {

using device::Device;
using spirv::EntryPoint;
using spirv::Function;
using spirv::MatrixUse;
using spirv::Module;
using spirv::TypeKind;

using Refusal = std::optional<std::string>;

unsigned dpas_width(const Device& device) { return isa::native_simd(device.platform); }

std::string in_kernel(const EntryPoint& entry) { return "kernel '" + entry.name + "'"; }

/// The first refusal that `look` has for a function which is imported and called, with the kernel that reaches it.
Refusal for_called_imports(const Module& module,
                           const std::function<Refusal(const Function& callee, const spirv::Call& call)>& look) {
  for (const auto& entry : module.entry_points)
    for (const Function* function : module.reachable(entry))
      for (const auto& call : function->calls) {
        const auto callee = module.functions.find(call.callee);
        if (callee == module.functions.end() || !callee->second.imported) continue;
        if (const auto reason = look(callee->second, call)) return in_kernel(entry) + " " + *reason;
      }
  return std::nullopt;
}

/// dpas operands hold whole blocks of the device's width. The vector compiler does not compare: 16-wide operands on DG2
/// become dpas (8|M0), which computes half of the result; 8-wide ones on Xe2 become dpas (16|M0), whose destinations
/// overlap (toolchain.md, pitfall 3).
Refusal dpas_operands(const Module& module, const Device& device) {
  return for_called_imports(module, [&](const Function& callee, const spirv::Call& call) -> Refusal {
    const std::string_view name = callee.name;
    const bool paired = name.starts_with("llvm.genx.dpasw.");
    const bool dpas2 = name.starts_with("llvm.genx.dpas2.");
    if (!paired && !dpas2 && !name.starts_with("llvm.genx.dpas.")) return std::nullopt;
    if (paired && !device.has_dpasw)
      return "uses dpasw, which " + device.name +
             " does not have (it shares operands between the fused EUs of Xe-HPG): use dpas";
    // Sources: accumulator (not in the .nosrc0 forms), B, A. A dword of B is one column at one of 8 depths.
    const size_t b = name.find(".nosrc0.") != std::string_view::npos ? 0 : 1;
    const auto type = module.types.find(callee.type);
    if (type == module.types.end() || type->second.parameters.size() <= b) return std::nullopt;
    const uint64_t bits = module.bits_of(type->second.parameters[b]);
    uint64_t depth = 8;
    constexpr size_t kDepthArgument = 5;
    if (dpas2 && call.arguments.size() > kDepthArgument)
      if (const auto known = module.constants.find(call.arguments[kDepthArgument]);
          known != module.constants.end() && known->second != 0)
        depth = known->second;
    const uint64_t width = bits / 32 / depth;
    if (bits == 0 || width == dpas_width(device)) return std::nullopt;
    const std::string own = std::to_string(dpas_width(device));
    return "has dpas operands for an execution size of " + std::to_string(width) + ", but dpas on " + device.name +
           " is " + own + " wide. It would compile and compute wrong results: give B and the accumulator " + own +
           " columns (N = " + own + ")";
  });
}

/// Load, store and prefetch of two-dimensional blocks came with PVC and Xe2. ESIMD's load_2d compiles for DG2 without a
/// word.
Refusal block2d_functions(const Module& module, const Device& device) {
  if (device.has_block2d) return std::nullopt;
  return for_called_imports(module, [&](const Function& callee, const spirv::Call&) -> Refusal {
    const std::string_view name = callee.name;
    const bool lsc = name.starts_with("llvm.genx.lsc.") || name.starts_with("llvm.vc.internal.lsc.");
    const bool two_dimensional = (lsc && name.find("2d") != std::string_view::npos) ||
                                 name.find("sub_group_2d_block_") != std::string_view::npos ||
                                 name.find("builtin_IB_subgroup_block_read_flat") != std::string_view::npos ||
                                 name.find("builtin_IB_subgroup_block_write_flat") != std::string_view::npos;
    if (!two_dimensional) return std::nullopt;
    return "uses a 2D block message (" + callee.name + "), which " + device.name +
           " does not have: load rows with block_load, or choose a device with 2D blocks (b580, lnl)";
  });
}

// SPV_INTEL_2d_block_io: load, load with transform, load with transpose, prefetch, store.
constexpr uint16_t kFirst2dBlock = 6231;
constexpr uint16_t kLast2dBlock = 6235;

Refusal block2d_instructions(const Module& module, const Device& device) {
  if (device.has_block2d) return std::nullopt;
  for (const auto& entry : module.entry_points)
    for (const Function* function : module.reachable(entry)) {
      const auto found = function->opcodes.lower_bound(kFirst2dBlock);
      if (found != function->opcodes.end() && *found <= kLast2dBlock)
        return in_kernel(entry) + " uses SPV_INTEL_2d_block_io (instruction " + std::to_string(*found) + " in " +
               function->name + "), but " + device.name + " has no 2D block messages";
    }
  return std::nullopt;
}

Refusal named_barriers(const Module& module, const Device& device) {
  if (device.named_barriers != 0) return std::nullopt;
  return for_called_imports(module, [&](const Function& callee, const spirv::Call&) -> Refusal {
    if (!callee.name.starts_with("llvm.genx.nbarrier")) return std::nullopt;
    return "uses named barriers, which " + device.name + " does not have: use barrier() or split_barrier()";
  });
}

struct Shape {
  MatrixUse use;
  uint64_t rows, columns, bits;
};

// Larger shapes that IGC splits itself, by dpas width (IGC, JointMatrixFuncsResolutionPass.cpp, isSupprtedLargeSlice).
constexpr std::array<Shape, 3> kLarge8 = {
    {{MatrixUse::A, 32, 16, 16}, {MatrixUse::B, 16, 32, 16}, {MatrixUse::Accumulator, 32, 32, 32}}};
constexpr std::array<Shape, 12> kLarge16 = {{{MatrixUse::A, 1, 32, 16},
                                             {MatrixUse::A, 16, 16, 16},
                                             {MatrixUse::A, 32, 16, 16},
                                             {MatrixUse::A, 32, 32, 16},
                                             {MatrixUse::B, 16, 64, 16},
                                             {MatrixUse::B, 32, 64, 16},
                                             {MatrixUse::Accumulator, 1, 64, 16},
                                             {MatrixUse::Accumulator, 1, 64, 32},
                                             {MatrixUse::Accumulator, 16, 16, 16},
                                             {MatrixUse::Accumulator, 16, 16, 32},
                                             {MatrixUse::Accumulator, 32, 64, 16},
                                             {MatrixUse::Accumulator, 32, 64, 32}}};

bool is_large_shape(const Shape& shape, std::span<const Shape> table) {
  return std::any_of(table.begin(), table.end(), [&](const Shape& row) {
    return row.use == shape.use && row.rows == shape.rows && row.columns == shape.columns && row.bits == shape.bits;
  });
}

/// One register block: A has K columns, B has K rows and the dpas width as columns, K = 256 bits of elements
/// (getSupportedParams in the same file).
bool is_supported_shape(const Shape& shape, const Device& device) {
  const uint64_t n = dpas_width(device);
  if (n == 8 ? is_large_shape(shape, kLarge8) : is_large_shape(shape, kLarge16)) return true;
  if (shape.bits == 0 || shape.bits > 32) return false;
  const uint64_t k = 256 / shape.bits;
  switch (shape.use) {
    case MatrixUse::A:
      return shape.rows >= 1 && shape.rows <= 8 && shape.columns == k;
    case MatrixUse::B:
      return shape.rows == k && shape.columns == n;
    case MatrixUse::Accumulator:
      return shape.rows >= 1 && shape.rows <= k && shape.columns == n;
  }
  return false;
}

std::string shapes_of(const Device& device) {
  std::vector<std::string> found;
  for (const auto& c : device.matrix_combinations) {
    std::string text = std::to_string(c.m) + "x" + std::to_string(c.n) + "x" + std::to_string(c.k) + " " + c.a_type;
    if (std::find(found.begin(), found.end(), text) == found.end()) found.push_back(std::move(text));
  }
  std::string list;
  for (const auto& text : found) list += (list.empty() ? "" : ", ") + text;
  return list;
}

std::string_view name_of(MatrixUse use) {
  static constexpr std::array<std::string_view, 3> kNames = {"A", "B", "accumulator"};
  return kNames.at(static_cast<size_t>(use));
}

/// IGC has a message for most of these, a crash (-11) or a division by zero for others.
Refusal matrix_shapes(const Module& module, const Device& device) {
  for (const auto& [id, type] : module.types) {
    if (type.kind != TypeKind::Matrix) continue;
    const auto rows = module.constants.find(type.rows);
    const auto columns = module.constants.find(type.columns);
    const auto use = module.constants.find(type.use);
    if (rows == module.constants.end() || columns == module.constants.end() || use == module.constants.end() ||
        use->second > 2)
      continue;
    const Shape shape{static_cast<MatrixUse>(use->second), rows->second, columns->second, module.bits_of(type.element)};
    const auto element = module.types.find(type.element);
    const bool is_float = element != module.types.end() && element->second.kind == TypeKind::Float;
    const std::string text = "joint_matrix " + std::string(name_of(shape.use)) + " of " + std::to_string(shape.rows) +
                             " x " + std::to_string(shape.columns) + " elements of " + std::to_string(shape.bits) +
                             " bits";
    if (!is_supported_shape(shape, device))
      return text + " is no shape of " + device.name + ", whose dpas is " + std::to_string(dpas_width(device)) +
             " wide. M x N x K (M may be smaller): " + shapes_of(device);
    if (is_float && shape.bits == 32 && shape.use != MatrixUse::Accumulator && !device.has_tf32)
      return text + ": " + device.name + " cannot multiply tf32. It has " + shapes_of(device);
  }
  return std::nullopt;
}

bool uses_matrices(const Module& module, const EntryPoint& entry) {
  // SPV_KHR_cooperative_matrix: load, store, multiply-add, length; SPV_INTEL_joint_matrix: 6120 to 6122.
  static constexpr std::array<uint16_t, 7> kOpcodes = {4457, 4458, 4459, 4460, 6120, 6121, 6122};
  for (const Function* function : module.reachable(entry))
    if (std::any_of(kOpcodes.begin(), kOpcodes.end(), [&](uint16_t op) { return function->opcodes.contains(op); }))
      return true;
  return false;
}

std::string list_of(const std::vector<unsigned>& numbers) {
  std::string text;
  for (size_t i = 0; i < numbers.size(); ++i)
    text += (i == 0 ? "" : i + 1 == numbers.size() ? " or " : ", ") + std::to_string(numbers[i]);
  return text;
}

/// A wrong size for matrices ends in a floating point exception inside IGC (toolchain.md, pitfall 4); IsSIMDSizeValid
/// in JointMatrixFuncsResolutionPass.cpp allows 8 where dpas is 8 wide, 16 and 32 where it is 16 wide.
Refusal sub_group_sizes(const Module& module, const Device& device) {
  if (module.vector_compute) return std::nullopt;
  for (const auto& entry : module.entry_points) {
    if (!entry.sub_group_size) continue;
    const unsigned size = *entry.sub_group_size;
    const bool matrices = uses_matrices(module, entry);
    std::vector<unsigned> legal = device.sub_group_sizes;
    if (matrices) legal = dpas_width(device) == 8 ? std::vector<unsigned>{8} : std::vector<unsigned>{16, 32};
    if (std::find(legal.begin(), legal.end(), size) != legal.end()) continue;
    return in_kernel(entry) + " requires sub-groups of " + std::to_string(size) +
           (matrices ? " for joint_matrix" : "") + "; " + device.name + " has " + list_of(legal) +
           (matrices ? " for it" : "") + ": change or leave out reqd_sub_group_size";
  }
  return std::nullopt;
}

/// The width of sub-group for which OpenCL C's matrix functions of this name and first operand are made; 0: another
/// function. A row of the first operand is spread over the lanes: 32-bit parts over 8 of them, 16-bit parts (tf32:
/// 32-bit) over 16 (cl_intel_subgroup_matrix_multiply_accumulate).
unsigned matrix_function_width(const Module& module, const Function& function) {
  const std::string_view name = function.name;
  if (name.find("intel_sub_group_") == std::string_view::npos || name.find("_matrix_mad_k") == std::string_view::npos)
    return 0;
  if (name.find("_tf32_") != std::string_view::npos) return 16;
  const auto type = module.types.find(function.type);
  if (type == module.types.end() || type->second.parameters.empty()) return 0;
  const auto first = module.types.find(type->second.parameters[0]);
  if (first == module.types.end()) return 0;
  const uint64_t bits = first->second.kind == TypeKind::Vector ? module.bits_of(first->second.element)
                                                               : module.bits_of(type->second.parameters[0]);
  return bits == 32 ? 8 : bits == 16 ? 16 : 0;
}

/// Functions of another width are emulated, rightly; those of the device's own become dpas in whatever SIMD width the
/// kernel has, and only some lanes get a result (seen with IGC 2.40: SIMD32 without the attribute on both devices).
Refusal matrix_function_sub_groups(const Module& module, const Device& device) {
  constexpr uint16_t kMultiplyAccumulate = 6237;  // SPV_INTEL_subgroup_matrix_multiply_accumulate
  const unsigned own = dpas_width(device);
  for (const auto& entry : module.entry_points) {
    if (entry.sub_group_size == own) continue;
    for (const Function* function : module.reachable(entry)) {
      std::string used =
          function->opcodes.contains(kMultiplyAccumulate) ? "OpSubgroupMatrixMultiplyAccumulateINTEL" : "";
      for (const auto& call : function->calls) {
        const auto callee = module.functions.find(call.callee);
        if (callee != module.functions.end() && callee->second.imported &&
            matrix_function_width(module, callee->second) == own)
          used = callee->second.name;
      }
      if (!used.empty())
        return in_kernel(entry) + " multiplies matrices (" + used + ") in sub-groups of " +
               (entry.sub_group_size ? std::to_string(*entry.sub_group_size) : "a size left to the compiler") +
               "; on " + device.name +
               " only some lanes would get a result: give the kernel __attribute__((intel_reqd_sub_group_size(" +
               std::to_string(own) + ")))";
    }
  }
  return std::nullopt;
}

using Check = Refusal (*)(const Module&, const Device&);
constexpr std::array<Check, 7> kChecks = {dpas_operands, block2d_functions, block2d_instructions,      named_barriers,
                                          matrix_shapes, sub_group_sizes,   matrix_function_sub_groups};

struct Hint {
  std::string_view in_log, text;
};
constexpr std::array<Hint, 4> kHints = {{
    {"Double type is not supported", " has no 64-bit floating point: use float, or a device with fp64 (b580, lnl)"},
    {"'double' data type is not supported",
     " has no 64-bit floating point: use float, or a device with fp64 (b580, lnl)"},
    {"requires cl_khr_fp64 support", " has no 64-bit floating point: use float, or a device with fp64 (b580, lnl)"},
    {"Floating point exception",
     ": the compiler divided by zero, as it does for a sub-group size that does not fit joint_matrix"},
}};

}  // namespace

std::optional<std::string> refusal(const Module& module, const Device& device) {
  for (const auto& check : kChecks)
    if (auto reason = check(module, device)) return reason;
  return std::nullopt;
}

std::string hint_for(const std::string& compiler_log, const Device& device) {
  for (const auto& hint : kHints)
    if (compiler_log.find(hint.in_log) != std::string::npos) return device.name + std::string(hint.text);
  return {};
}

}  // namespace xeforge::compile
