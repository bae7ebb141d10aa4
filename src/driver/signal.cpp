// SPDX-License-Identifier: Apache-2.0
#include "driver/signal.h"

#include <algorithm>

namespace xeforge::driver {

// Never destroyed: worker threads may still wait when the program's static destructors run.
std::mutex& sync_mutex() {
  static std::mutex* mutex = new std::mutex;
  return *mutex;
}

std::condition_variable& sync_changed() {
  static std::condition_variable* changed = new std::condition_variable;
  return *changed;
}

ze_result_t deliver(std::vector<FailurePtr>& failures) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (const FailurePtr& failure : failures) {
    if (!failure->delivered) {
      failure->delivered = true;
      if (result == ZE_RESULT_SUCCESS) {
        result = failure->code;
        set_last_error(failure->text);
      }
    }
  }
  failures.clear();
  return result;
}

void inherit(std::vector<FailurePtr>& to, const std::vector<FailurePtr>& from) {
  for (const FailurePtr& failure : from) {
    if (!failure->delivered && std::find(to.begin(), to.end(), failure) == to.end()) {
      to.push_back(failure);
    }
  }
}

}  // namespace xeforge::driver
