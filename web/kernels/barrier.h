// SPDX-License-Identifier: Apache-2.0
// Every work-item hands a value to its neighbour through shared local memory; once with the barrier, once without.
#include <sycl/sycl.hpp>

namespace syclexp = sycl::ext::oneapi::experimental;
namespace this_item = sycl::ext::oneapi::this_work_item;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<1>))
    SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::sub_group_size<16>)) void exchange(float* a,
                                                                                   sycl::local_accessor<float, 1> slm) {
  const auto item = this_item::get_nd_item<1>();
  const size_t id = item.get_global_id(0);
  const int local = item.get_local_id(0), size = item.get_local_range(0);
  slm[local] = a[id];
  sycl::group_barrier(item.get_group());
  a[id] = slm[size - 1 - local];
}

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<1>)) SYCL_EXT_ONEAPI_FUNCTION_PROPERTY(
    (syclexp::sub_group_size<16>)) void exchange_unsynchronised(float* a, sycl::local_accessor<float, 1> slm) {
  const auto item = this_item::get_nd_item<1>();
  const size_t id = item.get_global_id(0);
  const int local = item.get_local_id(0), size = item.get_local_range(0);
  slm[local] = a[id];
  a[id] = slm[size - 1 - local];
}

// A pattern that hits one bank sixteen times, and one that hits all of them once.
extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<1>))
    SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::sub_group_size<16>)) void banks(float* a,
                                                                                sycl::local_accessor<float, 1> slm,
                                                                                int stride) {
  const auto item = this_item::get_nd_item<1>();
  const size_t id = item.get_global_id(0);
  const int local = item.get_local_id(0);
  slm[local * stride] = a[id];
  sycl::group_barrier(item.get_group());
  a[id] = slm[local * stride] + 1.0f;
}
