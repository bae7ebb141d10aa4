// SPDX-License-Identifier: Apache-2.0
//
// Kernels of the catalogue as SYCL kernels of a device: compiled at run time from the embedded headers through
// the public kernel_compiler extension, kept on disk as SYCLBIN, reloaded through the public syclbin extension. With
// XEFORGE_AOT_ICPX the kernels of the ahead-of-time build are used instead.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <sycl/sycl.hpp>

#include "gemm/binary_cache.h"
#include "gemm/catalog.h"

namespace xeforge::gemm {

/// Kernels that are compiled together.
struct Module {
  std::string name;    ///< what it is called in messages and in the cache
  std::string source;  ///< includes of kernel headers, instantiations
  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the comparison for a pointer
  auto operator<=>(const Module&) const = default;
};

/// A family, apart by register mode and kind, because the runtime hands all images of a module to the driver as one
/// program with the build flags of all of them.
Module module_of(const Rung& rung);

class KernelLibrary {
 public:
  /// `progress` is told, in one line, about work that takes seconds.
  using Progress = std::function<void(const std::string&)>;

  explicit KernelLibrary(sycl::context context, sycl::device device, Progress progress = {},
                         BinaryCache cache = BinaryCache(BinaryCache::default_directory()));

  /// Compiles or loads what is needed. Throws sycl::exception with the compiler's text for a kernel that does not
  /// compile.
  sycl::kernel kernel(const Module& module, std::string_view function);
  sycl::kernel kernel(const Rung& rung) { return kernel(module_of(rung), rung.kernel); }

  /// How many modules were compiled from source, and loaded from the cache, by this object.
  unsigned compiled() const { return compiled_; }
  unsigned loaded() const { return loaded_; }

 private:
  struct Loaded {
    std::vector<char> content;  ///< SYCLBIN; the runtime's images point into it
    sycl::kernel_bundle<sycl::bundle_state::executable> bundle;
  };
  std::vector<char> compiled_content(const Module& module);
  const Loaded& loaded_module(const Module& module);

  sycl::context context_;
  sycl::device device_;
  Progress progress_;
  BinaryCache cache_;
  std::map<Module, Loaded> modules_;
  unsigned compiled_ = 0, loaded_ = 0;
};

}  // namespace xeforge::gemm
