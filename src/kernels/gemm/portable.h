// SPDX-License-Identifier: Apache-2.0
//
// A product of any sizes, strides and types on any device: groups of 16x16 items compute 64x64 of C from tiles of 16
// steps of k in local memory; an item keeps 4x4 sums. Elements outside the matrices are zero and never touched. Sums
// are floats, or 32-bit integers for integer operands.
#pragma once

#include "kernels/gemm/elements.h"
#include "kernels/gemm/epilogue.h"

namespace xeforge::kernels {

struct OneElement {
  using Floats = float;
  const Step* steps;
  int64_t batch, row, column;

  Step step(uint32_t i) const { return steps[i]; }
  float numbers(const Step& step) const {
    if (step.data == 0) return step.value;
    return read_float(step.type, step.data, step.along == 1 ? column : step.along == 2 ? row : 0);
  }
  float residual(const Step& step) const {
    return read_float(step.type, step.data, batch * step.stride + row * step.ld + column);
  }
  static float where(bool condition, float yes, float no) { return condition ? yes : no; }
  static float exp2(float x) { return sycl::native::exp2(x); }
};

inline constexpr int kPortableBlock = 64, kPortableDepth = 16, kPortableItems = 256;

/// Elements of a tile for one item, [k][row] in local memory: 64 rows of A (columns of B), 16 steps of k. The items
/// walk along the dimension without gaps, so that their reads lie side by side.
template <class T, class Sum, class Tile, class Convert>
inline void copy_tile(Tile& tile, int at, uint64_t base, int64_t row0, int64_t rows, int64_t row_stride, int64_t k0,
                      int64_t depth, int64_t depth_stride, int tid, Convert convert) {
  const bool along_k = depth_stride == 1;
#pragma unroll
  for (int i = 0; i < kPortableBlock * kPortableDepth / kPortableItems; ++i) {
    const int piece = tid + i * kPortableItems;
    const int row = along_k ? piece / kPortableDepth : piece % kPortableBlock;
    const int k = along_k ? piece % kPortableDepth : piece / kPortableBlock;
    Sum value = 0;
    if (row0 + row < rows && k0 + k < depth)
      value = convert(read<T>(base, (row0 + row) * row_stride + (k0 + k) * depth_stride));
    tile[at + k * kPortableBlock + row] = value;
  }
}

template <class Sum>
struct Tiles;

template <>
struct Tiles<float> {
  template <class... Where>
  static void copy(uint32_t type, uint32_t flags, Where&&... where) {
    switch (Code(type)) {
      case Code::Bf16:
        copy_tile<uint16_t, float>(where..., [](uint16_t v) { return sycl::bit_cast<float>(uint32_t(v) << 16); });
        break;
      case Code::F16:
        copy_tile<sycl::half, float>(where..., [](sycl::half v) { return static_cast<float>(v); });
        break;
      default:
        copy_tile<uint32_t, float>(
            where..., [flags](uint32_t v) { return sycl::bit_cast<float>((flags & kTf32) != 0 ? tf32_bits(v) : v); });
    }
  }
  static float multiply_add(float a, float b, float sum) { return sycl::fma(a, b, sum); }
};

template <>
struct Tiles<int32_t> {
  template <class... Where>
  static void copy(uint32_t type, uint32_t, Where&&... where) {
    if (Code(type) == Code::S8) {
      copy_tile<int8_t, int32_t>(where..., [](int8_t v) { return int32_t(v); });
    } else {
      copy_tile<uint8_t, int32_t>(where..., [](uint8_t v) { return int32_t(v); });
    }
  }
  static int32_t multiply_add(int32_t a, int32_t b, int32_t sum) { return sum + a * b; }
};

inline bool is_whole(float value) {
  return value == sycl::rint(value) && value < 2147483648.0f && value >= -2147483648.0f;
}

/// alpha * sum + beta * C, through the epilogue, into C.
inline void store_element(const GemmArguments& g, const OneElement& at, uint64_t c, float alpha, float beta,
                          float sum) {
  const int64_t index = at.row * g.ldc + at.column;
  float value = alpha * sum;
  if (beta != 0) value += beta * read_float(g.type_c, c, index);
  write_float(g.type_c, c, index, finish(at, g.steps, value));
}

/// The same; whole factors and an integer C without epilogue are computed in integers, so that nothing is rounded.
inline void store_element(const GemmArguments& g, const OneElement& at, uint64_t c, float alpha, float beta,
                          int32_t sum) {
  if (Code(g.type_c) == Code::S32 && g.steps == 0 && is_whole(alpha) && is_whole(beta)) {
    const int64_t index = at.row * g.ldc + at.column;
    uint32_t value = uint32_t(int32_t(alpha)) * uint32_t(sum);
    if (beta != 0) value += uint32_t(int32_t(beta)) * uint32_t(read<int32_t>(c, index));
    write<int32_t>(c, index, int32_t(value));
  } else {
    store_element(g, at, c, alpha, beta, static_cast<float>(sum));
  }
}

template <class Sum>
inline void portable_body(const GemmArguments& g, Sum (&tile)[kPortableBlock * kPortableBlock],
                          Step (&steps)[kLargestSteps]) {
  constexpr int kBlock = kPortableBlock, kDepth = kPortableDepth;
  const auto item = sycl::ext::oneapi::this_work_item::get_nd_item<3>();
  const int tid = item.get_local_id(2);
  const int64_t batch = item.get_group(0), row0 = int64_t(item.get_group(1)) * kBlock,
                column0 = int64_t(item.get_group(2)) * kBlock;
  const float alpha = factor(g.alpha_at, g.alpha), beta = factor(g.beta_at, g.beta);
  // In local memory, because which step an item needs is known at run time only.
  if (tid == 0) {
#pragma unroll
    for (uint32_t i = 0; i < kLargestSteps; ++i) {
      if (i < g.steps) steps[i] = g.step[i];
    }
  }

  const int row = tid / 16 * 4, column = tid % 16 * 4;
  Sum sum[4][4] = {};
  if (alpha != 0 && g.k > 0) {
    const uint64_t a = matrix(g.a, (g.flags & kPointersA) != 0, batch, g.stride_a * bytes_of(g.type_a));
    const uint64_t b = matrix(g.b, (g.flags & kPointersB) != 0, batch, g.stride_b * bytes_of(g.type_b));
    for (int64_t k0 = 0; k0 < g.k; k0 += kDepth) {
      Tiles<Sum>::copy(g.type_a, g.flags, tile, 0, a, row0, g.m, g.row_a, k0, g.k, g.column_a, tid);
      Tiles<Sum>::copy(g.type_b, g.flags, tile, kBlock * kDepth, b, column0, g.n, g.column_b, k0, g.k, g.row_b, tid);
      sycl::group_barrier(item.get_group());
#pragma unroll 4
      for (int k = 0; k < kDepth; ++k) {
        Sum left[4], right[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) left[i] = tile[k * kBlock + row + i];
#pragma unroll
        for (int j = 0; j < 4; ++j) right[j] = tile[kBlock * kDepth + k * kBlock + column + j];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
#pragma unroll
          for (int j = 0; j < 4; ++j) sum[i][j] = Tiles<Sum>::multiply_add(left[i], right[j], sum[i][j]);
        }
      }
      sycl::group_barrier(item.get_group());
    }
  }

