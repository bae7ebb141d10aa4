// SPDX-License-Identifier: Apache-2.0
//
// What the host hands to the kernels for any problem, by value. Includes nothing of SYCL: the host side includes it
// too. Addresses are plain numbers, because a structure of pointers is no legal kernel argument everywhere; kernels
// make global pointers of them, whose accesses know no limit of 4 GiB.
#pragma once

#include <cstdint>

namespace xeforge::kernels {

/// Numbers of element types; the host's xeforge::gemm::Type has the same.
enum class Code : uint32_t { Bf16, F16, F32, S8, U8, S32 };

/// One step of the epilogue; kinds and `along` as in xeforge::gemm::Epilogue. 64 bytes, so that a step is one block of
/// local memory.
struct Step {
  uint64_t data;  ///< 0: value counts
  int64_t ld, stride;
  uint32_t kind, along, type;
  float value, high;
  uint32_t unused[5];
};
static_assert(sizeof(Step) == 64);

inline constexpr uint32_t kLargestSteps = 8;

/// A row times a column: element (i, p) of A is at a + i * row_a + p * column_a elements, C is stored by rows.
struct GemmArguments {
  uint64_t a, b, c;            ///< with kPointers...: of addresses, one per matrix of the batch
  uint64_t alpha_at, beta_at;  ///< factors in device memory; 0: alpha, beta
  int64_t m, n, k;
  int64_t row_a, column_a, row_b, column_b, ldc;
  int64_t stride_a, stride_b, stride_c;  ///< between the matrices of a batch
  float alpha, beta;
  uint32_t type_a, type_b, type_c, flags, steps, unused;
  Step step[kLargestSteps];
};
inline constexpr uint32_t kPointersA = 1, kPointersB = 2, kPointersC = 4, kTf32 = 8;

/// Packed operands: units of 2^unit_shift rows of A (columns of B), in a unit steps of 32 bytes of k, in a step 8 words
/// of k for each row: [row][word] for A, [word][row] for B. Zeros behind the matrix; an even number of steps.
struct PackOperand {
  uint64_t from, to;
  int64_t rows;
  int64_t row_bytes, depth_bytes;   ///< from a row to the next, from a step of k to the next
  int64_t from_bytes, to_bytes;     ///< between matrices
  int64_t unit_bytes, chunk_bytes;  ///< of the packed form: a unit, and 64 bytes of k in it
  uint32_t matrices;                ///< 0: there is no such operand
  uint32_t unit_shift, words_outer;
  uint32_t fours;   ///< 1: an item has four rows, which lie together at multiples of 8 bytes
  uint32_t groups;  ///< of items, for all its rows
  uint32_t unused;
};
struct PackArguments {
  uint64_t alpha_at;
  PackOperand first, second;
  int64_t depth;        ///< k
  uint32_t all_chunks;  ///< stretches of 64 bytes of k
  uint32_t chunks;      ///< of an item
  uint32_t element;     ///< bytes
  uint32_t flags;
};

}  // namespace xeforge::kernels
