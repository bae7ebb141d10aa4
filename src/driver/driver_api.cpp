// SPDX-License-Identifier: Apache-2.0
//
// zeInit*, zeDriver*.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include "driver/extensions.h"
#include "driver/state.h"

using namespace xeforge::driver;

namespace {

// Adapters switch behaviour on by this number, NEO's encoding of major, minor and build. Known gates: immediate lists
// of the first SYCL adapter on DG2 1.5.30820, launches with argument arrays 1.6.35005, others at 1.13.36015,
// 1.14.36035, 1.15.38921.
constexpr uint32_t version_number(uint32_t major, uint32_t minor, uint32_t build) {
  return (major << 24) | (minor << 16) | build;
}

// While it waits for an immediate list that is not in order, the first adapter gives its queue's mutex up, and on an
// error returns without taking it again (ur_queue_handle_t_::synchronize): the mutex is then unlocked once too often,
// and the next call on the queue hangs. A kernel's fault is such an error. UR_L0_QUEUE_SYNCHRONIZE_NON_BLOCKING=0 keeps
// the mutex (xeforge run sets it). Without it the adapter has to stay with regular lists, where errors do no harm.
uint32_t driver_version() {
  const char* non_blocking = std::getenv("UR_L0_QUEUE_SYNCHRONIZE_NON_BLOCKING");
  const bool safe = non_blocking != nullptr && std::strcmp(non_blocking, "0") == 0;
  return safe ? version_number(1, 15, 39122) : version_number(1, 5, 30819);
}

struct Extension {
  const char* name;
  uint32_t version;
};

// What is reported here is served; programs ask for less when a name is absent.
constexpr std::array kExtensions{
    Extension{"ZE_extension_float_atomics", ZE_MAKE_VERSION(1, 0)},
    Extension{"ZE_extension_relaxed_allocation_limits", ZE_MAKE_VERSION(1, 0)},
    Extension{"ZE_experimental_relaxed_allocation_limits", ZE_MAKE_VERSION(1, 0)},
    Extension{"ZE_experimental_module_program", ZE_MAKE_VERSION(1, 0)},
    Extension{"ZE_experimental_scheduling_hints", ZE_MAKE_VERSION(1, 0)},
    Extension{"ZE_experimental_global_offset", ZE_MAKE_VERSION(1, 0)},
    Extension{"ZE_extension_pci_properties", ZE_MAKE_VERSION(1, 0)},
    Extension{"ZE_extension_memory_free_policies", ZE_MAKE_VERSION(1, 0)},
    Extension{"ZE_extension_device_memory_properties", ZE_MAKE_VERSION(1, 0)},
    Extension{"ZE_extension_eu_count", ZE_MAKE_VERSION(1, 0)},
    Extension{"ZE_extension_device_ip_version", ZE_MAKE_VERSION(1, 0)},
    Extension{"ZE_extension_kernel_max_group_size_properties", ZE_MAKE_VERSION(1, 0)},
    Extension{"ZE_extension_subgroups", ZE_MAKE_VERSION(1, 0)},
    Extension{"ZE_extension_linkage_inspection", ZE_MAKE_VERSION(1, 0)},
    Extension{"ZE_extension_bfloat16_conversions", ZE_MAKE_VERSION(1, 0)},
    Extension{"ZE_extension_device_cache_line_size", ZE_MAKE_VERSION(1, 0)},
    Extension{"ZE_extension_device_vector_sizes", ZE_MAKE_VERSION(1, 0)},
    Extension{"ZE_extension_device_usablemem_size_properties", ZE_MAKE_VERSION(1, 0)},
    Extension{"ZE_extension_event_query_kernel_timestamps", ZE_MAKE_VERSION(1, 0)},
    Extension{"ZE_experimental_event_pool_counter_based", ZE_MAKE_VERSION(1, 0)},
    Extension{"ZE_experimental_event_query_timestamps", ZE_MAKE_VERSION(1, 0)},
    Extension{"ZE_experimental_immediate_command_list_append", ZE_MAKE_VERSION(1, 0)},
};

void require_driver(ze_driver_handle_t handle) { as<Driver>(handle); }

ze_result_t list_drivers(uint32_t* count, ze_driver_handle_t* drivers) {
  State& s = state();
  return_array(count, drivers, 1, [&](uint32_t, ze_driver_handle_t& driver) { driver = s.driver.handle(); });
  return ZE_RESULT_SUCCESS;
}

}  // namespace

