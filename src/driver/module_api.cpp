// SPDX-License-Identifier: Apache-2.0
//
// zeModule*, zeModuleBuildLog*.
#include <cstring>
#include <fstream>

#include "compile/compile.h"
#include "driver/extensions.h"
#include "driver/module.h"
#include "driver/module_source.h"
#include "driver/state.h"

using namespace xeforge;
using namespace xeforge::driver;

namespace {

void give_log(ze_module_build_log_handle_t* log, std::string text) {
  if (log != nullptr) {
    auto* object = new BuildLog;
    object->text = std::move(text);
    *log = object->handle();
  }
}

struct Built {
  std::vector<std::byte> file;
  std::string log;
};

Built build(const ModuleSource& source, const device::Device& model) {
  if (source.native) {
    return {source.inputs.front(), {}};
  }
  compile::Request request;
  request.options = source.options;
  request.device = &model;
  for (const auto& input : source.inputs) {
    request.sources.push_back({compile::Source::Kind::Spirv, input});
  }
  compile::Result result = compile::compile(request);
  std::string log = result.log;
  for (const std::string& warning : result.warnings) {
    trace("compiler: " + warning);
    if (log.find(warning) == std::string::npos) {
      log += "\n" + warning;
    }
  }
  if (!result.ok) {
    throw ApiError(ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, result.error + (log.empty() ? "" : "\n" + log));
  }
  return {std::move(result.zebin), std::move(log)};
}

ze_result_t create_module(const ze_module_desc_t& desc, ze_module_handle_t* out, ze_module_build_log_handle_t* log) {
  Device& device = state().device;
  try {
    const ModuleSource source = read_module_source(desc);
    Built built = build(source, device.model);
    dump_module(source, built.file);
    auto module = std::make_unique<Module>();
    module->image = std::make_shared<ModuleImage>(std::move(built.file), device.model, device.usm);
    for (const std::string& warning : module->image->zebin().warnings) {
      trace("zebin: " + warning);
    }
    give_log(log, std::move(built.log));
    *out = module.release()->handle();
    return ZE_RESULT_SUCCESS;
  } catch (const ApiError& e) {
    give_log(log, e.what());
    throw;
  } catch (const binary::ZebinError& e) {
    say(std::string("module refused: ") + e.what());
    give_log(log, e.what());
    throw ApiError(desc.format == ZE_MODULE_FORMAT_NATIVE ? ZE_RESULT_ERROR_INVALID_NATIVE_BINARY
                                                          : ZE_RESULT_ERROR_MODULE_BUILD_FAILURE,
                   e.what());
  } catch (const std::runtime_error& e) {
    // There is no compiler: nothing will work, so it is said even when nobody reads logs.
    say(std::string("module not built: ") + e.what());
    give_log(log, e.what());
    throw ApiError(ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, e.what());
  }
}

}  // namespace

