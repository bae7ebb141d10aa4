// SPDX-License-Identifier: Apache-2.0
// Faulty SYCL kernels and, without FAULTY, their corrected twins. Compiled at run time (main.cpp).
#include <sycl/sycl.hpp>
namespace syclexp = sycl::ext::oneapi::experimental;
#define KERNEL(DIMS) extern "C" SYCL_EXTERNAL SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<DIMS>)) void

inline sycl::nd_item<1> item() { return sycl::ext::oneapi::this_work_item::get_nd_item<1>(); }

KERNEL(1) unguarded_tail(float* p, float*) {
  const size_t i = item().get_global_id(0);
#ifndef FAULTY
  if (i >= 100) return;
#endif
  p[i] = 1.0f;
}

KERNEL(1) exchange(float* p, float* out) {
  const size_t i = item().get_global_id(0);
  p[i] = float(i);
#ifndef FAULTY
  sycl::group_barrier(item().get_group());
#endif
  out[i] = p[i ^ 32];
}

KERNEL(1) neighbour_group(float* p, float* out) {
  const size_t i = item().get_global_id(0);
  p[i] = float(i);
#ifdef FAULTY
  out[i] = p[(i + 32) % 128];
#else
  out[i] = p[i];
#endif
}

KERNEL(1) tile_without_barrier(float* p, float* out, sycl::local_accessor<float, 1> tile) {
  const size_t i = item().get_local_id(0);
  tile[i] = p[i];
#ifndef FAULTY
  sycl::group_barrier(item().get_group());
#endif
  out[i] = tile[63 - i];
}

KERNEL(1) tile_never_filled(float*, float* out, sycl::local_accessor<float, 1> tile) {
  const size_t i = item().get_local_id(0);
#ifndef FAULTY
  tile[i] = 1.0f;
#endif
  sycl::group_barrier(item().get_group());
  out[i] = tile[i ^ 1];
}
