// SPDX-License-Identifier: Apache-2.0
//
// Micro-benchmarks of the pipes: rates of integer and float instructions, latencies of dependent ones.
#pragma once

#include "kernels/micro/micro.h"

namespace xeforge::kernels {

/// Eight values that are combined in turn, eight times a trip: x[i] = step(x[i], x[i + 1]).
template <class T, class Step>
inline void micro_rotate(const uint32_t* in, uint32_t* out, uint32_t trips, const Step& step) {
  esimd::simd<T, 16> x[kMicroChains];
#pragma unroll
  for (int i = 0; i < kMicroChains; ++i) x[i] = micro_load<T>(in, i);
#pragma nounroll
  for (uint32_t trip = 0; trip < trips; ++trip) {
#pragma unroll
    for (int i = 0; i < 8 * kMicroChains; ++i)
      x[i % kMicroChains] = step(x[i % kMicroChains], x[(i + 1) % kMicroChains]);
  }
#pragma unroll
  for (int i = 1; i < kMicroChains; ++i) x[0] ^= x[i];
  micro_store<T>(out, x[0]);
}

XEFORGE_KERNEL(1) SYCL_ESIMD_KERNEL micro_int_add(const uint32_t* in, uint32_t* out, uint32_t trips) {
  micro_rotate<uint32_t>(in, out, trips, [](auto a, auto b) { return a + b; });
}

XEFORGE_KERNEL(1) SYCL_ESIMD_KERNEL micro_int_mul(const uint32_t* in, uint32_t* out, uint32_t trips) {
  micro_rotate<uint32_t>(in, out, trips, [](auto a, auto b) { return a * b; });
}

/// Eight independent sums x[i] = x[i] * s + c[i], eight times a trip.
template <class T>
inline void micro_mad(const uint32_t* in, uint32_t* out, uint32_t trips) {
  esimd::simd<T, 16> x[kMicroChains], c[kMicroChains];
  const esimd::simd<T, 16> s = micro_load<T>(in, 0);
#pragma unroll
  for (int i = 0; i < kMicroChains; ++i) x[i] = c[i] = micro_load<T>(in, 1 + i);
#pragma nounroll
  for (uint32_t trip = 0; trip < trips; ++trip) {
#pragma unroll
    for (int i = 0; i < 8 * kMicroChains; ++i) x[i % kMicroChains] = x[i % kMicroChains] * s + c[i % kMicroChains];
  }
#pragma unroll
  for (int i = 1; i < kMicroChains; ++i) x[0] += x[i];
  micro_store<T>(out, x[0]);
}

XEFORGE_KERNEL(1) SYCL_ESIMD_KERNEL micro_int_mad(const uint32_t* in, uint32_t* out, uint32_t trips) {
  micro_mad<uint32_t>(in, out, trips);
}

XEFORGE_KERNEL(1) SYCL_ESIMD_KERNEL micro_float_mad(const uint32_t* in, uint32_t* out, uint32_t trips) {
  micro_mad<float>(in, out, trips);
}

/// 64 additions a trip, each of the two before it.
XEFORGE_KERNEL(1) SYCL_ESIMD_KERNEL micro_int_chain(const uint32_t* in, uint32_t* out, uint32_t trips) {
  esimd::simd<uint32_t, 16> x = micro_load<uint32_t>(in, 0), y = micro_load<uint32_t>(in, 1);
#pragma nounroll
  for (uint32_t trip = 0; trip < trips; ++trip) {
#pragma unroll
    for (int i = 0; i < 32; ++i) {
      x += y;
      y += x;
    }
  }
  micro_store<uint32_t>(out, y);
}

/// One chain of multiply-adds.
XEFORGE_KERNEL(1) SYCL_ESIMD_KERNEL micro_float_chain(const uint32_t* in, uint32_t* out, uint32_t trips) {
  const esimd::simd<float, 16> s = micro_load<float>(in, 0), c = micro_load<float>(in, 1);
  micro_store<float>(out, micro_chain(c, s, c, trips));
}

/// Eight sums of one product of 8x16 and 16xColumns, four times a trip. `in`: A, then B as VNNI words.
template <int Columns>
inline void micro_dpas(const uint32_t* in, uint32_t* out, uint32_t trips) {
  const auto* elements = reinterpret_cast<const bf16*>(in);
  const auto a = esimd::block_load<bf16, 128>(elements, kMicroAligned);
  const auto b = esimd::block_load<bf16, 16 * Columns>(elements + 128, kMicroAligned);
  esimd::simd<float, 8 * Columns> sum[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) sum[i] = static_cast<float>(i);
#pragma nounroll
  for (uint32_t trip = 0; trip < trips; ++trip) {
#pragma unroll
    for (int i = 0; i < 32; ++i) sum[i % 4] = xmx::dpas<8, 8, float>(sum[i % 4], b, a);
  }
  esimd::simd<float, 8 * Columns> all = sum[0] + sum[1] + sum[2] + sum[3];
  micro_store<float>(out, all.template select<16, 1>(0));
}

}  // namespace xeforge::kernels
