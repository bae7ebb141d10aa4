// SPDX-License-Identifier: Apache-2.0
#include "compile/sycl_source.h"

#include <algorithm>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "compile/files.h"
#include "compile/process.h"
#include "xeforge/compiled_paths.h"

namespace xeforge::compile {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* kHelper = "xeforge-syclc";

fs::path find_helper() {
  if (const auto own = environment("XEFORGE_SYCLC")) {
    if (!is_executable_file(*own)) throw std::runtime_error("XEFORGE_SYCLC names no program: " + *own);
    return *own;
  }
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  std::vector<fs::path> candidates;
  if (!error) candidates = {self.parent_path() / kHelper, self.parent_path() / ".." / "libexec" / "xeforge" / kHelper};
  candidates.emplace_back(XEFORGE_BUILT_SYCLC);
  for (const auto& candidate : candidates)
    if (is_executable_file(candidate)) return candidate;
  if (const auto found = find_in_path(kHelper)) return *found;
  throw std::runtime_error(
      "xeforge-syclc, which compiles SYCL sources, was not found beside this program or in PATH: build it with 'make "
      "build', "
      "or name it in XEFORGE_SYCLC");
}

std::vector<std::string> keys_of(const Json& sets, const char* set) {
  std::vector<std::string> names;
  if (const auto found = sets.find(set); found != sets.end())
    for (const auto& [name, value] : found->items()) names.push_back(name);
  return names;
}

SyclImage read_image(const Json& entry, const fs::path& directory) {
  SyclImage image;
  const std::string kind = entry.at("kind");
  image.kind = kind == "esimd"       ? SyclImage::Kind::Esimd
               : kind == "devicelib" ? SyclImage::Kind::DeviceLibrary
                                     : SyclImage::Kind::Simt;
  auto bytes = read_file(directory / entry.at("file").get<std::string>());
  if (!bytes) throw std::runtime_error("xeforge-syclc did not write " + entry.at("file").get<std::string>());
  image.spirv = std::move(*bytes);
  image.kernels = entry.at("symbols").get<std::vector<std::string>>();
  const Json& sets = entry.at("properties");
  image.imports = keys_of(sets, "SYCL/imported symbols");
  image.exports = keys_of(sets, "SYCL/exported symbols");
  if (const auto misc = sets.find("SYCL/misc properties"); misc != sets.end())
    image.grf_size = misc->value("sycl-grf-size", 0u);
  if (const auto metadata = sets.find("SYCL/devicelib metadata"); metadata != sets.end())
    image.native_bf16 = metadata->value("bfloat16", 0u) != 0;
  image.properties = sets.dump();
  return image;
}

}  // namespace

SyclResult compile_sycl(const SyclRequest& request) {
  const ScratchDirectory scratch;
  ProcessRequest process;
  process.program = find_helper();
  process.arguments = {fs::absolute(request.source).string(), "-o", (scratch.path() / "image").string(), "--library",
                       paths::sycl_root() + "/lib/libsycl-jit.so.23.1"};
  for (const auto& [name, path] : request.files) {
    process.arguments.emplace_back("--file");
    process.arguments.push_back(name + "=" + fs::absolute(path).string());
  }
  process.arguments.insert(process.arguments.end(), request.options.begin(), request.options.end());
  process.timeout = request.timeout;
  const ProcessResult run = run_process(process);

  SyclResult result;
  result.log = run.output;
  if (!run.ok()) {
    result.error = "the SYCL compiler " + run.how_it_ended();
    if (run.exit_code == 1) result.error = request.source.string() + " does not compile as SYCL:\n" + run.output;
    return result;
  }
  const auto manifest = read_text_file(scratch.path() / "image.json");
  if (!manifest) {
    result.error = "the SYCL compiler wrote no result:\n" + run.output;
    return result;
  }
  const Json images = Json::parse(*manifest).at("images");
  for (const auto& entry : images) result.images.push_back(read_image(entry, scratch.path()));
  result.ok = true;
  return result;
}

Request runtime_request(const SyclImage& image, const std::vector<SyclImage>& all, const device::Device& device) {
  Request request;
  request.device = &device;
  request.sources.push_back({Source::Kind::Spirv, image.spirv});
  // Of the two bf16 libraries the one for hardware with conversion instructions: every device here has them.
  for (const auto& library : all) {
    if (library.kind != SyclImage::Kind::DeviceLibrary || !library.native_bf16) continue;
    const bool wanted = std::any_of(image.imports.begin(), image.imports.end(), [&](const auto& name) {
      return std::find(library.exports.begin(), library.exports.end(), name) != library.exports.end();
    });
    if (wanted) request.sources.push_back({Source::Kind::Spirv, library.spirv});
  }
  request.options = "-ze-opt-level=2";
  if (image.grf_size == 256) request.options += " -ze-opt-large-register-file";
  if (image.kind == SyclImage::Kind::Esimd) request.options += " -vc-codegen -disable-finalizer-msg";
  return request;
}

}  // namespace xeforge::compile
