// SPDX-License-Identifier: Apache-2.0
#include <sycl/sycl.hpp>

namespace syclext = sycl::ext::oneapi::experimental;
using bf16 = sycl::ext::oneapi::bfloat16;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclext::nd_range_kernel<1>)) void widen(float* a, const bf16* b) {
  const size_t i = sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_id(0);
  a[i] = float(b[i]);
}

#ifdef VECTORS
extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclext::nd_range_kernel<1>)) void narrow(sycl::vec<bf16, 4>* a,
                                                                                        const sycl::vec<float, 4>* b) {
  const size_t i = sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_id(0);
  a[i] = b[i].convert<bf16>();
}
#endif

#ifdef DOUBLES
extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclext::nd_range_kernel<1>)) void twice(double* a) {
  a[sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_id(0)] *= 2;
}
#endif
