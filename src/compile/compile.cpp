// SPDX-License-Identifier: Apache-2.0
#include "compile/compile.h"

#include <set>
#include <stdexcept>

#include "compile/bf16_conversions.h"
#include "compile/cache.h"
#include "compile/checks.h"
#include "compile/needed_modules.h"
#include "compile/ocloc.h"
#include "compile/options.h"
#include "compile/sha256.h"
#include "compile/spirv.h"

namespace xeforge::compile {
namespace {

// Part of every key: raise it when the same request would be compiled or checked differently.
constexpr std::string_view kScheme = "4";

std::string key_of(const Request& request, const std::string& options, const Ocloc& ocloc) {
  Sha256 hash;
  hash.add_field(kScheme);
  hash.add_field(ocloc.version);
  hash.add_field(request.device->id);
  hash.add_field(request.device->ocloc_name);
  hash.add_field(options);
  for (const auto& source : request.sources) {
    hash.add_field(source.kind == Source::Kind::Spirv ? "spirv" : "opencl c");
    hash.add_field(source.bytes);
  }
  return hash.finish();
}

Result failed(Result result, std::string error) {
  result.ok = false;
  result.error = std::move(error);
  return result;
}

/// Everything the steps say, in order; false if the step failed.
bool take(Result& result, const OclocOutput& step, const device::Device& device) {
  result.log += step.log;
  if (step.error.empty()) return true;
  const std::string hint = hint_for(step.log, device);
  result.error = hint.empty() ? step.error : hint + "\n" + step.error;
  return false;
}

/// Reads and checks a module; false if it is damaged or refused.
bool check(Result& result, std::span<const std::byte> bytes, const device::Device& device, bool& vector_compute) {
  try {
    const spirv::Module module = spirv::read_module(bytes);
    vector_compute = vector_compute || module.vector_compute;
    const auto reason = refusal(module, device);
    if (reason) result.error = *reason;
    return !reason;
  } catch (const spirv::SpirvError& error) {
    result.error = error.what();
    return false;
  }
}

using Bytes = std::vector<std::byte>;

/// The modules that the code generator has to see: conversions of bfloat16 in place, and without those that nobody
/// calls then.
std::vector<Bytes> modules_to_link(const Request& request) {
  if (request.sources.size() == 1) return {request.sources[0].bytes};
  std::set<std::string> available;
  for (const auto& source : request.sources)
    for (const auto& [id, function] : spirv::read_module(source.bytes).functions)
      if (function.exported) available.insert(function.name);
  std::vector<Bytes> all;
  std::vector<spirv::Module> modules;
  for (const auto& source : request.sources) {
    all.push_back(define_bf16_conversions(source.bytes, available));
    modules.push_back(spirv::read_module(all.back()));
  }
  std::vector<Bytes> needed;
  for (const size_t i : needed_modules(modules)) needed.push_back(std::move(all[i]));
  return needed;
}

Result build(const Request& request, const std::string& options, const Ocloc& ocloc) {
  const device::Device& device = *request.device;
  Result result;
  OclocOutput binary;
  if (request.sources[0].kind == Source::Kind::OpenClC) {
    // In two steps, because the checks read SPIR-V; the code is the same as from one step.
    const OclocOutput module = front_end(ocloc, request.sources[0].bytes, device.ocloc_name, options);
    bool vector_compute = false;
    if (!take(result, module, device) || !check(result, module.file, device, vector_compute)) return result;
    binary = back_end(ocloc, module.file, Input::Spirv, device.ocloc_name, options);
  } else if (const auto modules = modules_to_link(request); modules.size() == 1) {
    binary = back_end(ocloc, modules[0], Input::Spirv, device.ocloc_name, options);
  } else {
    const OclocOutput linked = link_modules(ocloc, {modules.begin(), modules.end()});
    if (!take(result, linked, device)) return result;
    binary = back_end(ocloc, linked.file, Input::Bitcode, device.ocloc_name, options);
  }
  if (!take(result, binary, device)) return result;
  result.warnings = warnings_in(result.log);
  if (auto reason = binary_refusal(binary.file, device)) return failed(std::move(result), std::move(*reason));
  result.ok = true;
  result.zebin = std::move(binary.file);
  return result;
}

}  // namespace

Result compile(const Request& request) {
  if (request.device == nullptr) throw std::invalid_argument("compile: a request without a device");
  if (request.sources.empty()) return failed({}, "nothing to compile");
  for (const auto& source : request.sources) {
    if (source.bytes.empty()) return failed({}, "an empty module was given to the compiler");
    if (source.kind == Source::Kind::OpenClC && request.sources.size() > 1)
      return failed({}, "OpenCL C is compiled one source at a time; only SPIR-V modules can be linked");
  }
  bool vector_compute = asks_for_vector_compiler(request.options);
  for (const auto& source : request.sources) {
    Result result;
    if (source.kind == Source::Kind::Spirv && !check(result, source.bytes, *request.device, vector_compute))
      return result;
  }
  const std::string options = translate_options(request.options, vector_compute);
  const Ocloc ocloc = find_ocloc();
  const std::string key = key_of(request, options, ocloc);
  if (auto entry = cache_load(key)) {
    Result result;
    result.ok = result.from_cache = true;
    result.zebin = std::move(entry->zebin);
    result.log = std::move(entry->log);
    result.warnings = std::move(entry->warnings);
    return result;
  }
  Result result;
  try {
    result = build(request, options, ocloc);
  } catch (const std::runtime_error& error) {  // no place for temporary files, a variable that makes no sense
    return failed({}, error.what());
  }
  if (result.ok) cache_store(key, {result.zebin, result.log, result.warnings});
  return result;
}

}  // namespace xeforge::compile
