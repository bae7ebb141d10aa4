// SPDX-License-Identifier: Apache-2.0
//
// Copies of a tile from global memory into shared local memory, shared out over the items of a group:
// of `Items` items, item `tid` takes pieces tid, tid + Items, ... The number of pieces an item takes is a
// constant, so that the compiler unrolls the loop.
// `Tile` is anything with operator[] (a local_accessor); `at` is the first element of the buffer in it.
#pragma once

#include "kernels/kernel.h"

namespace xeforge::kernels {

/// A row-major matrix in global memory; `pitch` elements from row to row.
template <class T>
struct Matrix {
  const T* data;
  int rows, columns;
  size_t pitch;

  bool has(int row, int column) const { return row < rows && column < columns; }
  const T* at(int row, int column) const { return data + row * pitch + column; }
};

/// What becomes of elements of the tile that lie outside the matrix.
enum class Outside { Zero, Keep };

/// Element by element.
template <int Rows, int Columns, int Items, Outside Rest = Outside::Zero, int Pitch = Columns, class Tile, class T>
inline void copy_elements(const Tile& tile, int at, const Matrix<T>& from, int row0, int column0, int tid) {
  static_assert(Rows * Columns % Items == 0);
#pragma unroll
  for (int step = 0; step < Rows * Columns / Items; ++step) {
    const int i = tid + step * Items;
    const int row = i / Columns, column = i % Columns;
    const bool inside = from.has(row0 + row, column0 + column);
    if constexpr (Rest == Outside::Zero) {
      tile[at + row * Pitch + column] = inside ? *from.at(row0 + row, column0 + column) : T{};
    } else {
      if (inside) tile[at + row * Pitch + column] = *from.at(row0 + row, column0 + column);
    }
  }
}

/// Four elements at a time (8 bytes of bf16); what lies outside is kept.
template <int Rows, int Columns, int Items, int Pitch = Columns, class Tile, class T>
inline void copy_vectors(const Tile& tile, int at, const Matrix<T>& from, int row0, int column0, int tid) {
  using Vector = sycl::vec<T, 4>;
  static_assert(Columns % 4 == 0 && Pitch % 4 == 0 && Rows * Columns / 4 % Items == 0);
#pragma unroll
  for (int step = 0; step < Rows * Columns / 4 / Items; ++step) {
    const int i = tid + step * Items;
    const int row = i / (Columns / 4), column = i % (Columns / 4) * 4;
    if (from.has(row0 + row, column0 + column)) {
      *reinterpret_cast<Vector*>(&tile[at + row * Pitch + column]) =
          *reinterpret_cast<const Vector*>(from.at(row0 + row, column0 + column));
    }
  }
}

}  // namespace xeforge::kernels
