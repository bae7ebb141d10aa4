// SPDX-License-Identifier: Apache-2.0
//
// What stands behind OpenCL's handles. The loader finds the dispatch table in the first word of each.
#pragma once

#include <atomic>
#include <cstddef>
#include <string>
#include <vector>

#include <CL/cl.h>
#include <CL/cl_icd.h>

#include "device/device.h"

struct _cl_platform_id {
  const cl_icd_dispatch* dispatch;
};

struct _cl_device_id {
  const cl_icd_dispatch* dispatch;
  const xeforge::device::Device* model;
};

namespace xeforge::driver::opencl {
const cl_icd_dispatch* dispatch_table();
}

struct _cl_context {
  const cl_icd_dispatch* dispatch = xeforge::driver::opencl::dispatch_table();
  std::atomic<cl_uint> references{1};
};

struct _cl_program {
  explicit _cl_program(cl_context where) : context(where) {}

  const cl_icd_dispatch* dispatch = xeforge::driver::opencl::dispatch_table();
  cl_context context;
  std::string source;
  cl_build_status status = CL_BUILD_NONE;
  std::string options, log;
  std::vector<std::byte> binary;  ///< a zebin
  std::atomic<cl_uint> references{1};
};

namespace xeforge::driver::opencl {

cl_platform_id platform();
/// The device that XEFORGE_DEVICE names; nullptr (and a line on stderr) if there is none of that name.
cl_device_id device();

cl_int device_info(const _cl_device_id& device, cl_device_info what, size_t room, void* value, size_t* needed);

/// A line on stderr, as the driver writes them.
void say(const std::string& text);

}  // namespace xeforge::driver::opencl
