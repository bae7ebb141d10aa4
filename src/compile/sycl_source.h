// SPDX-License-Identifier: Apache-2.0
//
// SYCL and ESIMD source to SPIR-V images without a device, for the offline tools (`xeforge inspect`, tests). Programs
// use SYCL's public run-time compilation instead. The work is done by the program xeforge-syclc in a process of its
// own.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "compile/compile.h"

namespace xeforge::compile {

struct SyclImage {
  enum class Kind { Simt, Esimd, DeviceLibrary } kind = Kind::Simt;
  std::vector<std::byte> spirv;
  std::vector<std::string> kernels;  ///< names in the binary ("__sycl_kernel_gemm")
  std::vector<std::string> imports;  ///< functions that a device-library image has to define
  std::vector<std::string> exports;  ///< device libraries: functions defined
  unsigned grf_size = 0;             ///< property grf_size<N>; 0: not asked for
  bool native_bf16 = false;          ///< device libraries: uses the hardware's bf16 conversions
  std::string properties;            ///< all property sets as JSON text
};

struct SyclRequest {
  std::filesystem::path source;
  std::vector<std::string> options;                                  ///< "-DWIDE=1", "-Idir", "-O3", ...
  std::vector<std::pair<std::string, std::filesystem::path>> files;  ///< include name -> file
  std::chrono::seconds timeout{300};
};

struct SyclResult {
  bool ok = false;
  std::vector<SyclImage> images;
  std::string log;    ///< the compiler's diagnostics
  std::string error;  ///< when !ok
};

/// Does not throw for a program that does not compile; throws std::runtime_error if xeforge-syclc is not found
/// ($XEFORGE_SYCLC, beside the running program, in the build tree, in $PATH).
SyclResult compile_sycl(const SyclRequest& request);

/// What SYCL's runtime would hand to the driver for `image`: the module, with the device-library images of `all` that
/// it imports from, and the runtime's option string.
Request runtime_request(const SyclImage& image, const std::vector<SyclImage>& all, const device::Device& device);

}  // namespace xeforge::compile
