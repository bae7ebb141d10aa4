// SPDX-License-Identifier: Apache-2.0
//
// Appends that launch kernels. Arguments and sizes are captured when the launch is appended.
#include <cstring>

#include "driver/command_list.h"
#include "driver/extensions.h"
#include "driver/launch.h"
#include "driver/state.h"

using namespace xeforge::driver;

namespace {

std::array<uint32_t, 3> counts_of(const ze_group_count_t& groups) {
  return {groups.groupCountX, groups.groupCountY, groups.groupCountZ};
}

void require_compute(ze_command_list_handle_t list) {
  if (as<CommandList>(list).ordinal != 0) {
    throw ApiError(ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE, "queue group 1 copies only: it launches no kernels");
  }
}

ze_result_t append_launch(const char* name, ze_command_list_handle_t list, ze_kernel_handle_t kernel,
                          const ze_group_count_t& groups, const Links& links) {
  require_compute(list);
  Command command;
  command.name = name;
  command.body = [request = capture_launch(as<Kernel>(kernel), counts_of(groups))] { return run_launch(request); };
  return append(list, std::move(command), links);
}

/// A cooperative launch needs all its groups at the same time on the device.
void check_cooperative(const Kernel& kernel, const ze_group_count_t& groups) {
  const uint64_t wanted = uint64_t{groups.groupCountX} * groups.groupCountY * groups.groupCountZ;
  const uint32_t most = max_resident_groups(kernel, kernel.image->model());
  if (wanted > most) {
    throw ApiError(ZE_RESULT_ERROR_INVALID_ARGUMENT, "a cooperative launch of " + std::to_string(wanted) + " groups; " +
                                                         std::to_string(most) + " are resident at the same time");
  }
}

/// True if a parameter of the launch asks for a cooperative one.
bool read_parameters(const char* entry_point, const void* next) {
  bool cooperative = false;
  for (auto* at = static_cast<const ze_base_desc_t*>(next); at != nullptr;
       at = static_cast<const ze_base_desc_t*>(at->pNext)) {
    if (at->stype == ZE_STRUCTURE_TYPE_COMMAND_LIST_APPEND_PARAM_COOPERATIVE_DESC) {
      cooperative =
          reinterpret_cast<const ze_command_list_append_launch_kernel_param_cooperative_desc_t*>(at)->isCooperative !=
          0;
    } else {
      note_unknown_structure(entry_point, at->stype);
    }
  }
  return cooperative;
}

ze_group_count_t load_counts(const ze_group_count_t* from) {
  ze_group_count_t counts{};
  std::memcpy(&counts, from, sizeof counts);
  return counts;
}

}  // namespace

