// SPDX-License-Identifier: Apache-2.0
//
// What a compiled kernel consists of, seen without running it: resources, loops, instruction mix, messages.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "binary/zebin.h"
#include "device/device.h"
#include "isa/decode.h"
#include "observe/counters.h"

namespace xeforge::lab {

/// A backward branch and everything between its target and itself, by address: compilers lay loops out in one piece.
struct Loop {
  uint32_t first_pc = 0, last_pc = 0;
  size_t begin = 0, end = 0;  ///< instructions [begin, end)
  unsigned depth = 1;         ///< 1: in no other loop
  bool innermost = true;
  observe::Counters mix;  ///< every instruction of it once, inner loops included
};

struct MessageRow {
  std::string text;                          ///< as isa::describe says it
  unsigned count = 0;                        ///< in the whole kernel
  unsigned in_loops = 0;                     ///< of them inside a loop
  unsigned payload_grf = 0, return_grf = 0;  ///< of one
};

struct KernelView {
  binary::Kernel kernel;
  isa::Program program;
  std::vector<Loop> loops;            ///< by address, outer before inner
  observe::Counters mix;              ///< every instruction once
  std::vector<MessageRow> messages;   ///< most frequent in loops first
  std::vector<std::string> warnings;  ///< what the numbers of this kernel warn of

  /// Loops that contain the instruction.
  unsigned depth_of(size_t instruction) const;
};

/// Throws isa::DecodeError for code that is not of this device's family.
KernelView view_kernel(const binary::Kernel& kernel, const device::Device& device);

std::vector<Loop> find_loops(const isa::Program& program);

/// The kernel's name without what SYCL puts in front of it.
std::string short_name(const std::string& kernel_name);

}  // namespace xeforge::lab
