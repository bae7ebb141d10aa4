// SPDX-License-Identifier: Apache-2.0
//
// zeDeviceGet and the calls about a device's state; zeContext*.
#include "driver/clock.h"
#include "driver/settings.h"
#include "driver/state.h"
#include "driver/timeline.h"

using namespace xeforge::driver;

namespace {

ze_result_t make_context(ze_driver_handle_t driver, const ze_context_desc_t* desc, ze_context_handle_t* context) {
  as<Driver>(driver);
  require(desc, "desc");
  require(context, "phContext");
  *context = (new Context)->handle();
  return ZE_RESULT_SUCCESS;
}

}  // namespace

extern "C" {

ze_result_t ZE_APICALL zeDeviceGet(ze_driver_handle_t hDriver, uint32_t* pCount, ze_device_handle_t* phDevices) {
  return guarded(__func__, [&] {
    as<Driver>(hDriver);
    return_array(pCount, phDevices, 1, [](uint32_t, ze_device_handle_t& device) { device = state().device.handle(); });
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeDeviceGetSubDevices(ze_device_handle_t hDevice, uint32_t* pCount,
                                             ze_device_handle_t* phSubdevices) {
  return guarded(__func__, [&] {
    as<Device>(hDevice);
    return_array(pCount, phSubdevices, 0, [](uint32_t, ze_device_handle_t&) {});
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeDeviceGetRootDevice(ze_device_handle_t hDevice, ze_device_handle_t* phRootDevice) {
  return guarded(__func__, [&] {
    as<Device>(hDevice);
    require(phRootDevice, "phRootDevice");
    *phRootDevice = nullptr;  // it is a root device itself
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeDeviceGetP2PProperties(ze_device_handle_t hDevice, ze_device_handle_t hPeerDevice,
                                                ze_device_p2p_properties_t* p) {
  return guarded(__func__, [&] {
    as<Device>(hDevice);
    as<Device>(hPeerDevice);
    require(p, "pP2PProperties");
    p->flags =
        ZE_DEVICE_P2P_PROPERTY_FLAG_ACCESS | ZE_DEVICE_P2P_PROPERTY_FLAG_ATOMICS;  // the only peer is the device itself
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeDeviceCanAccessPeer(ze_device_handle_t hDevice, ze_device_handle_t hPeerDevice,
                                             ze_bool_t* value) {
  return guarded(__func__, [&] {
    as<Device>(hDevice);
    as<Device>(hPeerDevice);
    require(value, "value");
    *value = 1;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeDeviceGetStatus(ze_device_handle_t hDevice) {
  return guarded(__func__, [&] {
    as<Device>(hDevice);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeDeviceSynchronize(ze_device_handle_t hDevice) {
  return guarded(__func__, [&] {
    as<Device>(hDevice);
    return Timeline::wait_for_all();
  });
}

ze_result_t ZE_APICALL zeDeviceGetGlobalTimestamps(ze_device_handle_t hDevice, uint64_t* hostTimestamp,
                                                   uint64_t* deviceTimestamp) {
  return guarded(__func__, [&] {
    as<Device>(hDevice);
    require(hostTimestamp, "hostTimestamp");
    require(deviceTimestamp, "deviceTimestamp");
    *hostTimestamp = host_nanoseconds();
    *deviceTimestamp = device_ticks();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeContextCreate(ze_driver_handle_t hDriver, const ze_context_desc_t* desc,
                                       ze_context_handle_t* phContext) {
  return guarded(__func__, [&] { return make_context(hDriver, desc, phContext); });
}

ze_result_t ZE_APICALL zeContextCreateEx(ze_driver_handle_t hDriver, const ze_context_desc_t* desc, uint32_t numDevices,
                                         ze_device_handle_t* phDevices, ze_context_handle_t* phContext) {
  return guarded(__func__, [&] {
    for (uint32_t i = 0; i < numDevices; ++i) {
      require(phDevices, "phDevices");
      as<Device>(phDevices[i]);
    }
    return make_context(hDriver, desc, phContext);
  });
}

ze_result_t ZE_APICALL zeContextDestroy(ze_context_handle_t hContext) {
  return guarded(__func__, [&] {
    Context& context = as<Context>(hContext);
    if (&context == &state().default_context) {
      throw ApiError(ZE_RESULT_ERROR_INVALID_ARGUMENT, "the default context belongs to the driver");
    }
    delete &context;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeContextGetStatus(ze_context_handle_t hContext) {
  return guarded(__func__, [&] {
    as<Context>(hContext);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeContextSystemBarrier(ze_context_handle_t hContext, ze_device_handle_t hDevice) {
  return guarded(__func__, [&] {
    as<Context>(hContext);
    as<Device>(hDevice);
    return ZE_RESULT_SUCCESS;  // device memory is host memory: writes are visible in order
  });
}

ze_result_t ZE_APICALL zeContextMakeMemoryResident(ze_context_handle_t hContext, ze_device_handle_t hDevice, void* ptr,
                                                   size_t) {
  return guarded(__func__, [&] {
    as<Context>(hContext);
    as<Device>(hDevice);
    require(ptr, "ptr");
    return ZE_RESULT_SUCCESS;  // always is
  });
}

ze_result_t ZE_APICALL zeContextEvictMemory(ze_context_handle_t hContext, ze_device_handle_t hDevice, void* ptr,
                                            size_t) {
  return guarded(__func__, [&] {
    as<Context>(hContext);
    as<Device>(hDevice);
    require(ptr, "ptr");
    return ZE_RESULT_SUCCESS;
  });
}

}  // extern "C"
