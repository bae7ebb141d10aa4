// SPDX-License-Identifier: Apache-2.0
//
// zeMem*: unified shared memory.
#include <string>

#include "driver/extensions.h"
#include "driver/state.h"
#include "driver/timeline.h"

using namespace xeforge;
using namespace xeforge::driver;

namespace {

bool limits_relaxed(const void* next) {
  const auto* ext = find_structure<ze_relaxed_allocation_limits_ext_desc_t>(
      next, ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXT_DESC);
  const auto* exp = find_structure<ze_relaxed_allocation_limits_exp_desc_t>(
      next, ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXP_DESC);
  return (ext != nullptr && (ext->flags & ZE_RELAXED_ALLOCATION_LIMITS_EXT_FLAG_MAX_SIZE) != 0) ||
         (exp != nullptr && (exp->flags & ZE_RELAXED_ALLOCATION_LIMITS_EXP_FLAG_MAX_SIZE) != 0);
}

void allocate(ze_context_handle_t context, machine::MemoryKind kind, size_t size, size_t alignment, const void* next,
              void** out) {
  as<Context>(context);
  require(out, "pptr");
  *out = nullptr;
  if (size == 0) {
    throw ApiError(ZE_RESULT_ERROR_UNSUPPORTED_SIZE, "an allocation of 0 bytes");
  }
  Device& device = state().device;
  if (size > device.model.max_alloc_bytes && !limits_relaxed(next)) {
    throw ApiError(ZE_RESULT_ERROR_UNSUPPORTED_SIZE,
                   std::to_string(size) + " bytes in one allocation, the device's limit is " +
                       std::to_string(device.model.max_alloc_bytes) + " (relaxed allocation limits lift it)");
  }
  *out = device.usm.allocate(kind, size, alignment);
}

void release(ze_context_handle_t context, void* pointer) {
  as<Context>(context);
  require(pointer, "ptr");
  Usm& usm = state().device.usm;
  usm.retire(pointer);
  // As on the real driver, work in flight keeps its memory, whatever the policy that was asked for.
  Timeline::when_quiet([&usm, pointer] { usm.free(pointer); });
}

ze_memory_type_t type_of(machine::MemoryKind kind) {
  switch (kind) {
    case machine::MemoryKind::Host:
      return ZE_MEMORY_TYPE_HOST;
    case machine::MemoryKind::Shared:
      return ZE_MEMORY_TYPE_SHARED;
    default:
      return ZE_MEMORY_TYPE_DEVICE;
  }
}

}  // namespace

extern "C" {

ze_result_t ZE_APICALL zeMemAllocDevice(ze_context_handle_t hContext, const ze_device_mem_alloc_desc_t* device_desc,
                                        size_t size, size_t alignment, ze_device_handle_t hDevice, void** pptr) {
  return guarded(__func__, [&] {
    require(device_desc, "device_desc");
    as<Device>(hDevice);
    allocate(hContext, machine::MemoryKind::Device, size, alignment, device_desc->pNext, pptr);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeMemAllocHost(ze_context_handle_t hContext, const ze_host_mem_alloc_desc_t* host_desc,
                                      size_t size, size_t alignment, void** pptr) {
  return guarded(__func__, [&] {
    require(host_desc, "host_desc");
    allocate(hContext, machine::MemoryKind::Host, size, alignment, host_desc->pNext, pptr);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeMemAllocShared(ze_context_handle_t hContext, const ze_device_mem_alloc_desc_t* device_desc,
                                        const ze_host_mem_alloc_desc_t* host_desc, size_t size, size_t alignment,
                                        ze_device_handle_t hDevice, void** pptr) {
  return guarded(__func__, [&] {
    require(device_desc, "device_desc");
    require(host_desc, "host_desc");
    if (hDevice != nullptr) {  // without a device it is shared by all
      as<Device>(hDevice);
    }
    const void* next = limits_relaxed(device_desc->pNext) ? device_desc->pNext : host_desc->pNext;
    allocate(hContext, machine::MemoryKind::Shared, size, alignment, next, pptr);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeMemFree(ze_context_handle_t hContext, void* ptr) {
  return guarded(__func__, [&] {
    release(hContext, ptr);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeMemFreeExt(ze_context_handle_t hContext, const ze_memory_free_ext_desc_t* pMemFreeDesc,
                                    void* ptr) {
  return guarded(__func__, [&] {
    require(pMemFreeDesc, "pMemFreeDesc");
    release(hContext, ptr);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeMemGetAllocProperties(ze_context_handle_t hContext, const void* ptr,
                                               ze_memory_allocation_properties_t* p, ze_device_handle_t* phDevice) {
  return guarded(__func__, [&] {
    as<Context>(hContext);
    require(ptr, "ptr");
    require(p, "pMemAllocProperties");
    if (phDevice != nullptr) {
      *phDevice = nullptr;
    }
    const auto allocation = state().device.usm.find(ptr);
    p->type = ZE_MEMORY_TYPE_UNKNOWN;
    p->id = 0;
    p->pageSize = 0;
    if (allocation.has_value()) {
      p->type = type_of(allocation->kind);
      p->id = allocation->id;
      p->pageSize = kUsmPage;
      if (phDevice != nullptr && p->type != ZE_MEMORY_TYPE_HOST) {
        *phDevice = state().device.handle();
      }
    }
    for (auto* next = static_cast<ze_base_properties_t*>(p->pNext); next != nullptr;
         next = static_cast<ze_base_properties_t*>(next->pNext)) {
      if (next->stype == ZE_STRUCTURE_TYPE_MEMORY_SUB_ALLOCATIONS_EXP_PROPERTIES) {
        auto* sub = reinterpret_cast<ze_memory_sub_allocations_exp_properties_t*>(next);
        if (sub->pCount != nullptr) {
          *sub->pCount = 0;
        }
      } else {
        note_unknown_structure("zeMemGetAllocProperties", next->stype);
      }
    }
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeMemGetAddressRange(ze_context_handle_t hContext, const void* ptr, void** pBase,
                                            size_t* pSize) {
  return guarded(__func__, [&] {
    as<Context>(hContext);
    require(ptr, "ptr");
    const auto allocation = state().device.usm.find(ptr);
    if (!allocation.has_value()) {
      throw ApiError(ZE_RESULT_ERROR_INVALID_ARGUMENT, "the pointer is in no allocation of this driver");
    }
    if (pBase != nullptr) {
      *pBase = reinterpret_cast<void*>(allocation->base);
    }
    if (pSize != nullptr) {
      *pSize = allocation->size;
    }
    return ZE_RESULT_SUCCESS;
  });
}

}  // extern "C"
