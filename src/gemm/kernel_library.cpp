// SPDX-License-Identifier: Apache-2.0
#include "gemm/kernel_library.h"

#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/embedded.h"

namespace xeforge::gemm {

namespace syclexp = sycl::ext::oneapi::experimental;

namespace {

std::string text_of(unsigned number) { return std::to_string(number); }

/// Everything that decides what the compilation gives.
std::string cache_key(const Module& module, const sycl::device& device) {
  Digest digest;
  digest.add(module.source);
  for (const auto& file : kernels::embedded_files()) digest.add(file.name).add(file.text);
  digest.add(text_of(__LIBSYCL_MAJOR_VERSION) + "." + text_of(__LIBSYCL_MINOR_VERSION) + "." +
             text_of(__LIBSYCL_PATCH_VERSION));
  digest.add(text_of(__SYCL_COMPILER_VERSION));
  digest.add(device.get_info<sycl::info::device::name>());
  digest.add(device.get_info<sycl::info::device::driver_version>());
  digest.add(device.get_platform().get_info<sycl::info::platform::version>());
  return module.name + "-" + digest.hex();
}

#ifdef XEFORGE_AOT_ICPX
/// The kernel of this name among those that were compiled ahead of time and linked into the program.
std::optional<sycl::kernel> ahead_of_time(const sycl::context& context, const sycl::device& device,
                                          std::string_view name) {
  for (const sycl::kernel_id& id : sycl::get_kernel_ids()) {
    std::string_view known = id.get_name();
    constexpr std::string_view prefix = "__sycl_kernel_";
    if (known.starts_with(prefix)) known.remove_prefix(prefix.size());
    if (known == name)
      return sycl::get_kernel_bundle<sycl::bundle_state::executable>(context, {device}, {id}).get_kernel(id);
  }
  return std::nullopt;
}
#endif

}  // namespace

Module module_of(const Rung& rung) {
  std::set<std::string_view> headers;
  for (const Rung& other : catalog()) {
    if (other.family == rung.family && other.esimd == rung.esimd && other.grf == rung.grf) headers.insert(other.header);
  }
  Module module{std::string(name_of(rung.family)), {}};
  for (const std::string_view header : headers) module.source += "#include \"" + std::string(header) + "\"\n";
  return module;
}

KernelLibrary::KernelLibrary(sycl::context context, sycl::device device, Progress progress, BinaryCache cache)
    : context_(std::move(context)),
      device_(std::move(device)),
      progress_(std::move(progress)),
      cache_(std::move(cache)) {}

std::vector<char> KernelLibrary::compiled_content(const Module& module) {
  const std::string key = cache_key(module, device_);
  const auto lock = cache_.lock(key);
  if (auto content = cache_.load(key)) {
    ++loaded_;
    return std::move(*content);
  }
  if (progress_) progress_("compiling the " + module.name + " kernels (kept for the next time)");
  syclexp::include_files files;
  for (const auto& file : kernels::embedded_files()) files.add(std::string(file.name), std::string(file.text));
  auto bundle = syclexp::create_kernel_bundle_from_source(context_, syclexp::source_language::sycl, module.source,
                                                          syclexp::properties{files});
  // -I.: headers in memory include one another by names that begin at the folder of the source.
  const auto object = syclexp::compile(
      bundle, {device_}, syclexp::properties{syclexp::build_options{std::vector<std::string>{"-O3", "-w", "-I."}}});
  ++compiled_;
  std::vector<char> content = object.ext_oneapi_get_content();
  cache_.store(key, content);
  return content;
}

const KernelLibrary::Loaded& KernelLibrary::loaded_module(const Module& module) {
  if (const auto found = modules_.find(module); found != modules_.end()) return found->second;
  std::vector<char> content = compiled_content(module);
  // Freshly compiled or not, one way leads to the kernels: through the content.
  const auto object = syclexp::get_kernel_bundle<sycl::bundle_state::object>(
      context_, {device_}, sycl::span<char>(content.data(), content.size()));
  auto executable = sycl::link(object);
  return modules_.emplace(module, Loaded{std::move(content), std::move(executable)}).first->second;
}

sycl::kernel KernelLibrary::kernel(const Module& module, std::string_view function) {
#ifdef XEFORGE_AOT_ICPX
  if (auto kernel = ahead_of_time(context_, device_, function)) return *kernel;
#endif
  auto bundle = loaded_module(module).bundle;
  return bundle.ext_oneapi_get_kernel(std::string(function));
}

}  // namespace xeforge::gemm
