// SPDX-License-Identifier: Apache-2.0
//
// zeKernel*.
#include <cstring>

#include "driver/extensions.h"
#include "driver/kernel.h"
#include "driver/state.h"
#include "isa/decode.h"

using namespace xeforge;
using namespace xeforge::driver;

namespace {

// SPIR-V and NEO know it under these numbers only (zex_module.h).
constexpr auto kRegisterFileSize = static_cast<ze_structure_type_t>(0x00030010);

std::shared_ptr<const machine::Kernel> prepare(ModuleImage& image, const std::string& name) {
  try {
    return image.kernel(name);
  } catch (const isa::DecodeError& e) {
    const std::string text = "kernel " + name + " refused at pc " + std::to_string(e.pc) + ": " + e.what();
    say(text);
    throw ApiError(ZE_RESULT_ERROR_INVALID_NATIVE_BINARY, text);
  } catch (const binary::ZebinError& e) {
    const std::string text = "kernel " + name + " refused: " + e.what();
    say(text);
    throw ApiError(ZE_RESULT_ERROR_INVALID_NATIVE_BINARY, text);
  }
}

}  // namespace

extern "C" {

ze_result_t ZE_APICALL zeKernelCreate(ze_module_handle_t hModule, const ze_kernel_desc_t* desc,
                                      ze_kernel_handle_t* phKernel) {
  return guarded(__func__, [&] {
    Module& module = as<Module>(hModule);
    require(desc, "desc");
    require(desc->pKernelName, "desc->pKernelName");
    require(phKernel, "phKernel");
    auto code = prepare(*module.image, desc->pKernelName);
    if (code == nullptr) {
      throw ApiError(ZE_RESULT_ERROR_INVALID_KERNEL_NAME, std::string("the module has no kernel ") + desc->pKernelName);
    }
    auto* kernel = new Kernel;
    kernel->image = module.image;
    kernel->code = std::move(code);
    kernel->arguments.resize(kernel->binary().argument_count());
    if (kernel->binary().required_group_size.has_value()) {
      kernel->group_size = *kernel->binary().required_group_size;
    }
    *phKernel = kernel->handle();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeKernelDestroy(ze_kernel_handle_t hKernel) {
  return guarded(__func__, [&] {
    delete &as<Kernel>(hKernel);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeKernelSetArgumentValue(ze_kernel_handle_t hKernel, uint32_t argIndex, size_t argSize,
                                                const void* pArgValue) {
  return guarded(__func__, [&] {
    as<Kernel>(hKernel).set_argument(argIndex, argSize, pArgValue);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeKernelSetGroupSize(ze_kernel_handle_t hKernel, uint32_t groupSizeX, uint32_t groupSizeY,
                                            uint32_t groupSizeZ) {
  return guarded(__func__, [&] {
    as<Kernel>(hKernel).set_group_size(groupSizeX, groupSizeY, groupSizeZ);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeKernelSuggestGroupSize(ze_kernel_handle_t hKernel, uint32_t globalSizeX, uint32_t globalSizeY,
                                                uint32_t globalSizeZ, uint32_t* groupSizeX, uint32_t* groupSizeY,
                                                uint32_t* groupSizeZ) {
  return guarded(__func__, [&] {
    Kernel& kernel = as<Kernel>(hKernel);
    require(groupSizeX, "groupSizeX");
    require(groupSizeY, "groupSizeY");
    require(groupSizeZ, "groupSizeZ");
    const auto size =
        suggest_group_size(kernel.binary(), kernel.image->model(), {globalSizeX, globalSizeY, globalSizeZ});
    *groupSizeX = size[0];
    *groupSizeY = size[1];
    *groupSizeZ = size[2];
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeKernelSuggestMaxCooperativeGroupCount(ze_kernel_handle_t hKernel, uint32_t* totalGroupCount) {
  return guarded(__func__, [&] {
    Kernel& kernel = as<Kernel>(hKernel);
    require(totalGroupCount, "totalGroupCount");
    *totalGroupCount = max_resident_groups(kernel, kernel.image->model());
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeKernelSetIndirectAccess(ze_kernel_handle_t hKernel, ze_kernel_indirect_access_flags_t flags) {
  return guarded(__func__, [&] {
    as<Kernel>(hKernel).indirect_access = flags;  // all memory is resident, so nothing depends on it
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeKernelGetIndirectAccess(ze_kernel_handle_t hKernel,
                                                 ze_kernel_indirect_access_flags_t* pFlags) {
  return guarded(__func__, [&] {
    Kernel& kernel = as<Kernel>(hKernel);
    require(pFlags, "pFlags");
    *pFlags = kernel.indirect_access;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeKernelSetCacheConfig(ze_kernel_handle_t hKernel, ze_cache_config_flags_t) {
  return guarded(__func__, [&] {
    as<Kernel>(hKernel);  // a wish about the split of L1 and SLM; these devices split by what is used
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeKernelGetSourceAttributes(ze_kernel_handle_t hKernel, uint32_t* pSize, char** pString) {
  return guarded(__func__, [&] {
    as<Kernel>(hKernel);
    require(pSize, "pSize");
    if (pString != nullptr && *pString != nullptr && *pSize > 0) {
      **pString = '\0';
    }
    *pSize = 1;  // the empty text: zebins keep no source attributes
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeKernelGetProperties(ze_kernel_handle_t hKernel, ze_kernel_properties_t* p) {
  return guarded(__func__, [&] {
    Kernel& kernel = as<Kernel>(hKernel);
    require(p, "pKernelProperties");
    const binary::Kernel& binary = kernel.binary();
    const device::Device& model = kernel.image->model();
    const uint32_t simd = std::max(1U, binary.simd_size);
    const auto required = binary.required_group_size.value_or(std::array<uint32_t, 3>{0, 0, 0});
    p->numKernelArgs = static_cast<uint32_t>(kernel.arguments.size());
    p->requiredGroupSizeX = required[0];
    p->requiredGroupSizeY = required[1];
    p->requiredGroupSizeZ = required[2];
    p->requiredNumSubGroups = 0;
    p->requiredSubgroupSize = binary.required_sub_group_size;
    p->maxSubgroupSize = simd;
    p->maxNumSubgroups = (max_group_size(binary, model) + simd - 1) / simd;
    p->localMemSize = binary.slm_size;
    p->privateMemSize = static_cast<uint32_t>(binary.private_size);
    p->spillMemSize = static_cast<uint32_t>(binary.spill_size);
    p->uuid = {};
    for (auto* next = static_cast<ze_base_properties_t*>(p->pNext); next != nullptr;
         next = static_cast<ze_base_properties_t*>(next->pNext)) {
      if (next->stype == ZE_STRUCTURE_TYPE_KERNEL_MAX_GROUP_SIZE_EXT_PROPERTIES) {
        reinterpret_cast<ze_kernel_max_group_size_properties_ext_t*>(next)->maxGroupSize =
            max_group_size(binary, model);
      } else if (next->stype == ZE_STRUCTURE_TYPE_KERNEL_PREFERRED_GROUP_SIZE_PROPERTIES) {
        reinterpret_cast<ze_kernel_preferred_group_size_properties_t*>(next)->preferredMultiple = simd;
      } else if (next->stype == kRegisterFileSize) {
        struct RegisterFileSize {
          ze_structure_type_t stype;
          const void* pNext;
          uint32_t size;
        };
        reinterpret_cast<RegisterFileSize*>(next)->size = binary.grf_count;
      } else {
        note_unknown_structure("zeKernelGetProperties", next->stype);
      }
    }
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeKernelGetName(ze_kernel_handle_t hKernel, size_t* pSize, char* pName) {
  return guarded(__func__, [&] {
    const std::string& name = as<Kernel>(hKernel).binary().name;
    require(pSize, "pSize");
    if (pName != nullptr) {
      if (*pSize < name.size() + 1) {
        throw ApiError(ZE_RESULT_ERROR_INVALID_SIZE, "the name has " + std::to_string(name.size() + 1) + " bytes");
      }
      std::memcpy(pName, name.c_str(), name.size() + 1);
    }
    *pSize = name.size() + 1;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeKernelSetGlobalOffsetExp(ze_kernel_handle_t hKernel, uint32_t offsetX, uint32_t offsetY,
                                                  uint32_t offsetZ) {
  return guarded(__func__, [&] {
    as<Kernel>(hKernel).global_offset = {offsetX, offsetY, offsetZ};
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeKernelSchedulingHintExp(ze_kernel_handle_t hKernel, ze_scheduling_hint_exp_desc_t* pHint) {
  return guarded(__func__, [&] {
    as<Kernel>(hKernel);
    require(pHint, "pHint");
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeKernelGetBinaryExp(ze_kernel_handle_t hKernel, size_t* pSize, uint8_t* pKernelBinary) {
  return guarded(__func__, [&] {
    const auto file = as<Kernel>(hKernel).image->file();
    require(pSize, "pSize");
    if (pKernelBinary != nullptr) {
      if (*pSize < file.size()) {
        throw ApiError(ZE_RESULT_ERROR_INVALID_SIZE, "the binary has " + std::to_string(file.size()) + " bytes");
      }
      std::memcpy(pKernelBinary, file.data(), file.size());
    }
    *pSize = file.size();
    return ZE_RESULT_SUCCESS;
  });
}

}  // extern "C"
