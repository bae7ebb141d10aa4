// SPDX-License-Identifier: Apache-2.0
//
// The part of C that one sub-group owns, as joint_matrix fragments of 8 x N x 16 (N = 8 on Xe-HPG, 16 on Xe2).
#pragma once

#include "kernels/kernel.h"

namespace xeforge::kernels {

namespace matrix = sycl::ext::oneapi::experimental::matrix;

inline constexpr int kFragmentRows = 8, kFragmentDepth = 16;

template <class T>
inline auto global_pointer(T* p) {
  return sycl::address_space_cast<sycl::access::address_space::global_space, sycl::access::decorated::no>(p);
}

/// The multi_ptr to element `at` of a local_accessor.
template <class Tile>
inline auto local_pointer(const Tile& tile, int at) {
  return tile.template get_multi_ptr<sycl::access::decorated::no>() + at;
}

/// VNNI words in shared local memory seen as the bf16 pairs they hold.
inline auto local_pairs(const sycl::local_accessor<uint32_t, 1>& words, int at) {
  using Decorated = sycl::multi_ptr<bf16, sycl::access::address_space::local_space, sycl::access::decorated::yes>;
  const auto word = words.get_multi_ptr<sycl::access::decorated::yes>() + at;
  return Decorated(reinterpret_cast<typename Decorated::pointer>(word.get()));
}

/// How B lies in memory: [k][n], or pairs of rows interleaved in words [k/2][n].
inline constexpr matrix::layout kRowMajor = matrix::layout::row_major;
inline constexpr matrix::layout kVnni = matrix::layout::ext_intel_packed;

/// Operands of one K tile: `Rows` x `Steps` fragments of A and `Columns` x `Steps` of B, indexed
/// [Steps * row + step] and [Steps * column + step].
template <int Rows, int Columns, int Steps, matrix::layout LayoutB, int N = 8>
struct Operands {
  matrix::joint_matrix<sycl::sub_group, bf16, matrix::use::a, kFragmentRows, kFragmentDepth, matrix::layout::row_major>
      a[Rows * Steps];
  matrix::joint_matrix<sycl::sub_group, bf16, matrix::use::b, kFragmentDepth, N, LayoutB> b[Columns * Steps];

  /// `from` points to the first element of the sub-group's rows of A in this K tile.
  template <class Pointer>
  void load_a(sycl::sub_group group, Pointer from, size_t stride) {
#pragma unroll
    for (int row = 0; row < Rows; ++row) {
#pragma unroll
      for (int step = 0; step < Steps; ++step) {
        matrix::joint_matrix_load(group, a[Steps * row + step],
                                  from + (row * kFragmentRows * stride + step * kFragmentDepth), stride);
      }
    }
  }

  /// `from` points to the first element (row major) or pair (VNNI) of the sub-group's columns of B;
  /// `stride` is counted in bf16 elements in both layouts.
  template <class Pointer>
  void load_b(sycl::sub_group group, Pointer from, size_t stride) {
    constexpr int rows = LayoutB == kVnni ? kFragmentDepth / 2 : kFragmentDepth;
    constexpr int width = LayoutB == kVnni ? 2 * N : N;
#pragma unroll
    for (int column = 0; column < Columns; ++column) {
#pragma unroll
      for (int step = 0; step < Steps; ++step) {
        matrix::joint_matrix_load(group, b[Steps * column + step], from + (step * rows * stride + column * width),
                                  stride);
      }
    }
  }
};

/// The accumulators of a sub-group.
template <int Rows, int Columns, int N = 8>
struct Accumulators {
  matrix::joint_matrix<sycl::sub_group, float, matrix::use::accumulator, kFragmentRows, N> c[Rows * Columns];

  void clear(sycl::sub_group group) {
#pragma unroll
    for (int i = 0; i < Rows * Columns; ++i) matrix::joint_matrix_fill(group, c[i], 0.0f);
  }

  template <int Steps, matrix::layout LayoutB>
  void multiply(sycl::sub_group group, Operands<Rows, Columns, Steps, LayoutB, N>& operands) {
#pragma unroll
    for (int row = 0; row < Rows; ++row) {
#pragma unroll
      for (int column = 0; column < Columns; ++column) {
#pragma unroll
        for (int step = 0; step < Steps; ++step) {
          auto& sum = c[Columns * row + column];
          matrix::joint_matrix_mad(group, sum, operands.a[Steps * row + step], operands.b[Steps * column + step], sum);
        }
      }
    }
  }

  /// `to` points to the sub-group's first element of C.
  void store(sycl::sub_group group, float* to, size_t pitch) {
#pragma unroll
    for (int row = 0; row < Rows; ++row) {
#pragma unroll
      for (int column = 0; column < Columns; ++column) {
        matrix::joint_matrix_store(group, c[Columns * row + column],
                                   global_pointer(to + row * kFragmentRows * pitch + column * N), pitch,
                                   matrix::layout::row_major);
      }
    }
  }
};

}  // namespace xeforge::kernels
