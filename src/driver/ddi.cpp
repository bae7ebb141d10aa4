// SPDX-License-Identifier: Apache-2.0
//
// zeGet*ProcAddrTable: how the loader, and the static loader inside the SYCL adapters, obtain our functions.
#include "driver/api.h"

namespace {

#define XF_TABLE(Name, name) void fill(ze_api_version_t version, ze_##name##_dditable_t* table) {
#define XF_ENTRY(Name, Function, field, major, minor, how)               \
  if (static_cast<unsigned>(version) >= ZE_MAKE_VERSION(major, minor)) { \
    table->pfn##field = ze##Function;                                    \
  }
#define XF_TABLE_END(Name, name) }
#include "driver/entry_points.def"
#undef XF_TABLE
#undef XF_ENTRY
#undef XF_TABLE_END

template <class Table>
ze_result_t get(ze_api_version_t version, Table* table) {
  if (table == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  if (ZE_MAJOR_VERSION(static_cast<unsigned>(version)) != 1) {
    return ZE_RESULT_ERROR_UNSUPPORTED_VERSION;
  }
  fill(version, table);
  return ZE_RESULT_SUCCESS;
}

}  // namespace

extern "C" {

#define XF_TABLE(Name, name)                                                                      \
  ZE_DLLEXPORT ze_result_t ZE_APICALL zeGet##Name##ProcAddrTable(ze_api_version_t version,        \
                                                                 ze_##name##_dditable_t* table) { \
    return get(version, table);                                                                   \
  }
#define XF_ENTRY(Name, Function, field, major, minor, how)
#define XF_TABLE_END(Name, name)
#include "driver/entry_points.def"

}  // extern "C"
