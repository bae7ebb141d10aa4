// SPDX-License-Identifier: Apache-2.0
#include "lab/sycl_device.h"

#include "lab/commands.h"
#include "lab/virtual_device.h"

namespace xeforge::lab {

sycl::device find_sycl_device(const std::string& id) {
  for (const sycl::platform& platform : sycl::platform::get_platforms()) {
    if (platform.get_backend() != sycl::backend::ext_oneapi_level_zero) continue;
    for (const sycl::device& device : platform.get_devices(sycl::info::device_type::gpu)) return device;
  }
  if (id == kRealDevice) {
    throw UserError(
        "no Intel GPU was found on this machine (no Level Zero GPU device). Is the driver installed "
        "(libze-intel-gpu1), and may you open /dev/dri/renderD*? A virtual device needs neither: --device a770",
        Status::NoDevice);
  }
  throw UserError("SYCL does not see the virtual device '" + id + "'; XEFORGE_VERBOSE=1 shows what the driver is asked",
                  Status::NoDevice);
}

gemm::Target target_of(const sycl::device& device) {
  namespace syclexp = sycl::ext::oneapi::experimental;
  if (!device.has(sycl::aspect::ext_intel_matrix)) return gemm::Target::Any;
  for (const auto& combination : device.get_info<syclexp::info::device::matrix_combinations>()) {
    if (combination.atype != syclexp::matrix::matrix_type::bf16) continue;
    if (combination.nsize == 8) return gemm::Target::XeHpg;
    if (combination.nsize == 16) return gemm::Target::Xe2;
  }
  return gemm::Target::Any;
}

}  // namespace xeforge::lab
