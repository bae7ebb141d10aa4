// SPDX-License-Identifier: Apache-2.0
#include "lab/inspect_input.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "binary/zebin.h"
#include "compile/compile.h"
#include "compile/files.h"
#include "compile/spirv.h"
#include "compile/sycl_source.h"
#include "lab/errors.h"

namespace xeforge::lab {

namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

InspectModule compiled(std::string kind, const compile::Request& request) {
  compile::Result result = compile::compile(request);
  return {std::move(kind), std::move(result.zebin), std::move(result.warnings), std::move(result.error)};
}

std::vector<InspectModule> from_sycl(const InspectInput& input, const device::Device& device) {
  compile::SyclRequest request;
  request.source = input.file;
  request.options = input.source_options;
  request.files = input.include_files;
  const compile::SyclResult result = compile::compile_sycl(request);
  if (!result.ok) return {{"sycl", {}, {}, result.error}};
  std::vector<InspectModule> modules;
  for (const compile::SyclImage& image : result.images) {
    if (image.kind == compile::SyclImage::Kind::DeviceLibrary || image.kernels.empty()) continue;
    compile::Request build = compile::runtime_request(image, result.images, device);
    if (!input.build_options.empty()) build.options += " " + joined(input.build_options);
    modules.push_back(compiled(image.kind == compile::SyclImage::Kind::Esimd ? "esimd" : "sycl", build));
  }
  if (modules.empty())
    modules.push_back({"sycl",
                       {},
                       {},
                       input.file.string() + " has no kernel. Free functions are kernels when they are marked "
                                             "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::nd_"
                                             "range_kernel<N>)); templates need an "
                                             "explicit instantiation"});
  return modules;
}

compile::Request request_of(compile::Source::Kind kind, std::vector<std::byte> bytes,
                            const std::vector<std::string>& options, const device::Device& device) {
  compile::Request request;
  request.sources.push_back({kind, std::move(bytes)});
  request.options = joined(options);
  request.device = &device;
  return request;
}

bool has_suffix(const std::filesystem::path& file, std::initializer_list<std::string_view> suffixes) {
  const std::string own = file.extension().string();
  return std::any_of(suffixes.begin(), suffixes.end(), [&](std::string_view suffix) { return own == suffix; });
}

}  // namespace

std::vector<InspectModule> make_modules(const InspectInput& input, const device::Device& device) {
  auto bytes = compile::read_file(input.file);
  if (!bytes) throw UserError("cannot read " + input.file.string());
  if (binary::looks_like_zebin(*bytes)) return {{"zebin", std::move(*bytes), {}, {}}};
  if (compile::spirv::looks_like_spirv(*bytes))
    return {
        compiled("spirv", request_of(compile::Source::Kind::Spirv, std::move(*bytes), input.build_options, device))};
  if (has_suffix(input.file, {".cl"})) {
    std::vector<std::string> options = input.source_options;
    options.insert(options.end(), input.build_options.begin(), input.build_options.end());
    // The offline compiler works in a directory of its own.
    options.push_back("-I" + std::filesystem::absolute(input.file).parent_path().string());
    return {compiled("opencl c", request_of(compile::Source::Kind::OpenClC, std::move(*bytes), options, device))};
  }
  if (has_suffix(input.file, {".cpp", ".cc", ".cxx", ".hpp", ".h"})) return from_sycl(input, device);
  throw UserError(input.file.string() + " is neither SYCL (.cpp) nor OpenCL C (.cl) nor SPIR-V nor a zebin");
}

}  // namespace xeforge::lab
