// SPDX-License-Identifier: Apache-2.0
// Two branches on the work-item's number: one short, one a loop whose length differs from lane to lane.
#include <sycl/sycl.hpp>

namespace syclexp = sycl::ext::oneapi::experimental;
namespace this_item = sycl::ext::oneapi::this_work_item;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<1>))
    SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::sub_group_size<16>)) void short_if(float* a) {
  const int id = this_item::get_nd_item<1>().get_global_id(0);
  float x = a[id];
  if (id % 2 == 0)
    x = x + 100.0f;
  else
    x = x - 100.0f;
  a[id] = x;
}

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<1>))
    SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::sub_group_size<16>)) void divergent_loop(int* a) {
  const int id = this_item::get_nd_item<1>().get_global_id(0);
  int n = a[id];
  int steps = 0;
  while (n > 1) {
    if (n % 2 == 0)
      n = n / 2;
    else
      n = 3 * n + 1;
    ++steps;
  }
  a[id] = steps;
}
