// SPDX-License-Identifier: Apache-2.0
#include "driver/state.h"

#include "driver/check.h"
#include "driver/settings.h"

namespace xeforge::driver {

State& state() {
  // Never destroyed: workers and static destructors of programs still use it at exit.
  static State* instance = []() -> State* {
    try {
      auto* made = new State(device::find_device(settings().device));
      prepare_memory_for_checks(made->device.usm);
      return made;
    } catch (const std::invalid_argument& e) {
      say(std::string("XEFORGE_DEVICE: ") + e.what());
      return nullptr;
    }
  }();
  if (instance == nullptr) {
    throw ApiError(ZE_RESULT_ERROR_UNINITIALIZED, "there is no device '" + settings().device + "'");
  }
  return *instance;
}

}  // namespace xeforge::driver
