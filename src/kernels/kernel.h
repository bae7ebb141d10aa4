// SPDX-License-Identifier: Apache-2.0
//
// What every kernel file starts from: how a kernel is declared, and the element types.
//
// A kernel is a free function kernel (sycl_ext_oneapi_free_function_kernels) with C linkage, so that
// its name is the same for the run-time compiler, for an ahead-of-time build and in the reports of the
// device. Kernel files hold device code only and include nothing but SYCL and each other.
#pragma once

#include <sycl/sycl.hpp>

/// Declares an ND-range kernel of DIMS dimensions; further function properties may follow. `extern "C"` keeps
/// names readable in the binary.
#define XEFORGE_KERNEL(DIMS, ...)                                                                                      \
  extern "C" SYCL_EXTERNAL SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::nd_range_kernel<DIMS>)) \
      __VA_ARGS__ void
/// The same for a kernel whose arguments are one structure. Without SYCL_EXTERNAL, which has the function compiled a
/// second time, as one that others may call: with an argument of that size the offline compiler ends with a
/// segmentation fault for Xe2 then (ESIMD, IGC 2.40.14).
#define XEFORGE_STRUCTURE_KERNEL(DIMS) \
  extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::nd_range_kernel<DIMS>)) void
/// The large register file: 256 registers per thread, half as many threads.
#define XEFORGE_LARGE_GRF SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::intel::experimental::grf_size<256>))

namespace xeforge::kernels {

using bf16 = sycl::ext::oneapi::bfloat16;

/// bf16 is the upper half of a float. Written out, because the library's conversion is a call into a
/// device library that a run-time-compiled image does not contain (it stays an unresolved stack call).
inline float to_float(bf16 value) {
  return sycl::bit_cast<float>(static_cast<uint32_t>(sycl::bit_cast<uint16_t>(value)) << 16);
}

/// Zero made from its bits, for the same reason.
inline bf16 zero() { return sycl::bit_cast<bf16>(static_cast<uint16_t>(0)); }

}  // namespace xeforge::kernels
