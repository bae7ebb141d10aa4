// SPDX-License-Identifier: Apache-2.0
#include "driver/module_source.h"

#include <atomic>
#include <fstream>
#include <set>

#include <unistd.h>

#include "driver/extensions.h"
#include "driver/object.h"
#include "driver/settings.h"
#include "driver/spirv_constants.h"

namespace xeforge::driver {
namespace {

std::vector<std::byte> copy_of(const uint8_t* data, size_t size) {
  require(data, "pInputModule");
  if (size == 0) {
    throw ApiError(ZE_RESULT_ERROR_INVALID_SIZE, "an input module of 0 bytes");
  }
  const auto* bytes = reinterpret_cast<const std::byte*>(data);
  return {bytes, bytes + size};
}

std::vector<std::byte> spirv_of(const uint8_t* data, size_t size, const ze_module_constants_t* constants) {
  std::vector<std::byte> spirv = copy_of(data, size);
  if (constants != nullptr && constants->numConstants > 0) {
    require(constants->pConstantIds, "pConstants->pConstantIds");
    require(constants->pConstantValues, "pConstants->pConstantValues");
    std::map<uint32_t, const void*> values;
    for (uint32_t i = 0; i < constants->numConstants; ++i) {
      values[constants->pConstantIds[i]] = constants->pConstantValues[i];
    }
    try {
      specialize(spirv, values);
    } catch (const std::invalid_argument& e) {
      throw ApiError(ZE_RESULT_ERROR_INVALID_ARGUMENT, e.what());
    }
  }
  return spirv;
}

void read_program(const ze_module_program_exp_desc_t& program, const char* flags, ModuleSource& out) {
  require(program.inputSizes, "inputSizes");
  require(program.pInputModules, "pInputModules");
  std::set<std::string> seen;
  const auto add_flags = [&](const char* text) {
    if (text != nullptr && *text != '\0' && seen.insert(text).second) {
      out.options += (out.options.empty() ? "" : " ") + std::string(text);
    }
  };
  add_flags(flags);
  for (uint32_t i = 0; i < program.count; ++i) {
    const ze_module_constants_t* constants = program.pConstants != nullptr ? program.pConstants[i] : nullptr;
    out.inputs.push_back(spirv_of(program.pInputModules[i], program.inputSizes[i], constants));
    add_flags(program.pBuildFlags != nullptr ? program.pBuildFlags[i] : nullptr);
  }
  if (out.inputs.empty()) {
    throw ApiError(ZE_RESULT_ERROR_INVALID_SIZE, "a program of 0 modules");
  }
}

void write_file(const std::string& path, const std::vector<std::byte>& bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!file) {
    say("XEFORGE_DUMP_MODULES: cannot write " + path);
  }
}

}  // namespace

ModuleSource read_module_source(const ze_module_desc_t& desc) {
  ModuleSource source;
  if (desc.format == ZE_MODULE_FORMAT_NATIVE) {
    source.native = true;
    source.inputs.push_back(copy_of(desc.pInputModule, desc.inputSize));
    return source;
  }
  if (desc.format != ZE_MODULE_FORMAT_IL_SPIRV) {
    throw ApiError(ZE_RESULT_ERROR_INVALID_ENUMERATION,
                   "module format " + std::to_string(static_cast<int>(desc.format)) + " is not known");
  }
  // With a program descriptor the ordinary input members carry nothing.
  if (const auto* program =
          find_structure<ze_module_program_exp_desc_t>(desc.pNext, ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC)) {
    read_program(*program, desc.pBuildFlags, source);
    return source;
  }
  source.inputs.push_back(spirv_of(desc.pInputModule, desc.inputSize, desc.pConstants));
  source.options = desc.pBuildFlags != nullptr ? desc.pBuildFlags : "";
  return source;
}

void dump_module(const ModuleSource& source, const std::vector<std::byte>& binary) {
  const std::string& directory = settings().dump_directory;
  if (directory.empty()) {
    return;
  }
  static std::atomic<unsigned> counter{0};
  const std::string stem = directory + "/module-" + std::to_string(getpid()) + "-" + std::to_string(counter++);
  if (!source.native) {
    for (size_t i = 0; i < source.inputs.size(); ++i) {
      write_file(stem + "." + std::to_string(i) + ".spv", source.inputs[i]);
    }
    std::ofstream(stem + ".options") << source.options << '\n';
  }
  write_file(stem + ".zebin", binary);
}

}  // namespace xeforge::driver
