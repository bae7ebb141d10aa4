// SPDX-License-Identifier: Apache-2.0
//
// What programs expect of libze_loader.so.1 beyond the API itself, for when the driver stands in
// its place. The static loader inside the SYCL adapters looks these up by name (ze_lib.cpp).
#include <cstring>

#include "driver/object.h"
#include "level_zero/layers/zel_tracing_api.h"
#include "level_zero/layers/zel_tracing_ddi.h"
#include "level_zero/loader/ze_loader.h"

using namespace xeforge::driver;

namespace {

// The version of the loader that this interface is taken from: libze 1.32 speaks API 1.17. The static loader accepts
// any 1.x, and uses zeInitDrivers from 1.18 on.
constexpr zel_version_t kLoaderVersion{1, 32, 0};

zel_component_version_t loader_component() {
  zel_component_version_t version{};
  std::strncpy(version.component_name, "loader", sizeof version.component_name - 1);
  version.spec_version = ZE_API_VERSION_CURRENT;
  version.component_lib_version = kLoaderVersion;
  return version;
}

ze_result_t no_tracing(const char* name) { return static_cast<ze_result_t>(xeforge_refuse_entry_point(name)); }

}  // namespace

extern "C" {

ZE_APIEXPORT ze_result_t ZE_APICALL zeLoaderInit() { return ZE_RESULT_SUCCESS; }

// Asked by static loaders up to 1.22 (SYCL 2025.3): whether drivers are usable, and whether tables must be read again.
ZE_APIEXPORT ze_result_t ZE_APICALL zelLoaderDriverCheck(ze_init_flags_t, ze_init_driver_type_desc_t*, void*, void*,
                                                         bool* requireDdiReinit, bool) {
  if (requireDdiReinit != nullptr) {
    *requireDdiReinit = false;
  }
  return ZE_RESULT_SUCCESS;
}

// There is no tracing layer to hand out.
ZE_APIEXPORT void* ZE_APICALL zeLoaderGetTracingHandle() { return nullptr; }

ZE_APIEXPORT ze_result_t ZE_APICALL zelLoaderGetVersionsInternal(size_t* count, zel_component_version_t* versions) {
  return guarded(__func__, [&] {
    require(count, "num_elems");
    if (versions != nullptr && *count > 0) {
      versions[0] = loader_component();
    }
    *count = 1;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zelLoaderGetVersions(size_t* num_elems, zel_component_version_t* versions) {
  return zelLoaderGetVersionsInternal(num_elems, versions);
}

ZE_APIEXPORT ze_result_t ZE_APICALL zelLoaderGetVersion(zel_component_version_t* version) {
  return guarded(__func__, [&] {
    require(version, "version");
    *version = loader_component();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zelGetLoaderVersion(zel_component_version_t* version) { return zelLoaderGetVersion(version); }

ZE_APIEXPORT ze_result_t ZE_APICALL zelLoaderTranslateHandleInternal(zel_handle_type_t, void* handleIn,
                                                                     void** handleOut) {
  return guarded(__func__, [&] {
    require(handleIn, "handleIn");
    require(handleOut, "handleOut");
    *handleOut = handleIn;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zelLoaderTranslateHandle(zel_handle_type_t handleType, void* handleIn, void** handleOut) {
  return zelLoaderTranslateHandleInternal(handleType, handleIn, handleOut);
}

ze_result_t ZE_APICALL zelSetDriverTeardown() { return ZE_RESULT_SUCCESS; }
ze_result_t ZE_APICALL zelEnableTracingLayer() { return no_tracing("zelEnableTracingLayer"); }

ze_result_t ZE_APICALL zelTracerCreate(const zel_tracer_desc_t*, zel_tracer_handle_t*) {
  return no_tracing("zelTracerCreate");
}
ze_result_t ZE_APICALL zelTracerDestroy(zel_tracer_handle_t) { return no_tracing("zelTracerDestroy"); }
ze_result_t ZE_APICALL zelTracerSetPrologues(zel_tracer_handle_t, zel_core_callbacks_t*) {
  return no_tracing("zelTracerSetPrologues");
}
ze_result_t ZE_APICALL zelTracerSetEpilogues(zel_tracer_handle_t, zel_core_callbacks_t*) {
  return no_tracing("zelTracerSetEpilogues");
}
ze_result_t ZE_APICALL zelTracerSetEnabled(zel_tracer_handle_t, ze_bool_t) { return no_tracing("zelTracerSetEnabled"); }

ZE_DLLEXPORT ze_result_t ZE_APICALL zelGetTracerApiProcAddrTable(ze_api_version_t, zel_tracer_dditable_t* pDdiTable) {
  return guarded(__func__, [&] {
    require(pDdiTable, "pDdiTable");
    pDdiTable->pfnCreate = zelTracerCreate;
    pDdiTable->pfnDestroy = zelTracerDestroy;
    pDdiTable->pfnSetPrologues = zelTracerSetPrologues;
    pDdiTable->pfnSetEpilogues = zelTracerSetEpilogues;
    pDdiTable->pfnSetEnabled = zelTracerSetEnabled;
    return ZE_RESULT_SUCCESS;
  });
}

}  // extern "C"
