// SPDX-License-Identifier: Apache-2.0
// Faulty ESIMD kernels and, without FAULTY, their corrected twins. Compiled at run time (main.cpp).
#include <sycl/ext/intel/esimd.hpp>
#include <sycl/sycl.hpp>
namespace syclexp = sycl::ext::oneapi::experimental;
namespace esimd = sycl::ext::intel::esimd;
#define KERNEL(DIMS) \
  extern "C" SYCL_EXTERNAL SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<DIMS>)) void SYCL_ESIMD_KERNEL

constexpr esimd::properties kAligned{esimd::alignment<16>};

inline unsigned local_id() { return sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_local_id(0); }

// Four threads store 16 floats each; the last one's block begins in the middle.
KERNEL(1) block_beyond(float* p, float*) {
  const unsigned i = local_id();
  const esimd::simd<float, 16> v = 1.0f;
#ifdef FAULTY
  esimd::block_store<float, 16>(p + i * 16 + 8, v, kAligned);
#else
  esimd::block_store<float, 16>(p + i * 16, v, kAligned);
#endif
}

// Packed 16-bit data: the promise of 16 bytes does not hold.
KERNEL(1) block_misaligned(float* p, float* out) {
  const unsigned i = local_id();
#ifdef FAULTY
  const auto* from = reinterpret_cast<const float*>(reinterpret_cast<const char*>(p) + 2);
#else
  const auto* from = p;
#endif
  const auto v = esimd::block_load<float, 16>(from, kAligned);
  esimd::block_store<float, 16>(out + i * 16, v, kAligned);
}

KERNEL(1) slm_without_barrier(float* p, float* out) {
  esimd::slm_init<1024>();
  const unsigned i = local_id();
  esimd::slm_block_store<float, 16>(i * 64, esimd::block_load<float, 16>(p + i * 16, kAligned), kAligned);
#ifndef FAULTY
  esimd::barrier();
#endif
  esimd::block_store<float, 16>(out + i * 16, esimd::slm_block_load<float, 16>((3 - i) * 64, kAligned), kAligned);
}

KERNEL(1) slm_never_filled(float*, float* out) {
  esimd::slm_init<1024>();
  const unsigned i = local_id();
#ifndef FAULTY
  esimd::slm_block_store<float, 16>(i * 64, esimd::simd<float, 16>(1.0f), kAligned);
  esimd::barrier();
#endif
  esimd::block_store<float, 16>(out + i * 16, esimd::slm_block_load<float, 16>(i * 64, kAligned), kAligned);
}

// The tile behind the last one is asked for.
KERNEL(1) prefetch_beyond(float* p, float* out) {
  const unsigned i = local_id();
  constexpr esimd::properties cached{esimd::cache_hint_L1<esimd::cache_hint::cached>,
                                     esimd::cache_hint_L2<esimd::cache_hint::cached>};
#ifdef FAULTY
  esimd::prefetch<float, 16>(p + 4096, cached);
#else
  esimd::prefetch<float, 16>(p + 16, cached);
#endif
  esimd::block_store<float, 16>(out + i * 16, esimd::block_load<float, 16>(p + i * 16, kAligned), kAligned);
}
