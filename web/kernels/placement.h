// SPDX-License-Identifier: Apache-2.0
// One load, one store: small enough to be launched in every shape that the map's sliders offer.
#include <sycl/sycl.hpp>

namespace syclexp = sycl::ext::oneapi::experimental;
namespace this_item = sycl::ext::oneapi::this_work_item;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<1>))
    SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::sub_group_size<SUB_GROUP>)) void placement(float* a) {
  const size_t id = this_item::get_nd_item<1>().get_global_id(0);
  a[id] = a[id] + 1.0f;
}
