// SPDX-License-Identifier: Apache-2.0
//
// The kernels of the library as rows of one table: what each is, what it reads, how it is launched.
// A new rung is one file in src/kernels/ladder/ and one row in catalog.cpp (docs/add-a-rung.md).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace xeforge::gemm {

/// C (M x N) = A (M x K) * B (K x N), all row major.
struct Shape {
  std::uint32_t m = 0, n = 0, k = 0;
  friend bool operator==(const Shape&, const Shape&) = default;
};

/// "1024x1536x512"; throws std::invalid_argument that says what a shape looks like. Sizes are 1 to 65536.
Shape parse_shape(std::string_view text);
std::string to_string(const Shape& shape);

enum class Family : std::uint8_t { Smoke, Sycl, JointMatrix, Esimd, Xe2 };
std::string_view name_of(Family family);

enum class LayoutA : std::uint8_t { RowMajor, MicroTiles, Operands };
enum class LayoutB : std::uint8_t { RowMajor, Vnni };
std::string_view name_of(LayoutA layout);
std::string_view name_of(LayoutB layout);

/// What follows (a, b, c) in the kernel's argument list.
enum class Signature : std::uint8_t {
  None,           ///< nothing: the shape is fixed
  Sizes64,        ///< size_t m, n, k
  Sizes64AndSlm,  ///< size_t m, n, k, local_accessor of A, local_accessor of B
  Sizes32         ///< uint32_t m, n, k
};

enum class Target : std::uint8_t { Any, XeHpg, Xe2 };
std::string_view name_of(Target target);

/// Which matrix dimension range dimension 0 counts; dimension 1 varies fastest.
enum class Walk : std::uint8_t { RowsOuter, ColumnsOuter };

struct Rung {
  std::string_view id;
  Family family = Family::Sycl;
  std::string_view base;     ///< the rung it modifies, empty for a first one
  std::string_view changes;  ///< what is different from the base
  std::string_view choice;   ///< where the published description is silent: what was chosen, empty if nothing was
  std::string_view header;   ///< as #include names it
  std::string_view kernel;   ///< function name

  LayoutA a = LayoutA::RowMajor;
  LayoutB b = LayoutB::RowMajor;
  Signature signature = Signature::Sizes64;
  Target target = Target::XeHpg;

  Shape block;                           ///< of C per group and of K per loop trip: sizes must be multiples of it ...
  bool guarded = false;                  ///< ... unless the kernel checks bounds
  std::uint32_t k_min = 0;               ///< smallest K beyond one block
  std::array<std::uint32_t, 2> local{};  ///< {0, 0}: a plain range, the driver chooses the group
  Walk walk = Walk::RowsOuter;
  std::uint32_t slm_a = 0, slm_b = 0;  ///< elements of the local accessors (bf16 of A; elements of B's type)
  std::uint32_t slm_bytes = 0;         ///< per group, however it is allocated
  bool esimd = false;                  ///< explicit SIMD: a work-item is a hardware thread
  bool block2d = false;                ///< uses 2D block messages
  bool dpasw = false;                  ///< uses dpasw
  unsigned grf = 128;                  ///< registers per thread that the binary must have
  std::optional<Shape> fixed_shape;    ///< smoke kernels compute this shape only
  bool accumulates = false;            ///< C += A * B instead of C = A * B
};

/// All rows: in the order of the ladder, every joint_matrix rung followed by its corrected form `ID.sg8`.
std::span<const Rung> catalog();

/// nullptr if there is none.
const Rung* find_rung(std::string_view id);

/// Rungs whose ids match a comma-separated list of ids and globs (* and ?), in catalogue order. Throws
/// std::invalid_argument for a pattern that matches nothing, with the nearest ids.
std::vector<const Rung*> select_rungs(std::string_view list);

/// Why `rung` cannot compute `shape`; empty if it can.
std::string reason_against(const Rung& rung, const Shape& shape);

}  // namespace xeforge::gemm
