// SPDX-License-Identifier: Apache-2.0
//
// A product of packed operands (pack.h) by the matrix engine, in explicit SIMD: a thread computes 8 * Units rows and
// 2 * Width columns of C, straight from the packed operands, which it shares with its neighbours in the first cache. No
// sizes are special: packed operands are padded with zeros, and what lies beyond C is masked when it is stored.
#pragma once

#include <sycl/ext/intel/esimd.hpp>

#include "kernels/gemm/arguments.h"
#include "kernels/gemm/epilogue.h"
#include "kernels/kernel.h"

namespace xeforge::kernels {

namespace esimd = sycl::ext::intel::esimd;

template <class T>
inline T read_scalar(uint64_t address) {
  return esimd::block_load<T, 1>(reinterpret_cast<const T*>(address))[0];
}

/// N elements of one row of C or of what belongs to its columns; `mask` is off beyond the matrix. Blocks where all are
/// there and lie at a multiple of 4 bytes, else one by one.
template <int N>
struct RowAccess {
  esimd::simd_mask<N> mask;
  bool whole;

  template <class T>
  esimd::simd<T, N> read(uint64_t address) const {
    if (whole && address % 4 == 0) {
      return esimd::block_load<T, N>(reinterpret_cast<const T*>(address), esimd::properties{esimd::alignment<4>});
    }
    const esimd::simd<uint32_t, N> offsets(0, sizeof(T));
    const esimd::simd<T, N> none(T(0));
    return esimd::gather<T, N>(reinterpret_cast<const T*>(address), offsets, mask, none);
  }

  template <class T>
  void write(uint64_t address, const esimd::simd<T, N>& values) const {
    if (whole && address % 4 == 0) {
      esimd::block_store<T, N>(reinterpret_cast<T*>(address), values, esimd::properties{esimd::alignment<4>});
    } else {
      const esimd::simd<uint32_t, N> offsets(0, sizeof(T));
      esimd::scatter<T, N>(reinterpret_cast<T*>(address), offsets, values, mask);
    }
  }

  esimd::simd<float, N> read_floats(uint32_t type, uint64_t base, int64_t index) const {
    switch (Code(type)) {
      case Code::Bf16: {
        esimd::simd<uint32_t, N> bits = read<uint16_t>(base + index * 2);
        bits <<= 16;
        return bits.template bit_cast_view<float>();
      }
      case Code::F16: {
        esimd::simd<uint16_t, N> bits = read<uint16_t>(base + index * 2);
        esimd::simd<sycl::half, N> halves = bits.template bit_cast_view<sycl::half>();
        return esimd::simd<float, N>(halves);
      }
      case Code::F32:
        return read<float>(base + index * 4);
      case Code::S8:
        return esimd::simd<float, N>(read<int8_t>(base + index));
      case Code::U8:
        return esimd::simd<float, N>(read<uint8_t>(base + index));
      default:
        return esimd::simd<float, N>(read<int32_t>(base + index * 4));
    }
  }

  /// Nearest, ties to even, at the ends of the range where it is beyond them; NaN gives 0.
  static esimd::simd<int32_t, N> rounded(esimd::simd<float, N> value, float low, float high) {
    value.merge(esimd::simd<float, N>(0.0f), value != value);
    value = esimd::max<float>(esimd::min<float>(value, high), low);
    return esimd::simd<int32_t, N>(esimd::rnde<float, N>(value));
  }

  void write_floats(uint32_t type, uint64_t base, int64_t index, esimd::simd<float, N> value) const {
    switch (Code(type)) {
      case Code::Bf16: {
        esimd::simd<uint32_t, N> bits = value.template bit_cast_view<uint32_t>();
        esimd::simd<uint32_t, N> nearest = (bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16;
        nearest.merge((bits >> 16) | 0x40u, value != value);
        write<uint16_t>(base + index * 2, esimd::simd<uint16_t, N>(nearest));
        break;
      }
      case Code::F16: {
        esimd::simd<sycl::half, N> halves(value);
        esimd::simd<uint16_t, N> bits = halves.template bit_cast_view<uint16_t>();
        write<uint16_t>(base + index * 2, bits);
        break;
      }
      case Code::F32:
        write<float>(base + index * 4, value);
        break;
      case Code::S8:
        write<int8_t>(base + index, esimd::simd<int8_t, N>(rounded(value, -128, 127)));
        break;
      case Code::U8:
        write<uint8_t>(base + index, esimd::simd<uint8_t, N>(rounded(value, 0, 255)));
        break;
      default: {
        esimd::simd<int32_t, N> whole = rounded(value, -2147483648.0f, 2147483520.0f);
        // 2^31 is no int32; the next smaller float is.
        whole.merge(esimd::simd<int32_t, N>(2147483647), value >= 2147483648.0f);
        write<int32_t>(base + index * 4, whole);
      }
    }
  }
};

/// Elements of one row for the epilogue.
template <int N>
struct RowOfElements {
  using Floats = esimd::simd<float, N>;
  RowAccess<N> access;
  uint32_t steps_at;  ///< in local memory
  int64_t batch, row, column;

