// SPDX-License-Identifier: Apache-2.0
//
// zeCommandQueue*, zeFence*.
#include "driver/command_list.h"
#include "driver/state.h"
#include "driver/timeline.h"

namespace xeforge::driver {
namespace {

struct Queue : Object<ObjectKind::Queue, ze_command_queue_handle_t> {
  ze_command_queue_desc_t desc{};
  // Lists are fenced off against each other, so that only the commands inside a list may overtake.
  std::shared_ptr<Timeline> timeline = Timeline::create(false);
};

struct Fence : Object<ObjectKind::Fence, ze_fence_handle_t> {
  SignalPtr signal = std::make_shared<Signal>();
};

template <class T>
ze_result_t give(T* out, const char* name, T value) {
  require(out, name);
  *out = value;
  return ZE_RESULT_SUCCESS;
}

ze_result_t wait_for(Fence& fence, uint64_t timeout) {
  std::unique_lock lock(sync_mutex());
  const SignalPtr signal = fence.signal;
  if (!wait_until(lock, timeout, [&] { return signal->done; })) {
    return ZE_RESULT_NOT_READY;
  }
  return deliver(signal->failures);
}

}  // namespace
}  // namespace xeforge::driver

using namespace xeforge::driver;

extern "C" {

ze_result_t ZE_APICALL zeCommandQueueCreate(ze_context_handle_t hContext, ze_device_handle_t hDevice,
                                            const ze_command_queue_desc_t* desc,
                                            ze_command_queue_handle_t* phCommandQueue) {
  return guarded(__func__, [&] {
    as<Context>(hContext);
    as<Device>(hDevice);
    require(desc, "desc");
    require(phCommandQueue, "phCommandQueue");
    if (desc->ordinal > 1) {
      throw ApiError(ZE_RESULT_ERROR_INVALID_ARGUMENT,
                     "there is no command queue group " + std::to_string(desc->ordinal));
    }
    auto* queue = new Queue;
    queue->desc = *desc;
    queue->desc.pNext = nullptr;
    *phCommandQueue = queue->handle();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeCommandQueueDestroy(ze_command_queue_handle_t hCommandQueue) {
  return guarded(__func__, [&] {
    Queue& queue = as<Queue>(hCommandQueue);
    queue.timeline->close();
    delete &queue;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeCommandQueueExecuteCommandLists(ze_command_queue_handle_t hCommandQueue,
                                                         uint32_t numCommandLists,
                                                         ze_command_list_handle_t* phCommandLists,
                                                         ze_fence_handle_t hFence) {
  return guarded(__func__, [&]() -> ze_result_t {
    Queue& queue = as<Queue>(hCommandQueue);
    require(phCommandLists, "phCommandLists");
    if (numCommandLists == 0) {
      throw ApiError(ZE_RESULT_ERROR_INVALID_SIZE, "no command lists to execute");
    }
    for (uint32_t i = 0; i < numCommandLists; ++i) {
      submit_list(*queue.timeline, phCommandLists[i]);
    }
    if (hFence != nullptr) {
      Command fence;
      fence.name = "fence";
      fence.ordered = true;
      fence.signal = as<Fence>(hFence).signal;
      queue.timeline->submit(std::move(fence));
    }
    return queue.desc.mode == ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS ? queue.timeline->synchronize(UINT64_MAX)
                                                                : ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeCommandQueueSynchronize(ze_command_queue_handle_t hCommandQueue, uint64_t timeout) {
  return guarded(__func__, [&] { return as<Queue>(hCommandQueue).timeline->synchronize(timeout); });
}

ze_result_t ZE_APICALL zeCommandQueueGetOrdinal(ze_command_queue_handle_t hCommandQueue, uint32_t* pOrdinal) {
  return guarded(__func__, [&] { return give(pOrdinal, "pOrdinal", as<Queue>(hCommandQueue).desc.ordinal); });
}

ze_result_t ZE_APICALL zeCommandQueueGetIndex(ze_command_queue_handle_t hCommandQueue, uint32_t* pIndex) {
  return guarded(__func__, [&] { return give(pIndex, "pIndex", as<Queue>(hCommandQueue).desc.index); });
}

ze_result_t ZE_APICALL zeCommandQueueGetFlags(ze_command_queue_handle_t hCommandQueue,
                                              ze_command_queue_flags_t* pFlags) {
  return guarded(__func__, [&] { return give(pFlags, "pFlags", as<Queue>(hCommandQueue).desc.flags); });
}

ze_result_t ZE_APICALL zeCommandQueueGetMode(ze_command_queue_handle_t hCommandQueue, ze_command_queue_mode_t* pMode) {
  return guarded(__func__, [&] { return give(pMode, "pMode", as<Queue>(hCommandQueue).desc.mode); });
}

ze_result_t ZE_APICALL zeCommandQueueGetPriority(ze_command_queue_handle_t hCommandQueue,
                                                 ze_command_queue_priority_t* pPriority) {
  return guarded(__func__, [&] { return give(pPriority, "pPriority", as<Queue>(hCommandQueue).desc.priority); });
}

ze_result_t ZE_APICALL zeFenceCreate(ze_command_queue_handle_t hCommandQueue, const ze_fence_desc_t* desc,
                                     ze_fence_handle_t* phFence) {
  return guarded(__func__, [&] {
    as<Queue>(hCommandQueue);
    require(desc, "desc");
    require(phFence, "phFence");
    auto* fence = new Fence;
    fence->signal->done = (desc->flags & ZE_FENCE_FLAG_SIGNALED) != 0;
    *phFence = fence->handle();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeFenceDestroy(ze_fence_handle_t hFence) {
  return guarded(__func__, [&] {
    delete &as<Fence>(hFence);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zeFenceHostSynchronize(ze_fence_handle_t hFence, uint64_t timeout) {
  return guarded(__func__, [&] { return wait_for(as<Fence>(hFence), timeout); });
}

ze_result_t ZE_APICALL zeFenceQueryStatus(ze_fence_handle_t hFence) {
  return guarded(__func__, [&]() -> ze_result_t {
    Fence& fence = as<Fence>(hFence);
    const std::lock_guard lock(sync_mutex());
    // Like zeEventQueryStatus: failures are for the synchronisations.
    return fence.signal->done ? ZE_RESULT_SUCCESS : ZE_RESULT_NOT_READY;
  });
}

ze_result_t ZE_APICALL zeFenceReset(ze_fence_handle_t hFence) {
  return guarded(__func__, [&] {
    Fence& fence = as<Fence>(hFence);
    const std::lock_guard lock(sync_mutex());
    fence.signal->done = false;
    fence.signal->failures.clear();
    return ZE_RESULT_SUCCESS;
  });
}

}  // extern "C"
