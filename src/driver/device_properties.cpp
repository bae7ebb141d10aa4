// SPDX-License-Identifier: Apache-2.0
//
// zeDeviceGet*Properties: the device's data file in Level Zero's words. What SYCL makes of it
// (architecture, aspects, matrix combinations) follows from ids, the IP version and these flags.
#include <algorithm>
#include <cstring>

#include "driver/clock.h"
#include "driver/device_uuid.h"
#include "driver/extensions.h"
#include "driver/state.h"

using namespace xeforge;
using namespace xeforge::driver;

namespace {

// ze_intel_gpu.h of NEO, not in the public headers: dot product instructions of the device.
constexpr auto kDotProductProperties = static_cast<ze_structure_type_t>(0x00030013);
struct DotProductProperties {
  ze_structure_type_t stype;
  void* pNext;
  uint32_t flags;  // bit 0: dp4a, bit 1: dpas
};

// 2D_BLOCK_TRANSPOSE.md of NEO, not in the public headers: 2D block messages. SYCL's has_2d_block_io_support.
constexpr auto kBlockArrayProperties = static_cast<ze_structure_type_t>(0x00030007);
struct BlockArrayProperties {
  ze_structure_type_t stype;
  void* pNext;
  uint32_t flags;  // bit 0: store, bit 1: load
};

const device::Device& model_of(ze_device_handle_t handle) { return as<Device>(handle).model; }

void put_name(char (&to)[ZE_MAX_DEVICE_NAME], const std::string& name) {
  std::memset(to, 0, sizeof to);
  std::strncpy(to, name.c_str(), sizeof to - 1);
}

ze_device_uuid_t uuid_of(const device::Device& model) {
  ze_device_uuid_t uuid{};
  const auto bytes = device_uuid(model);
  static_assert(sizeof uuid.id == bytes.size());
  std::memcpy(uuid.id, bytes.data(), sizeof uuid.id);
  return uuid;
}

bool integrated(const device::Device& model) { return model.parameters.count("integrated") != 0; }

void extend_device_properties(const device::Device& model, ze_base_properties_t* next) {
  for (; next != nullptr; next = static_cast<ze_base_properties_t*>(next->pNext)) {
    switch (static_cast<uint32_t>(next->stype)) {
      case ZE_STRUCTURE_TYPE_DEVICE_IP_VERSION_EXT:
        reinterpret_cast<ze_device_ip_version_ext_t*>(next)->ipVersion = model.ip_version;
        break;
      case ZE_STRUCTURE_TYPE_EU_COUNT_EXT:
        reinterpret_cast<ze_eu_count_ext_t*>(next)->numTotalEUs = model.xe_cores() * model.eus_per_subslice;
        break;
      case kBlockArrayProperties:
        reinterpret_cast<BlockArrayProperties*>(next)->flags = model.has_block2d ? 3U : 0U;
        break;
      default:
        note_unknown_structure("zeDeviceGetProperties", next->stype);
    }
  }
}

void extend_module_properties(const device::Device& model, ze_base_properties_t* next) {
  for (; next != nullptr; next = static_cast<ze_base_properties_t*>(next->pNext)) {
    if (next->stype == ZE_STRUCTURE_TYPE_FLOAT_ATOMIC_EXT_PROPERTIES) {
      auto* atomics = reinterpret_cast<ze_float_atomic_ext_properties_t*>(next);
      // LSC float atomics of Xe-HPG and Xe2: f32 add and min/max, f16 min/max only; local ones f32/f16 min/max, no add.
      const ze_device_fp_atomic_ext_flags_t load_store =
          ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_LOAD_STORE | ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_LOAD_STORE;
      const ze_device_fp_atomic_ext_flags_t min_max =
          ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_MIN_MAX | ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_MIN_MAX;
      atomics->fp16Flags = load_store | min_max;
      atomics->fp32Flags = load_store | min_max | ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_ADD;
      atomics->fp64Flags = model.has_fp64 ? load_store | min_max | ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_ADD : 0;
    } else if (next->stype == kDotProductProperties) {
      reinterpret_cast<DotProductProperties*>(next)->flags = model.matrix_combinations.empty() ? 1U : 3U;
    } else {
      note_unknown_structure("zeDeviceGetModuleProperties", next->stype);
    }
  }
}

}  // namespace

