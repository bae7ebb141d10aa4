// SPDX-License-Identifier: Apache-2.0
//
// Command lists: an immediate one hands each command to its timeline, a regular one keeps them
// for zeCommandQueueExecuteCommandLists.
#pragma once

#include <memory>
#include <vector>

#include "driver/object.h"
#include "driver/timeline.h"

namespace xeforge::driver {

struct CommandList : Object<ObjectKind::List, ze_command_list_handle_t> {
  ze_context_handle_t context = nullptr;
  ze_device_handle_t device = nullptr;
  uint32_t ordinal = 0;
  bool in_order = false;
  ze_command_list_flags_t list_flags = 0;  ///< regular lists

  std::shared_ptr<Timeline> timeline;  ///< immediate lists; null: a regular list
  ze_command_queue_flags_t queue_flags = 0;
  uint32_t queue_index = 0;
  ze_command_queue_mode_t mode = ZE_COMMAND_QUEUE_MODE_DEFAULT;
  ze_command_queue_priority_t priority = ZE_COMMAND_QUEUE_PRIORITY_NORMAL;

  std::vector<Command> commands;  ///< regular lists
  bool closed = false;

  bool immediate() const { return timeline != nullptr; }
};

/// The two ends that every append has.
struct Links {
  ze_event_handle_t signal = nullptr;
  uint32_t wait_count = 0;
  const ze_event_handle_t* waits = nullptr;
};

/// Adds the links to `command` and submits or stores it. Gives the result for the caller of the
/// entry point: not SUCCESS only where a synchronous list has waited for a command that failed.
ze_result_t append(ze_command_list_handle_t list, Command command, const Links& links);

/// A closed regular list's commands, for a timeline: between a beginning and an end that let
/// nothing pass, as the lists of a queue run one after another.
void submit_list(Timeline& timeline, ze_command_list_handle_t list);

}  // namespace xeforge::driver
