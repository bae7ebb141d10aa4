// SPDX-License-Identifier: Apache-2.0
#include "lab/sycl_device.h"

#include "lab/errors.h"
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

}  // namespace xeforge::lab