extern "C" {

ze_result_t ZE_APICALL zeDeviceGetProperties(ze_device_handle_t hDevice, ze_device_properties_t* p) {
  return guarded(__func__, [&] {
    const device::Device& model = model_of(hDevice);
    require(p, "pDeviceProperties");
    p->type = ZE_DEVICE_TYPE_GPU;
    p->vendorId = 0x8086;
    p->deviceId = model.pci_device_id;
    p->flags = integrated(model) ? uint32_t{ZE_DEVICE_PROPERTY_FLAG_INTEGRATED} : 0U;
    p->subdeviceId = 0;
    p->coreClockRate = static_cast<uint32_t>(model.clock_mhz);
    p->maxMemAllocSize = model.max_alloc_bytes;
    p->maxHardwareContexts = 1024 * 64;
    p->maxCommandQueuePriority = 0;
    p->numThreadsPerEU = model.threads_per_eu;
    p->physicalEUSimdWidth = model.simd_width;
    p->numEUsPerSubslice = model.eus_per_subslice;
    p->numSubslicesPerSlice = model.subslices_per_slice;
    p->numSlices = model.slices;
    // The structure's first version wants nanoseconds per tick, that of 1.2 ticks per second.
    p->timerResolution =
        p->stype == ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2 ? kTicksPerSecond : 1'000'000'000U / kTicksPerSecond;
    p->timestampValidBits = kTimestampBits;
    p->kernelTimestampValidBits = kTimestampBits;
    p->uuid = uuid_of(model);
    put_name(p->name, model.name);
    extend_device_properties(model, static_cast<ze_base_properties_t*>(p->pNext));
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeDeviceGetComputeProperties(ze_device_handle_t hDevice, ze_device_compute_properties_t* p) {
  return guarded(__func__, [&] {
    const device::Device& model = model_of(hDevice);
    require(p, "pComputeProperties");
    p->maxTotalGroupSize = p->maxGroupSizeX = p->maxGroupSizeY = p->maxGroupSizeZ = model.max_group_size;
    p->maxGroupCountX = p->maxGroupCountY = p->maxGroupCountZ = UINT32_MAX;
    p->maxSharedLocalMemory = model.slm_per_group;
    const auto sizes = std::min<std::size_t>(model.sub_group_sizes.size(), ZE_SUBGROUPSIZE_COUNT);
    p->numSubGroupSizes = static_cast<uint32_t>(sizes);
    std::copy_n(model.sub_group_sizes.begin(), sizes, p->subGroupSizes);
    for (auto* next = static_cast<ze_base_properties_t*>(p->pNext); next != nullptr;
         next = static_cast<ze_base_properties_t*>(next->pNext)) {
      note_unknown_structure("zeDeviceGetComputeProperties", next->stype);
    }
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeDeviceGetModuleProperties(ze_device_handle_t hDevice, ze_device_module_properties_t* p) {
  return guarded(__func__, [&] {
    const device::Device& model = model_of(hDevice);
    require(p, "pModuleProperties");
    constexpr ze_device_fp_flags_t kIeee = ZE_DEVICE_FP_FLAG_DENORM | ZE_DEVICE_FP_FLAG_INF_NAN |
                                           ZE_DEVICE_FP_FLAG_ROUND_TO_NEAREST | ZE_DEVICE_FP_FLAG_ROUND_TO_ZERO |
                                           ZE_DEVICE_FP_FLAG_ROUND_TO_INF | ZE_DEVICE_FP_FLAG_FMA;
    p->spirvVersionSupported = ZE_MAKE_VERSION(1, 5);
    p->flags = ZE_DEVICE_MODULE_FLAG_FP16 | ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS | ZE_DEVICE_MODULE_FLAG_DP4A |
               (model.has_fp64 ? uint32_t{ZE_DEVICE_MODULE_FLAG_FP64} : 0U);
    p->fp16flags = kIeee;
    p->fp32flags = kIeee | ZE_DEVICE_FP_FLAG_ROUNDED_DIVIDE_SQRT;
    p->fp64flags = model.has_fp64 ? kIeee | ZE_DEVICE_FP_FLAG_ROUNDED_DIVIDE_SQRT : 0U;
    p->maxArgumentsSize = 2048;
    p->printfBufferSize = 4 * 1024 * 1024;
    p->nativeKernelSupported = {};
    extend_module_properties(model, static_cast<ze_base_properties_t*>(p->pNext));
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeDeviceGetCommandQueueGroupProperties(ze_device_handle_t hDevice, uint32_t* pCount,
                                                              ze_command_queue_group_properties_t* pProperties) {
  return guarded(__func__, [&] {
    as<Device>(hDevice);
    return_array(pCount, pProperties, 2, [](uint32_t i, ze_command_queue_group_properties_t& out) {
      const bool compute = i == 0;
      out.flags = ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY |
                  (compute ? ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE |
                                 ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS
                           : 0U);
      // A blitter fills with 16 bytes at most; patterns of any size take a kernel, which here is a loop.
      out.maxMemoryFillPatternSize = compute ? SIZE_MAX : 16;
      out.numQueues = 1;
    });
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeDeviceGetMemoryProperties(ze_device_handle_t hDevice, uint32_t* pCount,
                                                   ze_device_memory_properties_t* pMemProperties) {
  return guarded(__func__, [&] {
    Device& device = as<Device>(hDevice);
    const device::Device& model = device.model;
    return_array(pCount, pMemProperties, 1, [&](uint32_t, ze_device_memory_properties_t& out) {
      out.flags = 0;
      out.maxClockRate = 0;
      out.maxBusWidth = 64;
      out.totalSize = model.memory_bytes;
      put_name(out.name, integrated(model) ? "LPDDR5X" : "GDDR6");
      for (auto* next = static_cast<ze_base_properties_t*>(out.pNext); next != nullptr;
           next = static_cast<ze_base_properties_t*>(next->pNext)) {
        if (next->stype == ZE_STRUCTURE_TYPE_DEVICE_MEMORY_EXT_PROPERTIES) {
          auto* ext = reinterpret_cast<ze_device_memory_ext_properties_t*>(next);
          ext->type = integrated(model) ? ZE_DEVICE_MEMORY_EXT_TYPE_LPDDR5 : ZE_DEVICE_MEMORY_EXT_TYPE_GDDR6;
          ext->physicalSize = model.memory_bytes;
          ext->readBandwidth = ext->writeBandwidth = static_cast<uint32_t>(model.memory_gb_per_s);
          ext->bandwidthUnit = ZE_BANDWIDTH_UNIT_BYTES_PER_NANOSEC;
        } else if (next->stype == ZE_STRUCTURE_TYPE_DEVICE_USABLEMEM_SIZE_EXT_PROPERTIES) {
          reinterpret_cast<ze_device_usablemem_size_ext_properties_t*>(next)->currUsableMemSize =
              device.usm.device_bytes_free();
        } else {
          note_unknown_structure("zeDeviceGetMemoryProperties", next->stype);
        }
      }
    });
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeDeviceGetMemoryAccessProperties(ze_device_handle_t hDevice,
                                                         ze_device_memory_access_properties_t* p) {
  return guarded(__func__, [&] {
    as<Device>(hDevice);
    require(p, "pMemAccessProperties");
    constexpr ze_memory_access_cap_flags_t kReadWriteAtomic =
        ZE_MEMORY_ACCESS_CAP_FLAG_RW | ZE_MEMORY_ACCESS_CAP_FLAG_ATOMIC;
    p->hostAllocCapabilities = kReadWriteAtomic;
    p->deviceAllocCapabilities = kReadWriteAtomic;
    p->sharedSingleDeviceAllocCapabilities = kReadWriteAtomic;
    p->sharedCrossDeviceAllocCapabilities = 0;
    p->sharedSystemAllocCapabilities = 0;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeDeviceGetCacheProperties(ze_device_handle_t hDevice, uint32_t* pCount,
                                                  ze_device_cache_properties_t* pCacheProperties) {
  return guarded(__func__, [&] {
    const device::Device& model = model_of(hDevice);
    return_array(pCount, pCacheProperties, 1, [&](uint32_t, ze_device_cache_properties_t& out) {
      out.flags = 0;
      out.cacheSize = model.l2_bytes;
      for (auto* next = static_cast<ze_base_properties_t*>(out.pNext); next != nullptr;
           next = static_cast<ze_base_properties_t*>(next->pNext)) {
        if (next->stype == ZE_STRUCTURE_TYPE_DEVICE_CACHELINE_SIZE_EXT) {
          reinterpret_cast<ze_device_cache_line_size_ext_t*>(next)->cacheLineSize = 64;
        } else {
          note_unknown_structure("zeDeviceGetCacheProperties", next->stype);
        }
      }
    });
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeDeviceGetImageProperties(ze_device_handle_t hDevice, ze_device_image_properties_t* p) {
  return guarded(__func__, [&] {
    as<Device>(hDevice);
    require(p, "pImageProperties");
    // All zero: no images.
    p->maxImageDims1D = p->maxImageDims2D = p->maxImageDims3D = 0;
    p->maxImageBufferSize = 0;
    p->maxImageArraySlices = p->maxSamplers = p->maxReadImageArgs = p->maxWriteImageArgs = 0;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeDeviceGetExternalMemoryProperties(ze_device_handle_t hDevice,
                                                           ze_device_external_memory_properties_t* p) {
  return guarded(__func__, [&] {
    as<Device>(hDevice);
    require(p, "pExternalMemoryProperties");
    p->memoryAllocationImportTypes = p->memoryAllocationExportTypes = 0;
    p->imageImportTypes = p->imageExportTypes = 0;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeDeviceGetVectorWidthPropertiesExt(ze_device_handle_t hDevice, uint32_t* pCount,
                                                           ze_device_vector_width_properties_ext_t* pProperties) {
  return guarded(__func__, [&] {
    const device::Device& model = model_of(hDevice);
    return_array(pCount, pProperties, 1, [&](uint32_t, ze_device_vector_width_properties_ext_t& out) {
      // NEO's numbers: one dword a channel, smaller types packed, nothing gained for larger ones.
      out.vector_width_size = model.simd_width * 4;
      out.preferred_vector_width_char = out.native_vector_width_char = 16;
      out.preferred_vector_width_short = out.native_vector_width_short = 8;
      out.preferred_vector_width_int = out.native_vector_width_int = 4;
      out.preferred_vector_width_long = out.native_vector_width_long = 1;
      out.preferred_vector_width_float = out.native_vector_width_float = 1;
      out.preferred_vector_width_double = out.native_vector_width_double = model.has_fp64 ? 1 : 0;
      out.preferred_vector_width_half = out.native_vector_width_half = 8;
    });
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeDevicePciGetPropertiesExt(ze_device_handle_t hDevice, ze_pci_ext_properties_t* p) {
  return guarded(__func__, [&] {
    const device::Device& model = model_of(hDevice);
    require(p, "pPciProperties");
    p->address = {0, uuid_of(model).id[8], 0, 0};
    p->maxSpeed = {4, 16, 31'507'692'304};  // PCIe 4.0 x16, bytes per second
    return ZE_RESULT_SUCCESS;
  });
}

}  // extern "C"
