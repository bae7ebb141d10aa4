// SPDX-License-Identifier: Apache-2.0
#include "driver/event.h"

namespace xeforge::driver {

SignalPtr Event::arm() {
  const std::lock_guard lock(sync_mutex());
  if (counter_based) {
    signal = std::make_shared<Signal>();
  }
  return signal;
}

SignalPtr Event::current() {
  const std::lock_guard lock(sync_mutex());
  return signal;
}

SignalPtr signal_to_arm(ze_event_handle_t event) { return event == nullptr ? nullptr : as<Event>(event).arm(); }

std::vector<SignalPtr> signals_to_wait_for(uint32_t count, const ze_event_handle_t* events) {
  std::vector<SignalPtr> signals;
  if (count > 0 && events == nullptr) {
    throw ApiError(ZE_RESULT_ERROR_INVALID_SIZE,
                   std::to_string(count) + " events to wait for, but their array is null");
  }
  signals.reserve(count);
  for (uint32_t i = 0; i < count; ++i) {
    signals.push_back(as<Event>(events[i]).current());
  }
  return signals;
}

}  // namespace xeforge::driver
