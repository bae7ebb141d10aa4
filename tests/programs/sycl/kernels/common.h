// SPDX-License-Identifier: Apache-2.0
//
// What all kernel files share: short forms for free-function kernels.
#pragma once
#include <sycl/sycl.hpp>

namespace syclext = sycl::ext::oneapi;
namespace syclexp = sycl::ext::oneapi::experimental;

#define KERNEL(D) extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<D>)) void
#define KERNEL_SG(D, S)                                                       \
  extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<D>)) \
      SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::sub_group_size<S>)) void

inline unsigned me() { return static_cast<unsigned>(syclext::this_work_item::get_nd_item<1>().get_global_linear_id()); }

// out[i] = f(in[i]), and f of three operands.
#define CONVERT(NAME, FROM, TO, EXPRESSION)             \
  KERNEL(1) NAME(const FROM* in, TO* out, unsigned n) { \
    if (me() >= n) return;                              \
    const FROM x = in[me()];                            \
    out[me()] = EXPRESSION;                             \
  }
#define BINARY(NAME, T, R, EXPRESSION)                                     \
  KERNEL(1) NAME(const T* a, const T* b, const T* c, R* out, unsigned n) { \
    if (me() >= n) return;                                                 \
    const T x = a[me()], y = b[me()], z = c[me()];                         \
    out[me()] = EXPRESSION;                                                \
  }
