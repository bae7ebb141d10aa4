// SPDX-License-Identifier: Apache-2.0
//
// The SYCL side of a device: finding it.
#pragma once

#include <string>

#include <sycl/sycl.hpp>

namespace xeforge::lab {

/// The Level Zero GPU that prepare_process() made visible. Throws UserError (NoDevice) if there is none.
sycl::device find_sycl_device(const std::string& id);

}  // namespace xeforge::lab
