// SPDX-License-Identifier: Apache-2.0
//
// xeforge-syclc: SYCL source to SPIR-V images without a device. A program of its own because the library that it calls
// ends the process on some inputs (toolchain.md, ABI rules); see sycl_source.h for the caller's side.
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <dlfcn.h>
#include <link.h>
#include <nlohmann/json.hpp>

#include "compile/files.h"
#include "compile/sycl_jit_abi.h"
#include "xeforge/compiled_paths.h"

namespace {

using namespace xeforge::compile;
using Json = nlohmann::ordered_json;

constexpr const char* kUsage =
    R"(usage: xeforge-syclc SOURCE.cpp -o PREFIX [--file NAME=PATH]... [--library PATH] [COMPILER OPTION]...
Compiles SYCL and ESIMD kernels to SPIR-V: PREFIX.0.esimd.spv, PREFIX.1.simt.spv, ... and PREFIX.json with their properties.
  -o PREFIX         where to write
  --file NAME=PATH  makes the file available as #include "NAME"
  --library PATH    libsycl-jit to use (default: $XEFORGE_SYCL_ROOT/lib, else the one found at build time)
  -DNAME=VALUE, -IDIR, -O3, -w, ...  go to the compiler
Kernels are functions marked SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclext::nd_range_kernel<N>)) (free functions) or lambdas.
)";

struct Arguments {
  std::string source, prefix, library;
  std::vector<std::pair<std::string, std::string>> files;
  std::vector<std::string> options;
};

struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&]() -> std::string {
      if (i + 1 >= argc) throw UsageError(word + " needs a value");
      return argv[++i];
    };
    if (word == "-h" || word == "--help") {
      std::fputs(kUsage, stdout);
      std::exit(0);
    } else if (word == "-o") {
      arguments.prefix = value();
    } else if (word == "--library") {
      arguments.library = value();
    } else if (word == "--file") {
      const std::string pair = value();
      const size_t at = pair.find('=');
      if (at == std::string::npos) throw UsageError("--file wants NAME=PATH, not '" + pair + "'");
      arguments.files.emplace_back(pair.substr(0, at), pair.substr(at + 1));
    } else if (word == "-I" || word == "-D" || word == "-U" || word == "-include") {
      arguments.options.push_back(word == "-include" ? word : word + value());
      if (word == "-include") arguments.options.push_back(value());
    } else if (word.starts_with('-')) {
      arguments.options.push_back(word);
    } else if (arguments.source.empty()) {
      arguments.source = word;
    } else {
      throw UsageError("one source file at a time: " + arguments.source + " and " + word);
    }
  }
  if (arguments.source.empty()) throw UsageError("no source file given");
  if (arguments.prefix.empty()) throw UsageError("no output given (-o PREFIX)");
  return arguments;
}

std::string default_library() {
  const std::string root = xeforge::paths::sycl_root();
  if (root.empty()) throw std::runtime_error("no SYCL runtime is known: run setup/setup.sh, or set XEFORGE_SYCL_ROOT");
  return root + "/lib/" + jit::kJitSoname;
}

/// DT_SONAME of a loaded library.
std::string soname_of(void* handle) {
  link_map* map = nullptr;
  if (::dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr) return {};
  const char* strings = nullptr;
  ElfW(Xword) at = 0;
  for (const ElfW(Dyn)* entry = map->l_ld; entry->d_tag != DT_NULL; ++entry) {
    // glibc has relocated the address in place.
    if (entry->d_tag == DT_STRTAB) strings = reinterpret_cast<const char*>(entry->d_un.d_ptr);
    if (entry->d_tag == DT_SONAME) at = entry->d_un.d_val;
  }
  return strings == nullptr || at == 0 ? std::string() : std::string(strings + at);
}

jit::CompileSycl load_compiler(const std::string& library) {
  void* handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw std::runtime_error(std::string("cannot load the SYCL compiler: ") + ::dlerror());
  const std::string soname = soname_of(handle);
  if (soname != jit::kJitSoname)
    throw std::runtime_error(library + " is " + soname + ", but this program was written for " + jit::kJitSoname +
                             " (SYCL wheels 2026.2.0) and does not call another");
  void* entry = ::dlsym(handle, "compileSYCL");
  if (entry == nullptr) throw std::runtime_error(library + " has no compileSYCL");
  return reinterpret_cast<jit::CompileSycl>(entry);
}

