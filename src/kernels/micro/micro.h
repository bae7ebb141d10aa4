// SPDX-License-Identifier: Apache-2.0
//
// Common ground of the micro-benchmarks: explicit SIMD, a work-item is a hardware thread. Each repeats one thing
// `trips` times and leaves 16 words a thread, which the host knows beforehand. Operands come from memory, so that the
// compiler cannot compute ahead.
#pragma once

#include <sycl/ext/intel/esimd.hpp>

#include "kernels/kernel.h"

namespace xeforge::kernels {

namespace esimd = sycl::ext::intel::esimd;
namespace xmx = sycl::ext::intel::esimd::xmx;

inline constexpr esimd::properties kMicroAligned{esimd::alignment<16>};
/// Independent values of a thread, 16 words each.
inline constexpr int kMicroChains = 8;

inline uint32_t micro_thread() { return sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_id(0); }
inline uint32_t micro_local() { return sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_local_id(0); }

template <class T>
inline esimd::simd<T, 16> micro_load(const uint32_t* in, uint32_t vector) {
  return esimd::block_load<T, 16>(reinterpret_cast<const T*>(in) + 16 * vector, kMicroAligned);
}

template <class T>
inline void micro_store(uint32_t* out, esimd::simd<T, 16> value) {
  esimd::block_store<T, 16>(reinterpret_cast<T*>(out) + 16 * micro_thread(), value, kMicroAligned);
}

/// 64 multiply-adds a trip, each of the one before it.
inline esimd::simd<float, 16> micro_chain(esimd::simd<float, 16> x, esimd::simd<float, 16> s, esimd::simd<float, 16> c,
                                          uint32_t trips) {
#pragma nounroll
  for (uint32_t trip = 0; trip < trips; ++trip) {
#pragma unroll
    for (int i = 0; i < 64; ++i) x = x * s + c;
  }
  return x;
}

}  // namespace xeforge::kernels
