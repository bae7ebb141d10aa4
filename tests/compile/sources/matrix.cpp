// SPDX-License-Identifier: Apache-2.0
#include <sycl/sycl.hpp>

#ifndef COLUMNS
#define COLUMNS 8
#endif
#ifdef SUB_GROUP
#define ATTRIBUTES [[sycl::reqd_sub_group_size(SUB_GROUP)]]
#else
#define ATTRIBUTES
#endif

namespace syclext = sycl::ext::oneapi::experimental;
namespace mx = sycl::ext::oneapi::experimental::matrix;
using bf16 = sycl::ext::oneapi::bfloat16;

template <typename T>
auto global(T* p) {
  return sycl::address_space_cast<sycl::access::address_space::global_space, sycl::access::decorated::no>(p);
}

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclext::nd_range_kernel<2>)) ATTRIBUTES
    void multiply(float* c, bf16* a, bf16* b) {
  auto group = sycl::ext::oneapi::this_work_item::get_sub_group();
  mx::joint_matrix<sycl::sub_group, bf16, mx::use::a, 8, 16, mx::layout::row_major> x;
  mx::joint_matrix<sycl::sub_group, bf16, mx::use::b, 16, COLUMNS, mx::layout::row_major> y;
  mx::joint_matrix<sycl::sub_group, float, mx::use::accumulator, 8, COLUMNS> z;
  mx::joint_matrix_fill(group, z, 0.0f);
  for (int k = 0; k < 64; k += 16) {
    mx::joint_matrix_load(group, x, global(a) + k, 64);
    mx::joint_matrix_load(group, y, global(b) + k * 64, 64);
    mx::joint_matrix_mad(group, z, x, y, z);
  }
#ifdef CONVERSIONS
  // Through functions of the device library, scalar and vector.
  c[4096] = float(a[0]);
  *reinterpret_cast<sycl::vec<bf16, 4>*>(c + 4100) = reinterpret_cast<sycl::vec<float, 4>*>(c + 4104)->convert<bf16>();
#endif
  mx::joint_matrix_store(group, z, global(c), 64, mx::layout::row_major);
}
