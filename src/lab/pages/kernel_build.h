// SPDX-License-Identifier: Apache-2.0
//
// Kernels from source with the line table that the pages need, for one device.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "binary/debug_lines.h"
#include "binary/inlined_calls.h"
#include "binary/zebin.h"
#include "compile/sycl_source.h"
#include "device/device.h"

namespace xeforge::lab::pages {

struct BuiltKernel {
  binary::Kernel kernel;
  std::string kind;                                   ///< "sycl", "esimd", "opencl c", ...
  std::shared_ptr<const binary::DebugLines> lines;    ///< never null; may know no lines
  std::shared_ptr<const binary::InlinedCalls> calls;  ///< never null
  bool same_code = false;                             ///< the code is, byte for byte, what is made without a line table
};

struct BuiltFile {
  std::filesystem::path file;
  std::string text;  ///< empty for binaries
  std::vector<BuiltKernel> kernels;
};

/// A source file for any number of devices: SYCL's front end runs once.
class SourceFile {
 public:
  /// Throws UserError (status Failed) with the compiler's message for SYCL that does not compile.
  /// `lines`: SYCL is compiled with a line table, and once more without to compare the two.
  SourceFile(std::filesystem::path file, std::vector<std::string> options, bool lines = true);

  /// Throws UserError (status Failed) with the compiler's message if it cannot be compiled for the device.
  BuiltFile build(const device::Device& device) const;

 private:
  struct Module {
    std::string kind;
    std::vector<std::byte> zebin;
  };
  std::vector<Module> sycl_modules(const compile::SyclResult& front_end, const device::Device& device) const;
  std::vector<Module> other_modules(const device::Device& device) const;

  std::filesystem::path file_;
  std::vector<std::string> options_;
  bool is_sycl_ = false, lines_ = true;
  compile::SyclResult plain_, with_lines_;
};

}  // namespace xeforge::lab::pages
