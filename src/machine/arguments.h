// SPDX-License-Identifier: Apache-2.0
//
// From the argument layout of a zebin and the values of a launch to the cross-thread block, the surfaces
// and the shared local memory that all threads of the launch see.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "machine/host_block.h"
#include "machine/thread.h"

namespace xeforge::machine {

/// Size of the implicit-argument block (version 0) that some kernels find in front of their cross-thread
/// data; 0 if this kernel has none (compute-runtime implicit_args_base.h, linker.cpp).
uint32_t implicit_args_bytes(const binary::Kernel& kernel);

/// Bytes from the start of that block to its pointer to the table of local ids.
inline constexpr size_t kLocalIdTablePointer = 72;

/// What filling in the arguments yields besides the surfaces, which go into the LaunchContext.
struct ArgumentBlock {
  std::vector<std::byte> cross_thread;   ///< the whole block, inline data included
  std::vector<std::byte> implicit_args;  ///< empty or implicit_args_bytes(); local id table not filled in
  /// Places in cross_thread that take the address of the implicit arguments.
  std::vector<const binary::PayloadArg*> implicit_args_places;
  std::vector<HostBlock> blocks;        ///< memory that belongs to the launch
  std::vector<Allocation> allocations;  ///< the same for the address check
};

/// Fills `context`'s surfaces, binding table and SLM size and returns the rest. Throws FaultException
/// (InvalidLaunch) that names the argument.
ArgumentBlock fill_arguments(const Launch& launch, LaunchContext& context);

}  // namespace xeforge::machine
