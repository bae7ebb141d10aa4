// SPDX-License-Identifier: Apache-2.0
//
// zeCommandList*: everything but the appends.
#include "driver/command_list.h"
#include "driver/extensions.h"
#include "driver/state.h"

using namespace xeforge::driver;

namespace {

CommandList& immediate_list(ze_command_list_handle_t handle) {
  CommandList& list = as<CommandList>(handle);
  if (!list.immediate()) {
    throw ApiError(ZE_RESULT_ERROR_INVALID_ARGUMENT, "this is not an immediate command list");
  }
  return list;
}

std::unique_ptr<CommandList> new_list(ze_context_handle_t context, ze_device_handle_t device, uint32_t ordinal) {
  as<Context>(context);
  as<Device>(device);
  if (ordinal > 1) {
    throw ApiError(ZE_RESULT_ERROR_INVALID_ARGUMENT, "there is no command queue group " + std::to_string(ordinal));
  }
  auto list = std::make_unique<CommandList>();
  list->context = context;
  list->device = device;
  list->ordinal = ordinal;
  return list;
}

template <class T>
ze_result_t give(T* out, const char* name, T value) {
  require(out, name);
  *out = value;
  return ZE_RESULT_SUCCESS;
}

}  // namespace

extern "C" {

ze_result_t ZE_APICALL zeCommandListCreate(ze_context_handle_t hContext, ze_device_handle_t hDevice,
                                           const ze_command_list_desc_t* desc,
                                           ze_command_list_handle_t* phCommandList) {
  return guarded(__func__, [&] {
    require(desc, "desc");
    require(phCommandList, "phCommandList");
    if (find_structure<ze_base_desc_t>(desc->pNext, ZE_STRUCTURE_TYPE_MUTABLE_COMMAND_LIST_EXP_DESC) != nullptr) {
      throw ApiError(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "mutable command lists are not implemented");
    }
    auto list = new_list(hContext, hDevice, desc->commandQueueGroupOrdinal);
    list->list_flags = desc->flags;
    list->in_order = (desc->flags & ZE_COMMAND_LIST_FLAG_IN_ORDER) != 0;
    *phCommandList = list.release()->handle();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeCommandListCreateImmediate(ze_context_handle_t hContext, ze_device_handle_t hDevice,
                                                    const ze_command_queue_desc_t* altdesc,
                                                    ze_command_list_handle_t* phCommandList) {
  return guarded(__func__, [&] {
    require(altdesc, "altdesc");
    require(phCommandList, "phCommandList");
    auto list = new_list(hContext, hDevice, altdesc->ordinal);
    list->queue_flags = altdesc->flags;
    list->in_order = (altdesc->flags & ZE_COMMAND_QUEUE_FLAG_IN_ORDER) != 0;
    list->queue_index = altdesc->index;
    list->mode = altdesc->mode;
    list->priority = altdesc->priority;
    list->timeline = Timeline::create(list->in_order);
    *phCommandList = list.release()->handle();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeCommandListDestroy(ze_command_list_handle_t hCommandList) {
  return guarded(__func__, [&] {
    CommandList& list = as<CommandList>(hCommandList);
    if (list.immediate()) {
      list.timeline->close();
    }
    delete &list;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeCommandListClose(ze_command_list_handle_t hCommandList) {
  return guarded(__func__, [&] {
    as<CommandList>(hCommandList).closed = true;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeCommandListReset(ze_command_list_handle_t hCommandList) {
  return guarded(__func__, [&] {
    CommandList& list = as<CommandList>(hCommandList);
    list.commands.clear();
    list.closed = false;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeCommandListHostSynchronize(ze_command_list_handle_t hCommandList, uint64_t timeout) {
  return guarded(__func__, [&] { return immediate_list(hCommandList).timeline->synchronize(timeout); });
}

ze_result_t ZE_APICALL zeCommandListImmediateAppendCommandListsExp(
    ze_command_list_handle_t hCommandListImmediate, uint32_t numCommandLists, ze_command_list_handle_t* phCommandLists,
    ze_event_handle_t hSignalEvent, uint32_t numWaitEvents, ze_event_handle_t* phWaitEvents) {
  return guarded(__func__, [&] {
    CommandList& list = immediate_list(hCommandListImmediate);
    require(phCommandLists, "phCommandLists");
    Command begin;
    begin.name = "zeCommandListImmediateAppendCommandLists";
    begin.ordered = true;
    append(hCommandListImmediate, begin, {nullptr, numWaitEvents, phWaitEvents});
    for (uint32_t i = 0; i < numCommandLists; ++i) {
      submit_list(*list.timeline, phCommandLists[i]);
    }
    return append(hCommandListImmediate, begin, {hSignalEvent, 0, nullptr});
  });
}

ze_result_t ZE_APICALL zeCommandListImmediateAppendCommandListsWithParameters(
    ze_command_list_handle_t hCommandListImmediate, uint32_t numCommandLists, ze_command_list_handle_t* phCommandLists,
    const void* pNext, ze_event_handle_t hSignalEvent, uint32_t numWaitEvents, ze_event_handle_t* phWaitEvents) {
  if (pNext != nullptr) {
    note_unknown_structure(__func__, static_cast<const ze_base_desc_t*>(pNext)->stype);
  }
  return zeCommandListImmediateAppendCommandListsExp(hCommandListImmediate, numCommandLists, phCommandLists,
                                                     hSignalEvent, numWaitEvents, phWaitEvents);
}

ze_result_t ZE_APICALL zeCommandListGetDeviceHandle(ze_command_list_handle_t hCommandList,
                                                    ze_device_handle_t* phDevice) {
  return guarded(__func__, [&] { return give(phDevice, "phDevice", as<CommandList>(hCommandList).device); });
}

ze_result_t ZE_APICALL zeCommandListGetContextHandle(ze_command_list_handle_t hCommandList,
                                                     ze_context_handle_t* phContext) {
  return guarded(__func__, [&] { return give(phContext, "phContext", as<CommandList>(hCommandList).context); });
}

ze_result_t ZE_APICALL zeCommandListGetOrdinal(ze_command_list_handle_t hCommandList, uint32_t* pOrdinal) {
  return guarded(__func__, [&] { return give(pOrdinal, "pOrdinal", as<CommandList>(hCommandList).ordinal); });
}

ze_result_t ZE_APICALL zeCommandListImmediateGetIndex(ze_command_list_handle_t hCommandListImmediate,
                                                      uint32_t* pIndex) {
  return guarded(__func__, [&] { return give(pIndex, "pIndex", immediate_list(hCommandListImmediate).queue_index); });
}

ze_result_t ZE_APICALL zeCommandListIsImmediate(ze_command_list_handle_t hCommandList, ze_bool_t* pIsImmediate) {
  return guarded(__func__, [&] {
    return give(pIsImmediate, "pIsImmediate",
                static_cast<ze_bool_t>(as<CommandList>(hCommandList).immediate() ? 1 : 0));
  });
}

ze_result_t ZE_APICALL zeCommandListGetFlags(ze_command_list_handle_t hCommandList, ze_command_list_flags_t* pFlags) {
  return guarded(__func__, [&] { return give(pFlags, "pFlags", as<CommandList>(hCommandList).list_flags); });
}

ze_result_t ZE_APICALL zeCommandListImmediateGetFlags(ze_command_list_handle_t hCommandList,
                                                      ze_command_queue_flags_t* pFlags) {
  return guarded(__func__, [&] { return give(pFlags, "pFlags", immediate_list(hCommandList).queue_flags); });
}

ze_result_t ZE_APICALL zeCommandListImmediateGetMode(ze_command_list_handle_t hCommandList,
                                                     ze_command_queue_mode_t* pMode) {
  return guarded(__func__, [&] { return give(pMode, "pMode", immediate_list(hCommandList).mode); });
}

ze_result_t ZE_APICALL zeCommandListImmediateGetPriority(ze_command_list_handle_t hCommandList,
                                                         ze_command_queue_priority_t* pPriority) {
  return guarded(__func__, [&] { return give(pPriority, "pPriority", immediate_list(hCommandList).priority); });
}

}  // extern "C"