  Step step(uint32_t i) const {
    esimd::simd<uint32_t, 16> words = esimd::slm_block_load<uint32_t, 16>(steps_at + i * uint32_t(sizeof(Step)));
    Step step;
    step.data = words.template bit_cast_view<uint64_t>()[0];
    step.ld = words.template bit_cast_view<int64_t>()[1];
    step.stride = words.template bit_cast_view<int64_t>()[2];
    step.kind = words[6];
    step.along = words[7];
    step.type = words[8];
    step.value = words.template bit_cast_view<float>()[9];
    step.high = words.template bit_cast_view<float>()[10];
    return step;
  }
  Floats numbers(const Step& step) const {
    if (step.data == 0) return Floats(step.value);
    if (step.along == 1) return access.read_floats(step.type, step.data, column);
    const RowAccess<N> first{esimd::simd_mask<N>(0) | first_lane(), false};
    const Floats one = first.read_floats(step.type, step.data, step.along == 2 ? row : 0);
    return Floats(one[0]);
  }
  Floats residual(const Step& step) const {
    return access.read_floats(step.type, step.data, batch * step.stride + row * step.ld + column);
  }
  static Floats where(esimd::simd_mask<N> condition, Floats yes, Floats no) {
    no.merge(yes, condition);
    return no;
  }
  static Floats exp2(Floats x) { return esimd::exp2<float, N>(x); }

