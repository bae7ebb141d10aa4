// SPDX-License-Identifier: Apache-2.0
// Faulty joint_matrix kernels and, without FAULTY, their corrected twins. Compiled at run time (main.cpp).
#include <sycl/sycl.hpp>
namespace syclexp = sycl::ext::oneapi::experimental;
namespace matrix = sycl::ext::oneapi::experimental::matrix;
#define KERNEL(DIMS) extern "C" SYCL_EXTERNAL SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<DIMS>)) void

// The tile is 8x8 and the compiler runs it in sub-groups of 8: of 16 work-items, two sub-groups store it.
KERNEL(2) tile_stored_twice(float* p, float*) {
  const auto group = sycl::ext::oneapi::this_work_item::get_nd_item<2>().get_sub_group();
  matrix::joint_matrix<sycl::sub_group, float, matrix::use::accumulator, 8, 8> sum;
  matrix::joint_matrix_fill(group, sum, 1.0f);
#ifndef FAULTY
  if (group.get_group_linear_id() == 0)
#endif
    matrix::joint_matrix_store(
        group, sum, sycl::address_space_cast<sycl::access::address_space::global_space, sycl::access::decorated::no>(p),
        8, matrix::layout::row_major);
}

// The leading dimension of another matrix.
KERNEL(2) wrong_stride(float* p, float*) {
  const auto group = sycl::ext::oneapi::this_work_item::get_nd_item<2>().get_sub_group();
  matrix::joint_matrix<sycl::sub_group, float, matrix::use::accumulator, 8, 8> sum;
  matrix::joint_matrix_fill(group, sum, 1.0f);
#ifdef FAULTY
  const size_t stride = 16;
#else
  const size_t stride = 8;
#endif
  matrix::joint_matrix_store(
      group, sum, sycl::address_space_cast<sycl::access::address_space::global_space, sycl::access::decorated::no>(p),
      stride, matrix::layout::row_major);
}
