// SPDX-License-Identifier: Apache-2.0
//
// The general kernel, C = alpha * A * B + beta * C: the schedule of rung `esimd_a_slm_staging` for any M % 128 == 0,
// N % 64 == 0, K % 32 == 0, with a range of one dimension in which the M tile index varies fastest. A is packed in
// operand order, B as VNNI words (gemm/packing.h); alpha and beta are run-time numbers, but whether alpha is 1 and beta
// is 0 is known when the kernel is chosen:
//   beta 0: old C is not read, whatever it holds. alpha 1: sums are not scaled.
//
// PrefetchDistance > 0 makes it the prefetch kernel: at the top of trip b the 32 threads ask for the tiles of K block
// b + PrefetchDistance, 256 bytes of A and 128 bytes of B each, to be brought into L1 and L2. The request for block 0
// comes once before the loop (before the tiles are copied: not published).
//
// No pointer passes the end of A or B: it advances before a tile is copied, not after.
#pragma once

#include "kernels/esimd/operand_slm.h"
#include "kernels/esimd/two_buffers.h"

namespace xeforge::kernels {

struct GeneralArguments {
  EsimdArguments gemm;
  float alpha, beta;
};

struct GeneralTiles {
  using SlmA = OperandSlmA<2>;
  using SlmB = OperandSlmB<2>;
  static constexpr int kOffsetB = 2 * SlmA::kBuffer;

  const Place<2>& at;
  const bf16* a;      ///< this thread's share of the K tile that was copied last ...
  const uint32_t* b;  ///< ... and of B's
  size_t step_b;

  GeneralTiles(const EsimdArguments& g, const Place<2>& place)
      : at(place), a(SlmA::source(g, place)), b(SlmB::source(g, place)), step_b(16 * static_cast<size_t>(g.shape.n)) {}

  void fill(uint32_t buffer, uint32_t tile) {
    if (tile != 0) {
      a += kPackedTileA;
      b += step_b;
    }
    SlmA::fill(at, buffer * SlmA::kBuffer, a);
    SlmB::fill(at, kOffsetB + buffer * SlmB::kBuffer, b);
  }

  void load(EsimdOperands<2>& operands, uint32_t buffer) const {
    SlmA::load(operands, at, buffer * SlmA::kBuffer);
    SlmB::load(operands, at, kOffsetB + buffer * SlmB::kBuffer);
  }

  /// Asks for the K tile `distance` behind the one that was copied last.
  void prefetch(uint32_t distance) const {
    constexpr esimd::properties hints{esimd::cache_hint_L1<esimd::cache_hint::cached>,
                                      esimd::cache_hint_L2<esimd::cache_hint::cached>};
    static_assert(SlmA::kElements * 2 == 256 && SlmB::kWords * 4 == 128);
    esimd::prefetch<uint32_t, 64>(reinterpret_cast<const uint32_t*>(a + distance * size_t{kPackedTileA}), hints);
    esimd::prefetch<uint32_t, 32>(b + distance * step_b, hints);
  }
};

/// 16 rows of 16 floats per thread.
template <bool AlphaOne, bool BetaZero>
inline void store_general(const GeneralArguments& g, const Place<2>& at, Sums<2>& sums) {
  const size_t pitch = g.gemm.shape.n;
  float* const to =
      g.gemm.c + (at.group_row * size_t{kBlockM} + at.row * 16) * pitch + at.group_column * kBlockN + at.column * 16;
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    esimd::simd<float, 16> line = sums.row(i);
    if constexpr (!AlphaOne) line *= g.alpha;
    if constexpr (!BetaZero) line += g.beta * esimd::block_load<float, 16>(to + i * pitch, kAligned);
    esimd::block_store(to + i * pitch, line, kAligned);
  }
}

template <int PrefetchDistance, bool AlphaOne, bool BetaZero>
inline void general_body(const GeneralArguments& g) {
  esimd::slm_init<2 * (GeneralTiles::SlmA::kBuffer + GeneralTiles::SlmB::kBuffer)>();
  const Place<2> at(g.gemm.shape.m / kBlockM);
  Sums<2> sums;
  GeneralTiles work(g.gemm, at);
  const uint32_t tiles = g.gemm.shape.k / kTileK;
  if constexpr (PrefetchDistance > 0) work.prefetch(0);
  two_buffers(
      tiles,
      [&](uint32_t tile) {
        if constexpr (PrefetchDistance > 0) {
          if (PrefetchDistance < tiles - tile) work.prefetch(PrefetchDistance);
        }
      },
      [&](uint32_t buffer, uint32_t tile) { work.fill(buffer, tile); },
      [&](uint32_t buffer) {
        EsimdOperands<2> operands;
        work.load(operands, buffer);
        sums.multiply(operands);
      });
  store_general<AlphaOne, BetaZero>(g, at, sums);
}

}  // namespace xeforge::kernels

/// The four forms of the kernel under the names ID_a_b (any alpha, any beta), ID_1_b, ID_a_0 and ID_1_0.
#define XEFORGE_GENERAL_KERNELS(ID, PREFETCH_DISTANCE)              \
  XEFORGE_GENERAL_KERNEL(ID##_a_b, PREFETCH_DISTANCE, false, false) \
  XEFORGE_GENERAL_KERNEL(ID##_1_b, PREFETCH_DISTANCE, true, false)  \
  XEFORGE_GENERAL_KERNEL(ID##_a_0, PREFETCH_DISTANCE, false, true)  \
  XEFORGE_GENERAL_KERNEL(ID##_1_0, PREFETCH_DISTANCE, true, true)
#define XEFORGE_GENERAL_KERNEL(NAME, PREFETCH_DISTANCE, ALPHA_ONE, BETA_ZERO)                                         \
  XEFORGE_KERNEL(1)                                                                                                   \
  SYCL_ESIMD_KERNEL NAME(const bf16* a, const uint32_t* b, float* c, uint32_t m, uint32_t n, uint32_t k, float alpha, \
                         float beta) {                                                                                \
    general_body<PREFETCH_DISTANCE, ALPHA_ONE, BETA_ZERO>({{a, b, c, {m, n, k}}, alpha, beta});                       \
  }