  // Through local memory, so that the epilogue stands in the code once and stores lie side by side.
#pragma unroll
  for (int i = 0; i < 4; ++i) {
#pragma unroll
    for (int j = 0; j < 4; ++j) tile[(row + i) * kBlock + column + j] = sum[i][j];
  }
  sycl::group_barrier(item.get_group());
  const uint64_t c = matrix(g.c, (g.flags & kPointersC) != 0, batch, g.stride_c * bytes_of(g.type_c));
#pragma unroll 1
  for (int i = tid; i < kBlock * kBlock; i += kPortableItems) {
    const OneElement at{&steps[0], batch, row0 + i / kBlock, column0 + i % kBlock};
    if (at.row < g.m && at.column < g.n) store_element(g, at, c, alpha, beta, tile[i]);
  }
}

#define XEFORGE_PORTABLE_KERNEL(NAME, SUM)                                                         \
  XEFORGE_STRUCTURE_KERNEL(3) NAME(GemmArguments g) {                                              \
    sycl::ext::oneapi::experimental::work_group_static<SUM[kPortableBlock * kPortableBlock]> tile; \
    sycl::ext::oneapi::experimental::work_group_static<Step[kLargestSteps]> steps;                 \
    portable_body<SUM>(g, tile, steps);                                                            \
  }

XEFORGE_PORTABLE_KERNEL(gemm_portable_float, float)
XEFORGE_PORTABLE_KERNEL(gemm_portable_int, int32_t)

}  // namespace xeforge::kernels
