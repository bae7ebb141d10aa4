// SPDX-License-Identifier: Apache-2.0
//
// zeEventPool*, zeEvent*.
#include "driver/event.h"
#include "driver/extensions.h"
#include "driver/state.h"

using namespace xeforge::driver;

namespace {

ze_kernel_timestamp_result_t stamps_of(const Signal& signal) {
  ze_kernel_timestamp_result_t result{};
  result.global = {signal.time.start, signal.time.end};
  result.context = result.global;
  return result;
}

}  // namespace

extern "C" {

ze_result_t ZE_APICALL zeEventPoolCreate(ze_context_handle_t hContext, const ze_event_pool_desc_t* desc,
                                         uint32_t numDevices, ze_device_handle_t* phDevices,
                                         ze_event_pool_handle_t* phEventPool) {
  return guarded(__func__, [&] {
    as<Context>(hContext);
    require(desc, "desc");
    require(phEventPool, "phEventPool");
    if (desc->count == 0) {
      throw ApiError(ZE_RESULT_ERROR_INVALID_SIZE, "a pool of 0 events");
    }
    for (uint32_t i = 0; phDevices != nullptr && i < numDevices; ++i) {
      as<Device>(phDevices[i]);
    }
    const auto* counter = find_structure<ze_event_pool_counter_based_exp_desc_t>(
        desc->pNext, ZE_STRUCTURE_TYPE_COUNTER_BASED_EVENT_POOL_EXP_DESC);
    auto* pool = new EventPool;
    pool->context = hContext;
    pool->flags = desc->flags;
    pool->count = desc->count;
    pool->counter_based = counter != nullptr;
    if (counter != nullptr) {
      // The bits for immediate and other lists are the same in both enumerations.
      pool->counter_flags = counter->flags == 0 ? uint32_t{ZE_EVENT_COUNTER_BASED_FLAG_IMMEDIATE} : counter->flags;
    }
    *phEventPool = pool->handle();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeEventPoolDestroy(ze_event_pool_handle_t hEventPool) {
  return guarded(__func__, [&] {
    delete &as<EventPool>(hEventPool);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeEventPoolGetContextHandle(ze_event_pool_handle_t hEventPool, ze_context_handle_t* phContext) {
  return guarded(__func__, [&] {
    EventPool& pool = as<EventPool>(hEventPool);
    require(phContext, "phContext");
    *phContext = pool.context;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeEventPoolGetFlags(ze_event_pool_handle_t hEventPool, ze_event_pool_flags_t* pFlags) {
  return guarded(__func__, [&] {
    EventPool& pool = as<EventPool>(hEventPool);
    require(pFlags, "pFlags");
    *pFlags = pool.flags;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeEventCreate(ze_event_pool_handle_t hEventPool, const ze_event_desc_t* desc,
                                     ze_event_handle_t* phEvent) {
  return guarded(__func__, [&] {
    EventPool& pool = as<EventPool>(hEventPool);
    require(desc, "desc");
    require(phEvent, "phEvent");
    if (desc->index >= pool.count) {
      throw ApiError(ZE_RESULT_ERROR_INVALID_ARGUMENT,
                     "event " + std::to_string(desc->index) + " of a pool of " + std::to_string(pool.count));
    }
    auto* event = new Event;
    event->pool = &pool;
    event->counter_based = pool.counter_based;
    event->counter_flags = pool.counter_flags;
    event->signal_scope = desc->signal;
    event->wait_scope = desc->wait;
    event->signal->done = pool.counter_based;  // never used: there is nothing to wait for
    *phEvent = event->handle();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeEventCounterBasedCreate(ze_context_handle_t hContext, ze_device_handle_t hDevice,
                                                 const ze_event_counter_based_desc_t* desc,
                                                 ze_event_handle_t* phEvent) {
  return guarded(__func__, [&] {
    as<Context>(hContext);
    as<Device>(hDevice);
    require(phEvent, "phEvent");
    if (desc != nullptr && desc->pNext != nullptr) {
      const auto type = static_cast<const ze_base_desc_t*>(desc->pNext)->stype;
      if (type == ZE_STRUCTURE_TYPE_EVENT_COUNTER_BASED_EXTERNAL_SYNC_ALLOCATION_DESC ||
          type == ZE_STRUCTURE_TYPE_EVENT_COUNTER_BASED_EXTERNAL_AGGREGATE_STORAGE_DESC) {
        throw ApiError(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
                       "counter-based events with external storage are not implemented");
      }
    }
    auto* event = new Event;
    event->counter_based = true;
    event->counter_flags =
        desc != nullptr && desc->flags != 0 ? desc->flags : uint32_t{ZE_EVENT_COUNTER_BASED_FLAG_IMMEDIATE};
    event->signal_scope = desc != nullptr ? desc->signal : 0;
    event->wait_scope = desc != nullptr ? desc->wait : 0;
    event->signal->done = true;
    *phEvent = event->handle();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeEventDestroy(ze_event_handle_t hEvent) {
  return guarded(__func__, [&] {
    delete &as<Event>(hEvent);  // commands keep the signal
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeEventHostSignal(ze_event_handle_t hEvent) {
  return guarded(__func__, [&] {
    const SignalPtr signal = as<Event>(hEvent).current();
    const std::lock_guard lock(sync_mutex());
    signal->done = true;
    signal->time = {device_ticks(), device_ticks()};
    sync_changed().notify_all();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeEventHostSynchronize(ze_event_handle_t hEvent, uint64_t timeout) {
  return guarded(__func__, [&]() -> ze_result_t {
    const SignalPtr signal = as<Event>(hEvent).current();
    std::unique_lock lock(sync_mutex());
    if (!wait_until(lock, timeout, [&] { return signal->done; })) {
      return ZE_RESULT_NOT_READY;
    }
    return deliver(signal->failures);
  });
}

ze_result_t ZE_APICALL zeEventQueryStatus(ze_event_handle_t hEvent) {
  return guarded(__func__, [&]() -> ze_result_t {
    const SignalPtr signal = as<Event>(hEvent).current();
    const std::lock_guard lock(sync_mutex());
    // A failure is left for the synchronisation: adapters poll the status while they clean up, and drop what they get.
    return signal->done ? ZE_RESULT_SUCCESS : ZE_RESULT_NOT_READY;
  });
}

ze_result_t ZE_APICALL zeEventHostReset(ze_event_handle_t hEvent) {
  return guarded(__func__, [&] {
    Event& event = as<Event>(hEvent);
    if (event.counter_based) {
      throw ApiError(ZE_RESULT_ERROR_INVALID_ARGUMENT, "counter-based events are not reset");
    }
    const std::lock_guard lock(sync_mutex());
    event.signal->done = false;
    event.signal->failures.clear();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeEventQueryKernelTimestamp(ze_event_handle_t hEvent, ze_kernel_timestamp_result_t* dstptr) {
  return guarded(__func__, [&]() -> ze_result_t {
    const SignalPtr signal = as<Event>(hEvent).current();
    require(dstptr, "dstptr");
    const std::lock_guard lock(sync_mutex());
    if (!signal->done) {
      return ZE_RESULT_NOT_READY;
    }
    *dstptr = stamps_of(*signal);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeEventQueryTimestampsExp(ze_event_handle_t hEvent, ze_device_handle_t hDevice, uint32_t* pCount,
                                                 ze_kernel_timestamp_result_t* pTimestamps) {
  return guarded(__func__, [&]() -> ze_result_t {
    const SignalPtr signal = as<Event>(hEvent).current();
    as<Device>(hDevice);
    const std::lock_guard lock(sync_mutex());
    if (!signal->done && pTimestamps != nullptr) {
      return ZE_RESULT_NOT_READY;
    }
    return_array(pCount, pTimestamps, 1,
                 [&](uint32_t, ze_kernel_timestamp_result_t& out) { out = stamps_of(*signal); });
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL
zeEventQueryKernelTimestampsExt(ze_event_handle_t hEvent, ze_device_handle_t hDevice, uint32_t* pCount,
                                ze_event_query_kernel_timestamps_results_ext_properties_t* pResults) {
  return guarded(__func__, [&]() -> ze_result_t {
    const SignalPtr signal = as<Event>(hEvent).current();
    as<Device>(hDevice);
    require(pCount, "pCount");
    const std::lock_guard lock(sync_mutex());
    if (*pCount == 0 || pResults == nullptr) {
      *pCount = 1;
      return ZE_RESULT_SUCCESS;
    }
    if (!signal->done) {
      return ZE_RESULT_NOT_READY;
    }
    *pCount = 1;
    const ze_kernel_timestamp_result_t stamps = stamps_of(*signal);
    if (pResults->pKernelTimestampsBuffer != nullptr) {
      pResults->pKernelTimestampsBuffer[0] = stamps;
    }
    if (pResults->pSynchronizedTimestampsBuffer != nullptr) {
      // The device's ticks are the host clock's nanoseconds.
      pResults->pSynchronizedTimestampsBuffer[0].global = {stamps.global.kernelStart, stamps.global.kernelEnd};
      pResults->pSynchronizedTimestampsBuffer[0].context = {stamps.context.kernelStart, stamps.context.kernelEnd};
    }
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeEventGetEventPool(ze_event_handle_t hEvent, ze_event_pool_handle_t* phEventPool) {
  return guarded(__func__, [&] {
    Event& event = as<Event>(hEvent);
    require(phEventPool, "phEventPool");
    if (event.pool == nullptr) {
      throw ApiError(ZE_RESULT_ERROR_INVALID_ARGUMENT, "the event was made without a pool");
    }
    *phEventPool = event.pool->handle();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeEventGetSignalScope(ze_event_handle_t hEvent, ze_event_scope_flags_t* pSignalScope) {
  return guarded(__func__, [&] {
    Event& event = as<Event>(hEvent);
    require(pSignalScope, "pSignalScope");
    *pSignalScope = event.signal_scope;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeEventGetWaitScope(ze_event_handle_t hEvent, ze_event_scope_flags_t* pWaitScope) {
  return guarded(__func__, [&] {
    Event& event = as<Event>(hEvent);
    require(pWaitScope, "pWaitScope");
    *pWaitScope = event.wait_scope;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeEventGetCounterBasedFlags(ze_event_handle_t hEvent, ze_event_counter_based_flags_t* pFlags) {
  return guarded(__func__, [&] {
    Event& event = as<Event>(hEvent);
    require(pFlags, "pFlags");
    *pFlags = event.counter_flags;
    return ZE_RESULT_SUCCESS;
  });
}

}  // extern "C"