const char* or_empty(const char* text) { return text == nullptr ? "" : text; }

Json properties_of(const jit::Image& image) {
  Json sets = Json::object();
  for (size_t s = 0; s < image.property_sets.size; ++s) {
    const jit::PropertySet& set = image.property_sets.data[s];
    Json& target = sets[or_empty(set.name)] = Json::object();
    for (size_t p = 0; p < set.properties.size; ++p) {
      const jit::Property& property = set.properties.data[p];
      if (property.is_u32)
        target[or_empty(property.name)] = property.value;
      else
        target[or_empty(property.name)] =
            std::vector<unsigned>(property.bytes.data, property.bytes.data + property.bytes.size);
    }
  }
  return sets;
}

std::string kind_of(const Json& sets) {
  if (sets.contains("SYCL/devicelib metadata")) return "devicelib";
  const auto misc = sets.find("SYCL/misc properties");
  if (misc != sets.end() && misc->value("isEsimdImage", 0u) != 0) return "esimd";
  return "simt";
}

std::string read_source(const std::string& path) {
  const auto text = read_text_file(path);
  if (!text) throw std::runtime_error("cannot read " + path);
  if (text->find('\0') != std::string::npos) throw std::runtime_error(path + " is not a text file");
  return *text;
}

int run(const Arguments& arguments) {
  const jit::CompileSycl compile = load_compiler(arguments.library.empty() ? default_library() : arguments.library);
  const std::string path = std::filesystem::absolute(arguments.source).string();
  const std::string text = read_source(arguments.source);

  std::vector<std::string> contents;
  contents.reserve(arguments.files.size());
  std::vector<jit::File> includes;
  for (const auto& [name, file] : arguments.files) {
    contents.push_back(read_source(file));
    includes.push_back({name.c_str(), contents.back().c_str()});
  }
  std::vector<std::string> options = arguments.options;
  // Includes beside the source, as any compiler finds them: the library sees the source as a file in memory.
  options.push_back("-I" + std::filesystem::path(path).parent_path().string());
  std::vector<const char*> words;
  words.reserve(options.size());
  for (const auto& option : options) words.push_back(option.c_str());

  const jit::CompileResult result = compile({path.c_str(), text.c_str()}, {includes.data(), includes.size()},
                                            {words.data(), words.size()}, {nullptr, 0}, false, jit::Format::Spirv);
  std::fputs(or_empty(result.log), stderr);
  if (result.error != jit::ErrorCode::Success) {
    std::fprintf(stderr, "xeforge-syclc: %s was not compiled\n", arguments.source.c_str());
    return 1;
  }
  Json manifest = Json::object();
  manifest["source"] = arguments.source;
  manifest["images"] = Json::array();
  for (size_t i = 0; i < result.images.size; ++i) {
    const jit::Image& image = result.images.data[i];
    Json entry = Json::object();
    const Json sets = properties_of(image);
    const std::string kind = kind_of(sets);
    const std::string file = arguments.prefix + "." + std::to_string(i) + "." + kind + ".spv";
    write_file(file, std::as_bytes(std::span(image.binary.data, image.binary.size)));
    entry["file"] = std::filesystem::path(file).filename().string();
    entry["kind"] = kind;
    entry["symbols"] = Json::array();
    for (size_t s = 0; s < image.symbols.size; ++s) entry["symbols"].push_back(or_empty(image.symbols.data[s]));
    entry["properties"] = sets;
    manifest["images"].push_back(std::move(entry));
  }
  write_file(arguments.prefix + ".json", as_bytes(manifest.dump(1) + "\n"));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(parse(argc, argv));
  } catch (const UsageError& error) {
    std::fprintf(stderr, "xeforge-syclc: %s\n%s", error.what(), kUsage);
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "xeforge-syclc: %s\n", error.what());
    return 1;
  }
}
