// SPDX-License-Identifier: Apache-2.0
#include "driver/extensions.h"

#include <array>
#include <cstring>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "driver/report.h"
#include "driver/state.h"
#include "xeforge/compiled_paths.h"
#include "xeforge/driver_ext.h"

using namespace xeforge::driver;

namespace {

// Texts handed out belong to the driver and live until the thread's next call.
const char* keep_for_this_thread(const std::string& text) {
  thread_local std::vector<char> kept;
  kept.assign(text.c_str(), text.c_str() + text.size() + 1);
  return kept.data();
}

}  // namespace

extern "C" {

ZE_APIEXPORT const char* xeforgeTakeReports() {
  try {
    return keep_for_this_thread(take_reports());
  } catch (const std::exception& e) {
    report_error("xeforgeTakeReports", e.what());
    return "[]";
  }
}

// check.cpp
ZE_APIEXPORT const char* xeforgeCheckBegin(const char* checks);
ZE_APIEXPORT size_t xeforgeCheckTake(const xeforge_finding_t** findings);

ZE_APIEXPORT const char* xeforgeVersion() {
  std::string device = "no device";
  try {
    device = "simulated " + state().device.model.id;
  } catch (const std::exception& e) {
    report_error("xeforgeVersion", e.what());
  }
  return keep_for_this_thread(std::string("xeforge ") + xeforge::paths::kVersion + " (" + device + ")");
}

// NEO's extension ZE_intel_get_driver_version_string.
static ze_result_t get_driver_version_string(ze_driver_handle_t driver, char* text, size_t* size) {
  return guarded("zeIntelGetDriverVersionString", [&] {
    as<Driver>(driver);
    require(size, "pVersionSize");
    const std::string version = "1.15.39122+xeforge";
    if (text != nullptr && *size >= version.size() + 1) {
      std::memcpy(text, version.c_str(), version.size() + 1);
    }
    *size = version.size() + 1;
    return ZE_RESULT_SUCCESS;
  });
}

}  // extern "C"

namespace xeforge::driver {
namespace {

struct Function {
  const char* name;
  void* address;
};

template <class Pointer>
void* address_of(Pointer function) {
  return reinterpret_cast<void*>(function);
}

}  // namespace

void* extension_function(const char* name) {
  static const std::array functions{
      Function{XEFORGE_TAKE_REPORTS_NAME, address_of(&xeforgeTakeReports)},
      Function{XEFORGE_VERSION_NAME, address_of(&xeforgeVersion)},
      Function{XEFORGE_CHECK_BEGIN_NAME, address_of(&xeforgeCheckBegin)},
      Function{XEFORGE_CHECK_TAKE_NAME, address_of(&xeforgeCheckTake)},
      Function{"zeIntelGetDriverVersionString", address_of(&get_driver_version_string)},
      Function{"zeCommandListAppendHostFunction", address_of(&zeCommandListAppendHostFunction)},
      Function{"zeCommandListImmediateAppendCommandListsExp", address_of(&zeCommandListImmediateAppendCommandListsExp)},
      Function{"zeKernelSetGlobalOffsetExp", address_of(&zeKernelSetGlobalOffsetExp)},
      Function{"zeKernelSchedulingHintExp", address_of(&zeKernelSchedulingHintExp)},
      Function{"zeKernelGetBinaryExp", address_of(&zeKernelGetBinaryExp)},
      Function{"zeEventQueryTimestampsExp", address_of(&zeEventQueryTimestampsExp)},
      Function{"zeModuleInspectLinkageExt", address_of(&zeModuleInspectLinkageExt)},
  };
  for (const Function& function : functions) {
    if (std::strcmp(function.name, name) == 0) {
      return function.address;
    }
  }
  return nullptr;
}

void note_unknown_structure(const char* entry_point, ze_structure_type_t type) {
  if (!verbose()) {
    return;
  }
  static std::mutex mutex;
  static auto* noted = new std::set<std::pair<std::string, uint32_t>>;
  const std::lock_guard lock(mutex);
  if (noted->insert({entry_point, static_cast<uint32_t>(type)}).second) {
    char text[160];
    std::snprintf(text, sizeof text, "%s: a structure of type 0x%x in the pNext chain is not known and left as it is",
                  entry_point, static_cast<unsigned>(type));
    trace(text);
  }
}

}  // namespace xeforge::driver
