// SPDX-License-Identifier: Apache-2.0
//
// Wide reads of row-major tiles (16x16 per thread, K tiles of 32): a message brings four rows of A (256 bytes) or a row
// of words of B (64 bytes), and register selects take it apart into operands.
#pragma once

#include "kernels/esimd/row_major_slm.h"

namespace xeforge::kernels {

using WideSlm = RowMajorSlm<2, 32>;

inline void load_wide_a(EsimdOperands<2>& operands, const Place<2>& at, uint32_t buffer) {
  const uint32_t from = buffer + at.row * 16 * WideSlm::kRowA;
#pragma unroll
  for (int quarter = 0; quarter < 4; ++quarter) {
    esimd::simd<bf16, 128> rows = esimd::slm_block_load<bf16, 128>(from + quarter * 4 * WideSlm::kRowA, kAligned);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int row = 4 * (quarter % 2) + i;
      operands.a[quarter / 2 * 2].template select<16, 1>(16 * row) = rows.template select<16, 1>(32 * i);
      operands.a[quarter / 2 * 2 + 1].template select<16, 1>(16 * row) = rows.template select<16, 1>(32 * i + 16);
    }
  }
}

inline void load_wide_b(EsimdOperands<2>& operands, const Place<2>& at, uint32_t buffer) {
  const uint32_t from = buffer + WideSlm::kOffsetB + at.column * 64;
#pragma unroll
  for (int row = 0; row < 16; ++row) {
    esimd::simd<bf16, 32> pairs = esimd::slm_block_load<bf16, 32>(from + row * WideSlm::kRowB, kAligned);
    operands.b[row / 8].template select<16, 1>(row % 8 * 16) = pairs.template select<16, 1>(0);
    operands.b[2 + row / 8].template select<16, 1>(row % 8 * 16) = pairs.template select<16, 1>(16);
  }
}

}  // namespace xeforge::kernels
