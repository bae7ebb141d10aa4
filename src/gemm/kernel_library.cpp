// SPDX-License-Identifier: Apache-2.0
#include "gemm/kernel_library.h"

#include <set>
#include <utility>
#include <vector>

#include "kernels/embedded.h"

namespace xeforge::gemm {

namespace syclexp = sycl::ext::oneapi::experimental;

namespace {

std::string text_of(int number) { return std::to_string(number); }

/// Everything that decides what the compilation gives.
std::string cache_key(Family family, const std::string& source, const sycl::device& device) {
  Digest digest;
  digest.add(source);
  for (const auto& file : kernels::embedded_files()) digest.add(file.name).add(file.text);
  digest.add(text_of(__LIBSYCL_MAJOR_VERSION) + "." + text_of(__LIBSYCL_MINOR_VERSION) + "." + text_of(__LIBSYCL_PATCH_VERSION));
  digest.add(text_of(__SYCL_COMPILER_VERSION));
  digest.add(device.get_info<sycl::info::device::name>());
  digest.add(device.get_info<sycl::info::device::driver_version>());
  digest.add(device.get_platform().get_info<sycl::info::platform::version>());
  return std::string(name_of(family)) + "-" + digest.hex();
}

}  // namespace

std::string module_source(Family family) {
  std::set<std::string_view> headers;
  for (const Rung& rung : catalog()) {
    if (rung.family == family) headers.insert(rung.header);
  }
  std::string source;
  for (const std::string_view header : headers) source += "#include \"" + std::string(header) + "\"\n";
  return source;
}

KernelLibrary::KernelLibrary(sycl::context context, sycl::device device, Progress progress, BinaryCache cache)
    : context_(std::move(context)), device_(std::move(device)), progress_(std::move(progress)), cache_(std::move(cache)) {}

KernelLibrary::Bundle KernelLibrary::build(Family family) {
  const std::string source = module_source(family);
  const std::string key = cache_key(family, source, device_);
  const auto lock = cache_.lock(key);
  if (auto content = cache_.load(key)) {
    ++loaded_;
    return sycl::link(syclexp::get_kernel_bundle<sycl::bundle_state::object>(
        context_, {device_}, sycl::span<char>(content->data(), content->size())));
  }
  if (progress_) progress_("compiling the " + std::string(name_of(family)) + " kernels (kept for the next time)");
  syclexp::include_files files;
  for (const auto& file : kernels::embedded_files()) files.add(std::string(file.name), std::string(file.text));
  auto bundle = syclexp::create_kernel_bundle_from_source(context_, syclexp::source_language::sycl, source,
                                                               syclexp::properties{files});
  // -I.: headers in memory include one another by names that begin at the folder of the source.
  std::string log;
  const auto object = syclexp::compile(
      bundle, {device_},
      syclexp::properties{syclexp::build_options{std::vector<std::string>{"-O3", "-w", "-I."}}, syclexp::save_log{&log}});
  ++compiled_;
  const std::vector<char> content = object.ext_oneapi_get_content();
  cache_.store(key, content);
  return sycl::link(object);
}

sycl::kernel KernelLibrary::kernel(const Rung& rung) {
  auto found = modules_.find(rung.family);
  if (found == modules_.end()) found = modules_.emplace(rung.family, build(rung.family)).first;
  return found->second.ext_oneapi_get_kernel(std::string(rung.kernel));
}

}  // namespace xeforge::gemm
