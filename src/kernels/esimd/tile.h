// SPDX-License-Identifier: Apache-2.0
//
// Common ground of the ESIMD rungs on Xe-HPG: where a thread stands, its operands and sums, and the store of C.
//
// A group computes 128x64 of C. A thread owns 16 rows and `Columns` times 8 columns; in each K tile of 32 (16)
// steps it multiplies operands of 8x16 (A) and 16x8 (B, VNNI): a[2*row half + k half], b[2*column half + k half].
#pragma once

#include <sycl/ext/intel/esimd.hpp>

#include "kernels/kernel.h"

namespace xeforge::kernels {

namespace esimd = sycl::ext::intel::esimd;
namespace xmx = sycl::ext::intel::esimd::xmx;

inline constexpr int kBlockM = 128, kBlockN = 64;
/// All block accesses promise 16 bytes, as published.
inline constexpr esimd::properties kAligned{esimd::alignment<16>};

/// Sizes of the problem, at run time: whether the published ESIMD kernels had them as constants is not said.
struct Shape {
  uint32_t m, n, k;
};

/// What every ESIMD rung gets. A is row major or packed (see the rung), B is VNNI words [K/2][N].
struct EsimdArguments {
  const bf16* a;
  const uint32_t* b;
  float* c;
  Shape shape;
};

/// Where a thread stands. Launched as {N/64, M/128 * threads} in groups of {1, threads}: the M tile index varies
/// fastest, as in jm_walk_n and the general kernel.
template <int Columns>
struct Place {
  static constexpr int kThreadColumns = kBlockN / (8 * Columns);
  static constexpr int kThreads = 8 * kThreadColumns;

  uint32_t group_row, group_column;  ///< block of C
  uint32_t lid, row, column;         ///< thread in the group, its place in the 8 x kThreadColumns grid of threads

  Place() {
    const auto item = sycl::ext::oneapi::this_work_item::get_nd_item<2>();
    group_row = item.get_group(1);
    group_column = item.get_group(0);
    lid = item.get_local_id(1);
    row = lid / kThreadColumns;
    column = lid % kThreadColumns;
  }

  /// In a range of one dimension: M / 128 * N / 64 groups of `threads`, `block_rows` = M / 128 of them to a column of
  /// blocks.
  explicit Place(uint32_t block_rows) {
    const auto item = sycl::ext::oneapi::this_work_item::get_nd_item<1>();
    const uint32_t id = item.get_group(0);
    group_row = id % block_rows;
    group_column = id / block_rows;
    lid = item.get_local_id(0);
    row = lid / kThreadColumns;
    column = lid % kThreadColumns;
  }
};

/// Operands of a K tile of 16 * Steps steps.
template <int Columns, int Steps = 2>
struct EsimdOperands {
  esimd::simd<bf16, 128> a[2 * Steps];
  esimd::simd<bf16, 128> b[Columns * Steps];
};

template <int Columns>
struct Sums {
  esimd::simd<float, 64> c[2 * Columns];

  Sums() {
#pragma unroll
    for (int i = 0; i < 2 * Columns; ++i) c[i] = 0.0f;
  }

  template <int Steps>
  void multiply(const EsimdOperands<Columns, Steps>& operands) {
#pragma unroll
    for (int row = 0; row < 2; ++row) {
#pragma unroll
      for (int column = 0; column < Columns; ++column) {
#pragma unroll
        for (int step = 0; step < Steps; ++step) {
          auto& sum = c[Columns * row + column];
          sum = xmx::dpas<8, 8, float>(sum, operands.b[Steps * column + step], operands.a[Steps * row + step]);
        }
      }
    }
  }

  /// Each 8x8 tile by itself: eight floats per message.
  void store_tiles(const EsimdArguments& g, const Place<Columns>& at) {
    float* const to = first(g, at);
#pragma unroll
    for (int row = 0; row < 2; ++row) {
#pragma unroll
      for (int column = 0; column < Columns; ++column) {
#pragma unroll
        for (int i = 0; i < 8; ++i) {
          const esimd::simd<float, 8> line = c[Columns * row + column].template select<8, 1>(8 * i);
          esimd::block_store(to + (8 * row + i) * g.shape.n + 8 * column, line, kAligned);
        }
      }
    }
  }

  /// Whole rows: 8 * Columns consecutive floats per message.
  void store_rows(const EsimdArguments& g, const Place<Columns>& at) {
    float* const to = first(g, at);
#pragma unroll
    for (int i = 0; i < 16; ++i) esimd::block_store(to + i * g.shape.n, row(i), kAligned);
  }

  /// Row `i` of the thread's 16.
  esimd::simd<float, 8 * Columns> row(int i) {
    esimd::simd<float, 8 * Columns> line;
#pragma unroll
    for (int column = 0; column < Columns; ++column) {
      line.template select<8, 1>(8 * column) = c[Columns * (i / 8) + column].template select<8, 1>(8 * (i % 8));
    }
    return line;
  }

 private:
  static float* first(const EsimdArguments& g, const Place<Columns>& at) {
    return g.c + (at.group_row * kBlockM + at.row * 16) * g.shape.n + at.group_column * kBlockN +
           at.column * (8 * Columns);
  }
};

}  // namespace xeforge::kernels

/// Kernel ID from `void ID_body(const EsimdArguments&)`.
#define XEFORGE_ESIMD_KERNEL(ID, ...)                                                                    \
  XEFORGE_KERNEL(2, __VA_ARGS__)                                                                         \
  SYCL_ESIMD_KERNEL ID(const bf16* a, const uint32_t* b, float* c, uint32_t m, uint32_t n, uint32_t k) { \
    ID##_body({a, b, c, {m, n, k}});                                                                     \
  }
