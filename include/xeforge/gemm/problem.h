// SPDX-License-Identifier: Apache-2.0
//
// What is to be computed: C = epilogue(alpha * op(A) * op(B) + beta * C), as plain data. docs/gemm.md has the rules.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace xeforge::gemm {

/// Types of elements.
enum class Type : std::uint8_t { Bf16, F16, F32, S8, U8, S32 };

/// "bf16"
std::string_view name_of(Type type);
/// Bytes of an element.
std::size_t size_of(Type type);
/// s8, u8 and s32.
bool is_integer(Type type);

/// How matrices are stored. A transposed operand is stored as its transpose in this order.
enum class Order : std::uint8_t { Rows, Columns };

/// What may be made of float operands before they are multiplied. Sums are always in float.
enum class Precision : std::uint8_t {
  Full,  ///< nothing
  Tf32   ///< float operands are rounded to 10 bits of fraction first (nearest even): faster where there is hardware
};

/// A leading dimension or a distance of matrices that follows from the sizes: no gaps.
inline constexpr std::int64_t kDense = -1;

/// The pairs of types: A and B both bf16, both f16, both f32 (C: f32, bf16, f16, and s8, u8 for quantised results), or
/// each s8 or u8 (C: s32, and all others). Sums are in float, for integers in s32 (modulo 2^32).
///
/// beta 0: C is never read, it may hold anything, NaN included. alpha 0 (and k 0): A and B are never read. Sizes may be
/// 0. C shares no memory with A, B or what the epilogue reads (but a residual may be C itself).
struct Problem {
  std::int64_t m = 0, n = 0, k = 0;
  float alpha = 1, beta = 0;
  Type a = Type::Bf16, b = Type::Bf16, c = Type::F32;
  Precision precision = Precision::Full;
  Order order = Order::Rows;  ///< of A, B and C
  bool transpose_a = false, transpose_b = false;
  /// Elements between the beginnings of two stored rows (columns).
  std::int64_t lda = kDense, ldb = kDense, ldc = kDense;
  std::int64_t batch = 1;
  /// Elements between the beginnings of two matrices of a batch. 0: one matrix serves all (A and B only).
  std::int64_t stride_a = kDense, stride_b = kDense, stride_c = kDense;

  friend bool operator==(const Problem&, const Problem&) = default;
};

/// The problem with every kDense replaced by its number.
Problem resolved(const Problem& problem);

/// One line: "MxNxK[:alpha:beta][:WORD...]" with words bf16, f16, f32, tf32, s8, u8, s8u8, u8s8; to=TYPE for C; nn, nt,
/// tn, tt; col; lda=N, ldb=N, ldc=N; bN for a batch, sa=N, sb=N, sc=N for its distances. What is left out has the
/// default above (C: s32 for integers).
std::string to_string(const Problem& problem);
/// Reads it. Throws Error BadProblemText that says what is wrong.
Problem parse_problem(std::string_view text);

/// No size and no leading dimension is larger.
inline constexpr std::int64_t kLargestSize = std::int64_t{1} << 31;

// What the kernels of operands that were packed on the host (packed.h) need.
inline constexpr std::int64_t kMultipleM = 128, kMultipleN = 64, kMultipleK = 32;
inline constexpr std::int64_t kLargestPackedSize = std::int64_t{1} << 24;
/// Their addresses must be multiples of it, in bytes. What sycl::malloc_device() returns always is.
inline constexpr std::size_t kAlignment = 16;

}  // namespace xeforge::gemm
