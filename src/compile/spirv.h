// SPDX-License-Identifier: Apache-2.0
//
// As much of a SPIR-V module as the checks need: who calls what, with which types. Malformed input throws SpirvError,
// never crashes (fuzzed: tests/compile/spirv_fuzz.cpp). Numbers of instructions and decorations: the SPIR-V
// specification 1.6 and the extensions named beside them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace xeforge::compile::spirv {

struct SpirvError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using Id = uint32_t;

enum class TypeKind : uint8_t { Other, Int, Float, Vector, Pointer, Function, Matrix };

/// Use of a matrix: SPV_KHR_cooperative_matrix and SPV_INTEL_joint_matrix number them alike.
enum class MatrixUse : uint8_t { A = 0, B = 1, Accumulator = 2 };

struct Type {
  TypeKind kind = TypeKind::Other;
  uint32_t bits = 0;           ///< Int, Float
  uint32_t count = 0;          ///< Vector: components
  uint32_t storage = 0;        ///< Pointer: storage class
  Id element = 0;              ///< Vector, Matrix: component type; Pointer: what it points to; Function: result type
  std::vector<Id> parameters;  ///< Function
  Id rows = 0, columns = 0, use = 0;  ///< Matrix: constants
};

struct Call {
  Id callee = 0;
  std::vector<Id> arguments;
};

struct Function {
  Id id = 0;
  Id type = 0;
  std::string name;       ///< linkage name, else debug name, else "%17"
  bool imported = false;  ///< declared here, to be defined elsewhere or known to the compiler
  bool exported = false;
  std::vector<Call> calls;
  std::set<uint16_t> opcodes;  ///< what its body contains
};

struct EntryPoint {
  Id function = 0;
  std::string name;
  std::optional<uint32_t> sub_group_size;  ///< execution mode SubgroupSize
};

struct Module {
  uint32_t version = 0;
  Id bound = 0;  ///< all ids are smaller
  std::set<uint32_t> capabilities;
  std::set<std::string> extensions;
  std::vector<EntryPoint> entry_points;
  std::map<Id, Type> types;
  std::map<Id, uint64_t> constants;  ///< integer constants; specialisation constants with their default
  std::map<Id, Function> functions;
  bool vector_compute = false;  ///< made for the vector compiler (ESIMD)

  /// Functions that `entry` can reach by calls, itself included, in a fixed order.
  std::vector<const Function*> reachable(const EntryPoint& entry) const;
  /// Bits of a value of scalar or vector type; 0 for any other type.
  uint64_t bits_of(Id type) const;
};

Module read_module(std::span<const std::byte> bytes);
bool looks_like_spirv(std::span<const std::byte> bytes);

}  // namespace xeforge::compile::spirv
