// SPDX-License-Identifier: Apache-2.0
// One ESIMD kernel with the sins of checks.h as options.
#include <sycl/ext/intel/esimd.hpp>
#include <sycl/sycl.hpp>

#include "width.h"

namespace syclext = sycl::ext::oneapi::experimental;
namespace esimd = sycl::ext::intel::esimd;
using bf16 = sycl::ext::oneapi::bfloat16;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclext::nd_range_kernel<1>)) SYCL_ESIMD_KERNEL
    void multiply(float* c, const bf16* a, const bf16* b) {
  esimd::simd<bf16, 8 * 16> x;
  x.copy_from(a);
  esimd::simd<bf16, 16 * WIDTH> y;
  y.copy_from(b);
  esimd::simd<float, 8 * WIDTH> z;
  z.copy_from(c);
  z = esimd::xmx::dpas<8, 8, float, float, bf16, bf16>(z, y, x);
  z.copy_to(c);
#ifdef LOAD_2D
  esimd::simd<float, 64> block = esimd::load_2d<float, 8, 8>(c, 63u, 63u, 63u, 0u, 0u);
  block.copy_to(c + 1024);
#endif
#ifdef NAMED_BARRIER
  esimd::named_barrier_init<2>();
  esimd::named_barrier_wait(1);
#endif
#ifdef SIGNAL_BARRIER
  esimd::named_barrier_init<2>();
  esimd::named_barrier_signal(1, 0, 2, 2);
#endif
#ifdef DOUBLES
  esimd::simd<double, 8> d;
  d.copy_from(reinterpret_cast<double*>(c));
  d *= 2.0;
  d.copy_to(reinterpret_cast<double*>(c));
#endif
#ifdef MANY_VALUES
  esimd::simd<float, 64> v[24];
#pragma unroll
  for (int i = 0; i < 24; ++i) v[i].copy_from(c + 64 * i);
  for (int t = 0; t < int(c[0]); ++t) {
#pragma unroll
    for (int i = 0; i < 24; ++i) v[i] = v[i] * v[(i * 7 + 3) % 24] + 1.0f;
  }
#pragma unroll
  for (int i = 0; i < 24; ++i) v[i].copy_to(c + 64 * i);
#endif
}
