// SPDX-License-Identifier: Apache-2.0
//
// Host-side packing of operands into the layouts that kernels read, and back. Elements are raw bf16 bits.
// All functions run in parallel and throw std::invalid_argument for sizes that do not divide or spans of the
// wrong length. Matrices are row major without gaps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

// Its Type::Bf16 has to be known before the name below.
#include "xeforge/gemm/problem.h"

namespace xeforge::gemm {

using Bf16 = std::uint16_t;  ///< the bits of a bfloat16

/// Round to nearest, ties to even; NaN stays NaN.
Bf16 to_bf16(float value);
float from_bf16(Bf16 value);

/// VNNI B: words [K/2][N]; the low half of word (r, n) is B[2r][n], the high half B[2r+1][n]. K even.
void pack_b_vnni(std::span<const Bf16> b, std::size_t k, std::size_t n, std::span<std::uint32_t> packed);
void unpack_b_vnni(std::span<const std::uint32_t> packed, std::size_t k, std::size_t n, std::span<Bf16> b);

/// Operand-order A: [M/128][K/32][8 thread rows][4 operands][8][16]. Element (rr, cc) of operand o of thread row t in
/// block (bm, bk) is A[128 bm + 16 t + rr + 8 (o / 2)][32 bk + cc + 16 (o % 2)]. M % 128 == 0, K % 32 == 0.
void pack_a_operands(std::span<const Bf16> a, std::size_t m, std::size_t k, std::span<Bf16> packed);
void unpack_a_operands(std::span<const Bf16> packed, std::size_t m, std::size_t k, std::span<Bf16> a);

/// Operand-order B: words [N/64][K/32][4 segments][4 thread columns][8][8], segments in the order b0, b2, b1, b3
/// (segment = 2 * k half + column half). Word (r, c) of segment s of thread column t in block (bn, bk) is VNNI word
/// (16 bk + r + 8 (s / 2), 64 bn + 16 t + c + 8 (s % 2)). K % 32 == 0, N % 64 == 0.
void pack_b_operands(std::span<const Bf16> b, std::size_t k, std::size_t n, std::span<std::uint32_t> packed);
void unpack_b_operands(std::span<const std::uint32_t> packed, std::size_t k, std::size_t n, std::span<Bf16> b);

/// Micro-tiled A: [M/8][K/16][8][16]. M % 8 == 0, K % 16 == 0.
void pack_a_micro_tiles(std::span<const Bf16> a, std::size_t m, std::size_t k, std::span<Bf16> packed);
void unpack_a_micro_tiles(std::span<const Bf16> packed, std::size_t m, std::size_t k, std::span<Bf16> a);

}  // namespace xeforge::gemm
