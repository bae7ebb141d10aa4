// SPDX-License-Identifier: Apache-2.0
//
// From machine code to Instructions, through Intel's IGA library (C interface, libiga64).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "isa/instruction.h"

namespace xeforge::isa {

struct DecodeError : std::runtime_error {
  DecodeError(uint32_t at, const std::string& what) : std::runtime_error(what), pc(at) {}
  uint32_t pc;
};

/// A kernel's reachable instructions in address order. What no thread can reach (build hash, `illegal` padding behind
/// an end of thread, gaps behind unconditional jumps) is not there, so it is never counted either: the instruction that
/// follows i is the one at index_of(i.pc + i.size), not always the next in the list.
class Program {
 public:
  Program(Platform platform, std::vector<std::byte> code, std::vector<Instruction> instructions);

  Platform platform() const { return platform_; }
  std::span<const Instruction> instructions() const { return instructions_; }
  std::span<const std::byte> code() const { return code_; }
  /// Index of the instruction that starts at `pc`, or -1.
  int32_t index_of(uint32_t pc) const;
  /// IGA's text of the instruction at `pc`, for messages and listings.
  std::string text(uint32_t pc) const;

 private:
  Platform platform_;
  std::vector<std::byte> code_;
  std::vector<Instruction> instructions_;
  std::vector<int32_t> index_by_pc_;  // per 8 bytes
};

/// `entry_points`: byte offsets where threads may start (0 and the skip-per-thread-data entry).
/// Throws DecodeError naming pc and text of the first instruction that cannot be represented.
Program decode(Platform platform, std::span<const std::byte> code, std::span<const uint32_t> entry_points = {});

/// Assembles IGA text into machine code (tests, asm kernels). Throws std::runtime_error with
/// IGA's diagnostics.
std::vector<std::byte> assemble(Platform platform, const std::string& text);

}  // namespace xeforge::isa
