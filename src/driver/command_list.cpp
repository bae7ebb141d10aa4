// SPDX-License-Identifier: Apache-2.0
#include "driver/command_list.h"

#include "driver/event.h"

namespace xeforge::driver {

ze_result_t append(ze_command_list_handle_t handle, Command command, const Links& links) {
  CommandList& list = as<CommandList>(handle);
  // Waits first: a counter-based event may be waited for and signalled by the same command.
  const auto waits = signals_to_wait_for(links.wait_count, links.waits);
  command.waits.insert(command.waits.end(), waits.begin(), waits.end());
  if (links.signal != nullptr) {
    command.signal = signal_to_arm(links.signal);
  }
  if (!list.immediate()) {
    if (list.closed) {
      throw ApiError(ZE_RESULT_ERROR_INVALID_ARGUMENT, "the command list is closed");
    }
    command.ordered = command.ordered || list.in_order;
    list.commands.push_back(std::move(command));
    return ZE_RESULT_SUCCESS;
  }
  list.timeline->submit(std::move(command));
  return list.mode == ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS ? list.timeline->synchronize(UINT64_MAX) : ZE_RESULT_SUCCESS;
}

void submit_list(Timeline& timeline, ze_command_list_handle_t handle) {
  CommandList& list = as<CommandList>(handle);
  if (list.immediate() || !list.closed) {
    throw ApiError(ZE_RESULT_ERROR_INVALID_ARGUMENT, list.immediate()
                                                         ? "an immediate list cannot be executed"
                                                         : "the list was not closed before it is executed");
  }
  Command boundary;
  boundary.name = "list boundary";
  boundary.ordered = true;
  timeline.submit(boundary);
  for (const Command& command : list.commands) {
    timeline.submit(command);
  }
  timeline.submit(boundary);
}

}  // namespace xeforge::driver