extern "C" {

ze_result_t ZE_APICALL zeCommandListAppendLaunchKernel(ze_command_list_handle_t hCommandList,
                                                       ze_kernel_handle_t hKernel,
                                                       const ze_group_count_t* pLaunchFuncArgs,
                                                       ze_event_handle_t hSignalEvent, uint32_t numWaitEvents,
                                                       ze_event_handle_t* phWaitEvents) {
  return guarded(__func__, [&] {
    require(pLaunchFuncArgs, "pLaunchFuncArgs");
    return append_launch("zeCommandListAppendLaunchKernel", hCommandList, hKernel, *pLaunchFuncArgs,
                         {hSignalEvent, numWaitEvents, phWaitEvents});
  });
}

ze_result_t ZE_APICALL zeCommandListAppendLaunchCooperativeKernel(
    ze_command_list_handle_t hCommandList, ze_kernel_handle_t hKernel, const ze_group_count_t* pLaunchFuncArgs,
    ze_event_handle_t hSignalEvent, uint32_t numWaitEvents, ze_event_handle_t* phWaitEvents) {
  return guarded(__func__, [&] {
    require(pLaunchFuncArgs, "pLaunchFuncArgs");
    check_cooperative(as<Kernel>(hKernel), *pLaunchFuncArgs);
    return append_launch("zeCommandListAppendLaunchCooperativeKernel", hCommandList, hKernel, *pLaunchFuncArgs,
                         {hSignalEvent, numWaitEvents, phWaitEvents});
  });
}

ze_result_t ZE_APICALL zeCommandListAppendLaunchKernelWithParameters(
    ze_command_list_handle_t hCommandList, ze_kernel_handle_t hKernel, const ze_group_count_t* pGroupCounts,
    const void* pNext, ze_event_handle_t hSignalEvent, uint32_t numWaitEvents, ze_event_handle_t* phWaitEvents) {
  return guarded(__func__, [&] {
    require(pGroupCounts, "pGroupCounts");
    if (read_parameters("zeCommandListAppendLaunchKernelWithParameters", pNext)) {
      check_cooperative(as<Kernel>(hKernel), *pGroupCounts);
    }
    return append_launch("zeCommandListAppendLaunchKernelWithParameters", hCommandList, hKernel, *pGroupCounts,
                         {hSignalEvent, numWaitEvents, phWaitEvents});
  });
}

ze_result_t ZE_APICALL zeCommandListAppendLaunchKernelWithArguments(
    ze_command_list_handle_t hCommandList, ze_kernel_handle_t hKernel, const ze_group_count_t groupCounts,
    const ze_group_size_t groupSizes, void** pArguments, const void* pNext, ze_event_handle_t hSignalEvent,
    uint32_t numWaitEvents, ze_event_handle_t* phWaitEvents) {
  return guarded(__func__, [&] {
    Kernel& kernel = as<Kernel>(hKernel);
    kernel.set_group_size(groupSizes.groupSizeX, groupSizes.groupSizeY, groupSizes.groupSizeZ);
    kernel.set_arguments(pArguments);
    if (read_parameters("zeCommandListAppendLaunchKernelWithArguments", pNext)) {
      check_cooperative(kernel, groupCounts);
    }
    return append_launch("zeCommandListAppendLaunchKernelWithArguments", hCommandList, hKernel, groupCounts,
                         {hSignalEvent, numWaitEvents, phWaitEvents});
  });
}

ze_result_t ZE_APICALL zeCommandListAppendLaunchKernelIndirect(ze_command_list_handle_t hCommandList,
                                                               ze_kernel_handle_t hKernel,
                                                               const ze_group_count_t* pLaunchArgumentsBuffer,
                                                               ze_event_handle_t hSignalEvent, uint32_t numWaitEvents,
                                                               ze_event_handle_t* phWaitEvents) {
  return guarded(__func__, [&] {
    require(pLaunchArgumentsBuffer, "pLaunchArgumentsBuffer");
    require_compute(hCommandList);
    state().device.usm.check_range(pLaunchArgumentsBuffer, sizeof *pLaunchArgumentsBuffer, "group counts");
    Command command;
    command.name = "zeCommandListAppendLaunchKernelIndirect";
    command.body = [request = capture_launch(as<Kernel>(hKernel), {0, 0, 0}), pLaunchArgumentsBuffer] {
      LaunchRequest now = request;
      now.launch.groups = counts_of(load_counts(pLaunchArgumentsBuffer));
      return run_launch(std::move(now));
    };
    return append(hCommandList, std::move(command), {hSignalEvent, numWaitEvents, phWaitEvents});
  });
}

ze_result_t ZE_APICALL zeCommandListAppendLaunchMultipleKernelsIndirect(
    ze_command_list_handle_t hCommandList, uint32_t numKernels, ze_kernel_handle_t* phKernels,
    const uint32_t* pCountBuffer, const ze_group_count_t* pLaunchArgumentsBuffer, ze_event_handle_t hSignalEvent,
    uint32_t numWaitEvents, ze_event_handle_t* phWaitEvents) {
  return guarded(__func__, [&] {
    require(phKernels, "phKernels");
    require(pCountBuffer, "pCountBuffer");
    require(pLaunchArgumentsBuffer, "pLaunchArgumentsBuffer");
    require_compute(hCommandList);
    std::vector<LaunchRequest> requests;
    requests.reserve(numKernels);
    for (uint32_t i = 0; i < numKernels; ++i) {
      requests.push_back(capture_launch(as<Kernel>(phKernels[i]), {0, 0, 0}));
    }
    state().device.usm.check_range(pLaunchArgumentsBuffer, numKernels * sizeof *pLaunchArgumentsBuffer, "group counts");
    state().device.usm.check_range(pCountBuffer, sizeof *pCountBuffer, "the number of launches");
    Command command;
    command.name = "zeCommandListAppendLaunchMultipleKernelsIndirect";
    command.body = [requests, pCountBuffer, pLaunchArgumentsBuffer]() -> Outcome {
      uint32_t count = 0;
      std::memcpy(&count, pCountBuffer, sizeof count);
      Outcome whole;
      for (uint32_t i = 0; i < count && i < requests.size(); ++i) {
        LaunchRequest now = requests[i];
        now.launch.groups = counts_of(load_counts(pLaunchArgumentsBuffer + i));
        const Outcome one = run_launch(std::move(now));
        if (whole.failure == nullptr) {
          whole.failure = one.failure;
        }
      }
      return whole;
    };
    return append(hCommandList, std::move(command), {hSignalEvent, numWaitEvents, phWaitEvents});
  });
}

}  // extern "C"
