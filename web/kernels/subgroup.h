// SPDX-License-Identifier: Apache-2.0
// One sub-group operation a kernel, so that what it becomes is easy to find.
#include <sycl/sycl.hpp>

namespace syclexp = sycl::ext::oneapi::experimental;
namespace this_item = sycl::ext::oneapi::this_work_item;

#define KERNEL                                                                \
  extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<1>)) \
      SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::sub_group_size<16>))

KERNEL void shuffle_xor(float* a) {
  const size_t id = this_item::get_nd_item<1>().get_global_id(0);
  const auto group = this_item::get_sub_group();
  a[id] = sycl::permute_group_by_xor(group, a[id], 4);
}

KERNEL void shuffle_lane(float* a, const int* lane) {
  const size_t id = this_item::get_nd_item<1>().get_global_id(0);
  const auto group = this_item::get_sub_group();
  a[id] = sycl::select_from_group(group, a[id], lane[id]);
}

KERNEL void broadcast(float* a) {
  const size_t id = this_item::get_nd_item<1>().get_global_id(0);
  const auto group = this_item::get_sub_group();
  a[id] = sycl::group_broadcast(group, a[id], 0);
}

KERNEL void reduce(float* a) {
  const size_t id = this_item::get_nd_item<1>().get_global_id(0);
  const auto group = this_item::get_sub_group();
  a[id] = sycl::reduce_over_group(group, a[id], sycl::plus<float>());
}

KERNEL void scan(float* a) {
  const size_t id = this_item::get_nd_item<1>().get_global_id(0);
  const auto group = this_item::get_sub_group();
  a[id] = sycl::inclusive_scan_over_group(group, a[id], sycl::plus<float>());
}

KERNEL void vote(int* a) {
  const size_t id = this_item::get_nd_item<1>().get_global_id(0);
  const auto group = this_item::get_sub_group();
  a[id] = sycl::any_of_group(group, a[id] > 14) ? 1 : 0;
}

// The sum of `reduce` through shared local memory, as one writes it without sub-group operations.
KERNEL void reduce_through_slm(float* a, sycl::local_accessor<float, 1> slm) {
  const auto item = this_item::get_nd_item<1>();
  const size_t id = item.get_global_id(0);
  const int lane = item.get_local_id(0);
  slm[lane] = a[id];
  for (int distance = 8; distance > 0; distance /= 2) {
    sycl::group_barrier(item.get_group());
    if (lane < distance) slm[lane] += slm[lane + distance];
  }
  sycl::group_barrier(item.get_group());
  a[id] = slm[0];
}