extern "C" {

ze_result_t ZE_APICALL zeInit(ze_init_flags_t flags) {
  return guarded(__func__, [&]() -> ze_result_t {
    state();
    // Flags are wishes for kinds of drivers: without GPU among them there is nothing here.
    const bool wanted = flags == 0 || (flags & ZE_INIT_FLAG_GPU_ONLY) != 0;
    return wanted ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_UNINITIALIZED;
  });
}

ze_result_t ZE_APICALL zeInitDrivers(uint32_t* pCount, ze_driver_handle_t* phDrivers,
                                     ze_init_driver_type_desc_t* desc) {
  return guarded(__func__, [&]() -> ze_result_t {
    require(pCount, "pCount");
    require(desc, "desc");
    if (desc->flags == 0) {
      throw ApiError(ZE_RESULT_ERROR_INVALID_ENUMERATION, "desc->flags asks for no type of driver");
    }
    if ((desc->flags & ZE_INIT_DRIVER_TYPE_FLAG_GPU) == 0) {
      *pCount = 0;
      return ZE_RESULT_SUCCESS;
    }
    return list_drivers(pCount, phDrivers);
  });
}

ze_result_t ZE_APICALL zeDriverGet(uint32_t* pCount, ze_driver_handle_t* phDrivers) {
  return guarded(__func__, [&] { return list_drivers(pCount, phDrivers); });
}

ze_result_t ZE_APICALL zeDriverGetApiVersion(ze_driver_handle_t hDriver, ze_api_version_t* version) {
  return guarded(__func__, [&] {
    require_driver(hDriver);
    require(version, "version");
    *version = ZE_API_VERSION_CURRENT;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeDriverGetProperties(ze_driver_handle_t hDriver, ze_driver_properties_t* pDriverProperties) {
  return guarded(__func__, [&] {
    require_driver(hDriver);
    require(pDriverProperties, "pDriverProperties");
    pDriverProperties->uuid = {};
    std::memcpy(pDriverProperties->uuid.id, "xeforge-driver\1", sizeof pDriverProperties->uuid.id);
    pDriverProperties->driverVersion = driver_version();
    for (auto* next = static_cast<ze_base_properties_t*>(pDriverProperties->pNext); next != nullptr;
         next = static_cast<ze_base_properties_t*>(next->pNext)) {
      if (next->stype == ZE_STRUCTURE_TYPE_DRIVER_MEMORY_FREE_EXT_PROPERTIES) {
        reinterpret_cast<ze_driver_memory_free_ext_properties_t*>(next)->freePolicies =
            ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE | ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE;
      } else {
        note_unknown_structure("zeDriverGetProperties", next->stype);
      }
    }
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeDriverGetIpcProperties(ze_driver_handle_t hDriver,
                                                ze_driver_ipc_properties_t* pIpcProperties) {
  return guarded(__func__, [&] {
    require_driver(hDriver);
    require(pIpcProperties, "pIpcProperties");
    pIpcProperties->flags = 0;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeDriverGetExtensionProperties(ze_driver_handle_t hDriver, uint32_t* pCount,
                                                      ze_driver_extension_properties_t* pExtensionProperties) {
  return guarded(__func__, [&] {
    require_driver(hDriver);
    return_array(pCount, pExtensionProperties, static_cast<uint32_t>(kExtensions.size()),
                 [](uint32_t i, ze_driver_extension_properties_t& out) {
                   out = {};
                   std::strncpy(out.name, kExtensions[i].name, sizeof out.name - 1);
                   out.version = kExtensions[i].version;
                 });
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeDriverGetExtensionFunctionAddress(ze_driver_handle_t hDriver, const char* name,
                                                           void** ppFunctionAddress) {
  return guarded(__func__, [&]() -> ze_result_t {
    require_driver(hDriver);
    require(name, "name");
    require(ppFunctionAddress, "ppFunctionAddress");
    *ppFunctionAddress = extension_function(name);
    if (*ppFunctionAddress == nullptr) {
      throw ApiError(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("there is no extension function ") + name);
    }
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeDriverGetLastErrorDescription(ze_driver_handle_t hDriver, const char** ppString) {
  return guarded(__func__, [&] {
    require_driver(hDriver);
    require(ppString, "ppString");
    *ppString = last_error();
    return ZE_RESULT_SUCCESS;
  });
}

// Unlike the rest, this one returns the handle itself.
ze_context_handle_t ZE_APICALL zeDriverGetDefaultContext(ze_driver_handle_t hDriver) {
  ze_context_handle_t context = nullptr;
  guarded(__func__, [&] {
    require_driver(hDriver);
    context = state().default_context.handle();
    return ZE_RESULT_SUCCESS;
  });
  return context;
}

}  // extern "C"
