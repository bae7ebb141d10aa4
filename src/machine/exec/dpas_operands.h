// SPDX-License-Identifier: Apache-2.0
//
// Accumulator rows of a dpas in their register types: f, hf or bf, N elements a row, dense.
#pragma once

#include "machine/exec/operands.h"

namespace xeforge::machine::XEFORGE_EXEC_NS {

template <int N>
inline void load_rows(const Thread& t, uint32_t offset, isa::DataType type, int rows, float (*acc)[N]) {
  if (type == isa::DataType::F) {
    std::memcpy(acc, t.at(offset), static_cast<unsigned>(rows) * N * 4);
    return;
  }
  uint16_t h[N];
  for (int r = 0; r < rows; ++r) {
    std::memcpy(h, t.at(offset + static_cast<uint32_t>(r * N * 2)), sizeof h);
    for (int n = 0; n < N; ++n) acc[r][n] = type == isa::DataType::BF ? bf16_to_float(h[n]) : half_to_float(h[n]);
  }
}

template <int N>
inline void store_rows(Thread& t, uint32_t offset, isa::DataType type, int rows, const float (*acc)[N]) {
  if (type == isa::DataType::F) {
    std::memcpy(t.at(offset), acc, static_cast<unsigned>(rows) * N * 4);
    return;
  }
  uint16_t h[N];
  for (int r = 0; r < rows; ++r) {
    for (int n = 0; n < N; ++n) h[n] = type == isa::DataType::BF ? float_to_bf16(acc[r][n]) : float_to_half(acc[r][n]);
    std::memcpy(t.at(offset + static_cast<uint32_t>(r * N * 2)), h, sizeof h);
  }
}

}  // namespace xeforge::machine::XEFORGE_EXEC_NS