extern "C" {

ze_result_t ZE_APICALL zeModuleCreate(ze_context_handle_t hContext, ze_device_handle_t hDevice,
                                      const ze_module_desc_t* desc, ze_module_handle_t* phModule,
                                      ze_module_build_log_handle_t* phBuildLog) {
  return guarded(__func__, [&] {
    as<Context>(hContext);
    as<Device>(hDevice);
    require(desc, "desc");
    require(phModule, "phModule");
    *phModule = nullptr;
    if (phBuildLog != nullptr) {
      *phBuildLog = nullptr;
    }
    return create_module(*desc, phModule, phBuildLog);
  });
}

ze_result_t ZE_APICALL zeModuleDestroy(ze_module_handle_t hModule) {
  return guarded(__func__, [&] {
    delete &as<Module>(hModule);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeModuleGetProperties(ze_module_handle_t hModule, ze_module_properties_t* pModuleProperties) {
  return guarded(__func__, [&] {
    Module& module = as<Module>(hModule);
    require(pModuleProperties, "pModuleProperties");
    pModuleProperties->flags = module.image->imports().empty() ? 0U : uint32_t{ZE_MODULE_PROPERTY_FLAG_IMPORTS};
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeModuleDynamicLink(uint32_t numModules, ze_module_handle_t* phModules,
                                           ze_module_build_log_handle_t* phLinkLog) {
  return guarded(__func__, [&]() -> ze_result_t {
    require(phModules, "phModules");
    for (uint32_t i = 0; i < numModules; ++i) {
      for (uint32_t j = 0; j < numModules; ++j) {
        if (i != j) {
          as<Module>(phModules[i]).image->link(as<Module>(phModules[j]).image);
        }
      }
    }
    std::string missing;
    for (uint32_t i = 0; i < numModules; ++i) {
      for (const std::string& name : as<Module>(phModules[i]).image->imports()) {
        missing += (missing.empty() ? "unresolved: " : ", ") + name;
      }
    }
    give_log(phLinkLog, missing);
    if (!missing.empty()) {
      throw ApiError(ZE_RESULT_ERROR_MODULE_LINK_FAILURE, missing);
    }
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeModuleInspectLinkageExt(ze_linkage_inspection_ext_desc_t* pInspectDesc, uint32_t numModules,
                                                 ze_module_handle_t* phModules, ze_module_build_log_handle_t* phLog) {
  return guarded(__func__, [&] {
    require(pInspectDesc, "pInspectDesc");
    require(phModules, "phModules");
    require(phLog, "phLog");
    std::string text;
    for (uint32_t i = 0; i < numModules; ++i) {
      const auto& image = as<Module>(phModules[i]).image;
      if ((pInspectDesc->flags &
           (ZE_LINKAGE_INSPECTION_EXT_FLAG_IMPORTS | ZE_LINKAGE_INSPECTION_EXT_FLAG_UNRESOLVABLE_IMPORTS)) != 0) {
        for (const std::string& name : image->imports()) {
          text += "import " + name + "\n";
        }
      }
      if ((pInspectDesc->flags & ZE_LINKAGE_INSPECTION_EXT_FLAG_EXPORTS) != 0) {
        for (const binary::Symbol& symbol : image->zebin().symbols) {
          if (!symbol.undefined() && symbol.is_global) {
            text += "export " + symbol.name + "\n";
          }
        }
      }
    }
    give_log(phLog, text);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeModuleGetNativeBinary(ze_module_handle_t hModule, size_t* pSize,
                                               uint8_t* pModuleNativeBinary) {
  return guarded(__func__, [&] {
    const auto file = as<Module>(hModule).image->file();
    require(pSize, "pSize");
    if (pModuleNativeBinary != nullptr) {
      if (*pSize < file.size()) {
        throw ApiError(ZE_RESULT_ERROR_INVALID_SIZE, "the binary has " + std::to_string(file.size()) + " bytes");
      }
      std::memcpy(pModuleNativeBinary, file.data(), file.size());
    }
    *pSize = file.size();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeModuleGetGlobalPointer(ze_module_handle_t hModule, const char* pGlobalName, size_t* pSize,
                                                void** pptr) {
  return guarded(__func__, [&] {
    Module& module = as<Module>(hModule);
    require(pGlobalName, "pGlobalName");
    const auto global = module.image->global(pGlobalName);
    if (!global.has_value()) {
      throw ApiError(ZE_RESULT_ERROR_INVALID_GLOBAL_NAME, std::string("there is no variable ") + pGlobalName);
    }
    if (pSize != nullptr) {
      *pSize = global->size;
    }
    if (pptr != nullptr) {
      *pptr = reinterpret_cast<void*>(global->address);
    }
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeModuleGetFunctionPointer(ze_module_handle_t hModule, const char* pFunctionName,
                                                  void** pfnFunction) {
  return guarded(__func__, [&]() -> ze_result_t {
    Module& module = as<Module>(hModule);
    require(pFunctionName, "pFunctionName");
    require(pfnFunction, "pfnFunction");
    for (const binary::Symbol& symbol : module.image->zebin().symbols) {
      if (symbol.name == pFunctionName && symbol.is_function && !symbol.undefined()) {
        // Code is addressed relative to each kernel here, so that one address for all kernels does not exist.
        throw ApiError(
            ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
            std::string("calls through pointers to device functions are not implemented (") + pFunctionName + ")");
      }
    }
    throw ApiError(ZE_RESULT_ERROR_INVALID_FUNCTION_NAME, std::string("there is no function ") + pFunctionName);
  });
}

ze_result_t ZE_APICALL zeModuleGetKernelNames(ze_module_handle_t hModule, uint32_t* pCount, const char** pNames) {
  return guarded(__func__, [&] {
    const auto& kernels = as<Module>(hModule).image->zebin().kernels;
    return_array(pCount, pNames, static_cast<uint32_t>(kernels.size()),
                 [&](uint32_t i, const char*& name) { name = kernels[i].name.c_str(); });
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeModuleBuildLogDestroy(ze_module_build_log_handle_t hModuleBuildLog) {
  return guarded(__func__, [&] {
    delete &as<BuildLog>(hModuleBuildLog);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeModuleBuildLogGetString(ze_module_build_log_handle_t hModuleBuildLog, size_t* pSize,
                                                 char* pBuildLog) {
  return guarded(__func__, [&] {
    const std::string& text = as<BuildLog>(hModuleBuildLog).text;
    require(pSize, "pSize");
    const size_t needed = text.size() + 1;
    if (pBuildLog != nullptr) {
      if (*pSize < needed) {
        throw ApiError(ZE_RESULT_ERROR_INVALID_SIZE, "the log has " + std::to_string(needed) + " bytes");
      }
      std::memcpy(pBuildLog, text.c_str(), needed);
    }
    *pSize = needed;
    return ZE_RESULT_SUCCESS;
  });
}

}  // extern "C"
