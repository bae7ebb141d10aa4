// SPDX-License-Identifier: Apache-2.0
//
// A block of instructions for the init checker: if all that it needs is written, then so is all that it gives, and
// nobody has to look at its instructions one by one. That is nearly every block that a thread executes.
#pragma once

#include <vector>

#include "machine/code.h"
#include "observe/check/init_plan.h"

namespace xeforge::observe::check {

struct BlockSummary {
  bool whole = false;  ///< false: has instructions that have to be followed one by one
  /// Read before the block has written it for sure; and what the exactness of messages in it asks for.
  Touched needs;
  /// Written by all channels of `lanes`, whatever is in `needs`.
  Touched gives;
  uint32_t lanes = 0;  ///< channels that must be enabled for `gives`
};

std::vector<BlockSummary> summarise_blocks(const machine::Code& code, const std::vector<InitPlan>& plans);

}  // namespace xeforge::observe::check
