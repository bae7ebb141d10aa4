// SPDX-License-Identifier: Apache-2.0
// A kernel that uses every part of the machine once: global memory, shared local memory, a shuffle, a barrier.
#include <sycl/sycl.hpp>

namespace syclexp = sycl::ext::oneapi::experimental;
namespace this_item = sycl::ext::oneapi::this_work_item;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<1>)) void code_to_hardware(
    const float* in, float* out, sycl::local_accessor<float, 1> tile) {
  const auto item = this_item::get_nd_item<1>();
  const auto sub_group = this_item::get_sub_group();
  const size_t i = item.get_global_id(0);
  const size_t local = item.get_local_id(0);

  const float x = in[i];
  const float neighbour = sycl::permute_group_by_xor(sub_group, x, 1);
  tile[local] = x + neighbour;
  sycl::group_barrier(item.get_group());
  const float y = tile[255 - local];
  out[i] = sycl::sqrt(y) * 0.5f;
}
