// SPDX-License-Identifier: Apache-2.0
//
// The inner loops of packing.cpp, compiled once for any x86-64 and once with 32-byte vectors (AVX2): the pieces
// that the packed layouts are made of are 32 bytes long, and in halves of 16 they cost twice as many loads and stores:
// half as fast (bench/packing_bench).
//
// Each loop handles what one step of a parallel loop covers. `matrix` begins at its first row, whose rows are `pitch`
// elements apart; everything else about the layouts stands in packing.h.
#pragma once

#include <cstddef>
#include <cstdint>

namespace xeforge::gemm {

/// Elements from one block of operand-order A to the next, and words of B.
constexpr std::size_t kAOperandBlock = 4096, kBOperandBlock = 1024;

struct PackingLoops {
  using Half = std::uint16_t;

  /// Two rows of `count` elements into words, and back.
  void (*pack_vnni)(const Half* low, const Half* high, std::uint32_t* words, std::size_t count);
  void (*unpack_vnni)(const std::uint32_t* words, Half* low, Half* high, std::size_t count);

  /// 16 rows, `k_blocks` blocks of 32 elements; `packed` is the place of these rows in the first block.
  void (*pack_a_operands)(const Half* matrix, std::size_t pitch, std::size_t k_blocks, Half* packed);
  void (*unpack_a_operands)(const Half* packed, std::size_t k_blocks, Half* matrix, std::size_t pitch);

  /// 32 rows, `n_blocks` blocks of 64 elements; in `packed` they are `block_stride` words apart.
  void (*pack_b_operands)(const Half* matrix, std::size_t pitch, std::size_t n_blocks, std::uint32_t* packed,
                          std::size_t block_stride);
  void (*unpack_b_operands)(const std::uint32_t* packed, std::size_t block_stride, std::size_t n_blocks, Half* matrix,
                            std::size_t pitch);

  /// 8 rows, `k_tiles` tiles of 16 elements.
  void (*pack_micro_tiles)(const Half* matrix, std::size_t pitch, std::size_t k_tiles, Half* packed);
  void (*unpack_micro_tiles)(const Half* packed, std::size_t k_tiles, Half* matrix, std::size_t pitch);
};

/// The fastest that this processor has.
const PackingLoops& packing_loops();

// Which exist depends on the compiler's target (CMakeLists.txt).
namespace packing_baseline {
const PackingLoops& loops();
}
namespace packing_avx2 {
const PackingLoops& loops();
}

}  // namespace xeforge::gemm
