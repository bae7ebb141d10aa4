// SPDX-License-Identifier: Apache-2.0
//
// Appends that order things: barriers, events, time stamps, host functions.
#include <cstring>

#include "driver/command_list.h"
#include "driver/event.h"
#include "driver/extensions.h"
#include "driver/state.h"

using namespace xeforge::driver;

namespace {

Command ordered(const char* name) {
  Command command;
  command.name = name;
  command.ordered = true;
  return command;
}

void store(void* to, const void* from, size_t size) {
  const Usm::Use use(state().device.usm);
  std::memcpy(to, from, size);
}

}  // namespace

extern "C" {

ze_result_t ZE_APICALL zeCommandListAppendBarrier(ze_command_list_handle_t hCommandList, ze_event_handle_t hSignalEvent,
                                                  uint32_t numWaitEvents, ze_event_handle_t* phWaitEvents) {
  return guarded(__func__, [&] {
    return append(hCommandList, ordered("zeCommandListAppendBarrier"), {hSignalEvent, numWaitEvents, phWaitEvents});
  });
}

ze_result_t ZE_APICALL zeCommandListAppendMemoryRangesBarrier(ze_command_list_handle_t hCommandList, uint32_t numRanges,
                                                              const size_t* pRangeSizes, const void** pRanges,
                                                              ze_event_handle_t hSignalEvent, uint32_t numWaitEvents,
                                                              ze_event_handle_t* phWaitEvents) {
  return guarded(__func__, [&] {
    if (numRanges > 0) {
      require(pRangeSizes, "pRangeSizes");
      require(pRanges, "pRanges");
    }
    return append(hCommandList, ordered("zeCommandListAppendMemoryRangesBarrier"),
                  {hSignalEvent, numWaitEvents, phWaitEvents});
  });
}

ze_result_t ZE_APICALL zeCommandListAppendSignalEvent(ze_command_list_handle_t hCommandList, ze_event_handle_t hEvent) {
  return guarded(__func__, [&] {
    as<Event>(hEvent);
    return append(hCommandList, ordered("zeCommandListAppendSignalEvent"), {hEvent, 0, nullptr});
  });
}

ze_result_t ZE_APICALL zeCommandListAppendWaitOnEvents(ze_command_list_handle_t hCommandList, uint32_t numEvents,
                                                       ze_event_handle_t* phEvents) {
  return guarded(__func__, [&] {
    require(phEvents, "phEvents");
    return append(hCommandList, ordered("zeCommandListAppendWaitOnEvents"), {nullptr, numEvents, phEvents});
  });
}

ze_result_t ZE_APICALL zeCommandListAppendEventReset(ze_command_list_handle_t hCommandList, ze_event_handle_t hEvent) {
  return guarded(__func__, [&] {
    Event& event = as<Event>(hEvent);
    if (event.counter_based) {
      throw ApiError(ZE_RESULT_ERROR_INVALID_ARGUMENT, "counter-based events are not reset");
    }
    Command command = ordered("zeCommandListAppendEventReset");
    command.body = [signal = event.current()]() -> Outcome {
      const std::lock_guard lock(sync_mutex());
      signal->done = false;
      signal->failures.clear();
      return {};
    };
    return append(hCommandList, std::move(command), {});
  });
}

ze_result_t ZE_APICALL zeCommandListAppendWriteGlobalTimestamp(ze_command_list_handle_t hCommandList, uint64_t* dstptr,
                                                               ze_event_handle_t hSignalEvent, uint32_t numWaitEvents,
                                                               ze_event_handle_t* phWaitEvents) {
  return guarded(__func__, [&] {
    require(dstptr, "dstptr");
    state().device.usm.check_range(dstptr, sizeof *dstptr, "a time stamp");
    Command command = ordered("zeCommandListAppendWriteGlobalTimestamp");
    command.body = [dstptr]() -> Outcome {
      const uint64_t now = device_ticks();
      store(dstptr, &now, sizeof now);
      return {};
    };
    return append(hCommandList, std::move(command), {hSignalEvent, numWaitEvents, phWaitEvents});
  });
}

ze_result_t ZE_APICALL zeCommandListAppendQueryKernelTimestamps(ze_command_list_handle_t hCommandList,
                                                                uint32_t numEvents, ze_event_handle_t* phEvents,
                                                                void* dstptr, const size_t* pOffsets,
                                                                ze_event_handle_t hSignalEvent, uint32_t numWaitEvents,
                                                                ze_event_handle_t* phWaitEvents) {
  return guarded(__func__, [&] {
    require(phEvents, "phEvents");
    require(dstptr, "dstptr");
    const auto signals = signals_to_wait_for(numEvents, phEvents);
    std::vector<size_t> offsets;
    for (size_t i = 0; i < signals.size(); ++i) {
      offsets.push_back(pOffsets != nullptr ? pOffsets[i] : i * sizeof(ze_kernel_timestamp_result_t));
      state().device.usm.check_range(static_cast<char*>(dstptr) + offsets.back(), sizeof(ze_kernel_timestamp_result_t),
                                     "a time stamp");
    }
    Command command = ordered("zeCommandListAppendQueryKernelTimestamps");
    command.body = [signals, offsets, dstptr]() -> Outcome {
      for (size_t i = 0; i < signals.size(); ++i) {
        ze_kernel_timestamp_result_t result{};
        {
          const std::lock_guard lock(sync_mutex());
          result.global = {signals[i]->time.start, signals[i]->time.end};
        }
        result.context = result.global;
        store(static_cast<char*>(dstptr) + offsets[i], &result, sizeof result);
      }
      return {};
    };
    return append(hCommandList, std::move(command), {hSignalEvent, numWaitEvents, phWaitEvents});
  });
}

ze_result_t ZE_APICALL zeCommandListAppendHostFunction(ze_command_list_handle_t hCommandList,
                                                       ze_host_function_callback_t pfnHostFunction, void* pUserData,
                                                       const void* pNext, ze_event_handle_t hSignalEvent,
                                                       uint32_t numWaitEvents, ze_event_handle_t* phWaitEvents) {
  return guarded(__func__, [&] {
    require(reinterpret_cast<const void*>(pfnHostFunction), "pfnHostFunction");
    if (pNext != nullptr) {
      note_unknown_structure("zeCommandListAppendHostFunction", static_cast<const ze_base_desc_t*>(pNext)->stype);
    }
    Command command = ordered("zeCommandListAppendHostFunction");
    command.body = [pfnHostFunction, pUserData]() -> Outcome {
      pfnHostFunction(pUserData);
      return {};
    };
    return append(hCommandList, std::move(command), {hSignalEvent, numWaitEvents, phWaitEvents});
  });
}

}  // extern "C"