 private:
  static esimd::simd_mask<N> first_lane() {
    esimd::simd<uint32_t, N> lanes(0, 1);
    return lanes < 1u;
  }
};

inline bool is_whole(float value) {
  return value == esimd::rnde<float>(value) && value < 2147483648.0f && value >= -2147483648.0f;
}

template <int N>
inline void store_row(const GemmArguments& g, const RowOfElements<N>& at, uint64_t c, float alpha, float beta,
                      esimd::simd<float, N> sum) {
  const int64_t index = at.row * g.ldc + at.column;
  esimd::simd<float, N> value = sum * alpha;
  if (beta != 0) value += at.access.read_floats(g.type_c, c, index) * beta;
  at.access.write_floats(g.type_c, c, index, finish(at, g.steps, value));
}

template <int N>
inline void store_row(const GemmArguments& g, const RowOfElements<N>& at, uint64_t c, float alpha, float beta,
                      esimd::simd<int32_t, N> sum) {
  if (Code(g.type_c) == Code::S32 && g.steps == 0 && is_whole(alpha) && is_whole(beta)) {
    const uint64_t address = c + (at.row * g.ldc + at.column) * 4;
    esimd::simd<int32_t, N> value = sum * int32_t(alpha);
    if (beta != 0) value += at.access.template read<int32_t>(address) * int32_t(beta);
    at.access.template write<int32_t>(address, value);
  } else {
    store_row(g, at, c, alpha, beta, esimd::simd<float, N>(sum));
  }
}

inline constexpr int kPackedGroup = 16;  ///< threads, 4 x 4

/// Here `a` and `b` are packed, `k` counts pairs of steps, and the distances of A and B are bytes.
template <class A, class B, class Sum, int Width, int Units>
inline void packed_body(const GemmArguments& g) {
  constexpr int kColumns = 2, kRow = Width * kColumns;
  constexpr int kUnitBytes = 8 * kRow * 4, kThreadBytes = kUnitBytes + kLargestSteps * sizeof(Step);
  constexpr int kOperandA = 256, kOperandB = 32 * Width;
  constexpr esimd::properties kAligned{esimd::alignment<16>};
  esimd::slm_init<kPackedGroup * kThreadBytes>();
  const auto item = sycl::ext::oneapi::this_work_item::get_nd_item<3>();
  const int64_t batch = item.get_global_id(0), row0 = int64_t(item.get_global_id(1)) * (8 * Units),
                column0 = int64_t(item.get_global_id(2)) * kRow;
  if (row0 >= g.m || column0 >= g.n) return;

  float alpha = g.alpha, beta = g.beta;
  if (g.alpha_at != 0) alpha = read_scalar<float>(g.alpha_at);
  if (g.beta_at != 0) beta = read_scalar<float>(g.beta_at);

  esimd::simd<Sum, 8 * Width> sum[Units][kColumns];
#pragma unroll
  for (int i = 0; i < Units; ++i) {
#pragma unroll
    for (int j = 0; j < kColumns; ++j) sum[i][j] = Sum(0);
  }
  if (alpha != 0) {
    // A unit beyond the matrix is the last one again: its sums are not stored.
    const int64_t last_a = (g.m - 1) / 8, last_b = (g.n - 1) / Width;
    const int64_t unit_a = g.k * 2 * kOperandA, unit_b = g.k * 2 * kOperandB;
    uint64_t a[Units], b[kColumns];
#pragma unroll
    for (int i = 0; i < Units; ++i) {
      const int64_t unit = row0 / 8 + i;
      a[i] = g.a + batch * g.stride_a + (unit < last_a ? unit : last_a) * unit_a;
    }
#pragma unroll
    for (int j = 0; j < kColumns; ++j) {
      const int64_t unit = column0 / Width + j;
      b[j] = g.b + batch * g.stride_b + (unit < last_b ? unit : last_b) * unit_b;
    }
    for (int64_t pair = 0; pair < g.k; ++pair) {
#pragma unroll
      for (int step = 0; step < 2; ++step) {
        esimd::simd<uint32_t, kOperandA / 4> left[Units];
        esimd::simd<uint32_t, kOperandB / 4> right[kColumns];
#pragma unroll
        for (int i = 0; i < Units; ++i) {
          left[i] = esimd::block_load<uint32_t, kOperandA / 4>(
              reinterpret_cast<const uint32_t*>(a[i] + step * kOperandA), kAligned);
        }
#pragma unroll
        for (int j = 0; j < kColumns; ++j) {
          right[j] = esimd::block_load<uint32_t, kOperandB / 4>(
              reinterpret_cast<const uint32_t*>(b[j] + step * kOperandB), kAligned);
        }
#pragma unroll
        for (int i = 0; i < Units; ++i) {
#pragma unroll
          for (int j = 0; j < kColumns; ++j) {
            esimd::simd<A, kOperandA / sizeof(A)> rows = left[i].template bit_cast_view<A>();
            esimd::simd<B, kOperandB / sizeof(B)> columns = right[j].template bit_cast_view<B>();
            sum[i][j] = esimd::xmx::dpas<8, 8, Sum>(sum[i][j], columns, rows);
          }
        }
      }
#pragma unroll
      for (int i = 0; i < Units; ++i) a[i] += 2 * kOperandA;
#pragma unroll
      for (int j = 0; j < kColumns; ++j) b[j] += 2 * kOperandB;
    }
  }

  // Rows go through local memory, unit by unit, so that the epilogue stands in the code once. Each thread has a place
  // of its own: nobody waits.
  const uint32_t place = item.get_local_linear_id() * kThreadBytes, steps_at = place + kUnitBytes;
#pragma unroll
  for (uint32_t i = 0; i < kLargestSteps; ++i) {
    if (i < g.steps) {
      const Step& step = g.step[i];
      esimd::simd<uint32_t, 16> words(0u);
      words.template bit_cast_view<uint64_t>()[0] = step.data;
      words.template bit_cast_view<int64_t>()[1] = step.ld;
      words.template bit_cast_view<int64_t>()[2] = step.stride;
      words[6] = step.kind;
      words[7] = step.along;
      words[8] = step.type;
      words.template bit_cast_view<float>()[9] = step.value;
      words.template bit_cast_view<float>()[10] = step.high;
      esimd::slm_block_store<uint32_t, 16>(steps_at + i * uint32_t(sizeof(Step)), words, kAligned);
    }
  }
  const bool pointers = (g.flags & kPointersC) != 0;
  const int64_t bytes_c = g.type_c <= uint32_t(Code::F16)                                      ? 2
                          : g.type_c == uint32_t(Code::F32) || g.type_c == uint32_t(Code::S32) ? 4
                                                                                               : 1;
  const uint64_t c = pointers ? read_scalar<uint64_t>(g.c + batch * 8) : g.c + batch * g.stride_c * bytes_c;
  const int64_t columns_left = g.n - column0;
  esimd::simd<int32_t, kRow> lanes(0, 1);
  const RowAccess<kRow> access{lanes < int32_t(columns_left < kRow ? columns_left : kRow), columns_left >= kRow};
#pragma unroll 1
  for (int unit = 0; unit < Units; ++unit) {
#pragma unroll
    for (int i = 0; i < Units; ++i) {
      if (i == unit) {
#pragma unroll
        for (int row = 0; row < 8; ++row) {
#pragma unroll
          for (int j = 0; j < kColumns; ++j) {
            const esimd::simd<Sum, Width> line = sum[i][j].template select<Width, 1>(Width * row);
            esimd::slm_block_store<Sum, Width>(place + (row * kRow + j * Width) * 4, line, kAligned);
          }
        }
      }
    }
#pragma unroll 1
    for (int row = 0; row < 8; ++row) {
      const RowOfElements<kRow> at{access, steps_at, batch, row0 + unit * 8 + row, column0};
      if (at.row >= g.m) return;
      store_row(g, at, c, alpha, beta, esimd::slm_block_load<Sum, kRow>(place + row * (kRow * 4), kAligned));
    }
  }
}

#define XEFORGE_PACKED_KERNEL(NAME, A, B, SUM, WIDTH, UNITS) \
  XEFORGE_STRUCTURE_KERNEL(3) SYCL_ESIMD_KERNEL NAME(GemmArguments g) { packed_body<A, B, SUM, WIDTH, UNITS>(g); }

}  // namespace xeforge::kernels
