// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "driver/object.h"
#include "driver/signal.h"

namespace xeforge::driver {

struct EventPool : Object<ObjectKind::EventPool, ze_event_pool_handle_t> {
  ze_context_handle_t context = nullptr;
  ze_event_pool_flags_t flags = 0;
  uint32_t count = 0;
  bool counter_based = false;
  ze_event_counter_based_flags_t counter_flags = 0;
};

struct Event : Object<ObjectKind::Event, ze_event_handle_t> {
  EventPool* pool = nullptr;  ///< null for zeEventCounterBasedCreate
  bool counter_based = false;
  ze_event_counter_based_flags_t counter_flags = 0;
  ze_event_scope_flags_t signal_scope = 0, wait_scope = 0;
  SignalPtr signal = std::make_shared<Signal>();  ///< guarded by sync_mutex(), like what it points to

  /// The signal that a command appended now will set. A counter-based event gets a new one with
  /// each append: it needs no reset, and those who wait for the earlier use are not disturbed.
  SignalPtr arm();
  SignalPtr current();
};

/// Null handle: null pointer.
SignalPtr signal_to_arm(ze_event_handle_t event);
/// Throws ApiError for null pointers and handles.
std::vector<SignalPtr> signals_to_wait_for(uint32_t count, const ze_event_handle_t* events);

}  // namespace xeforge::driver
