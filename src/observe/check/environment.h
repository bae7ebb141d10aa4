// SPDX-License-Identifier: Apache-2.0
//
// What only the owner of the memory knows, for reports and for the definedness of memory. All of it is optional.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace xeforge::observe::check {

class DefinedMemory;

struct Environment {
  /// The allocation that once held [address, +bytes) and was freed, as a text.
  std::function<std::optional<std::string>(uint64_t address)> freed;
  /// True if the address is memory of the host program that is no USM allocation.
  std::function<bool(uint64_t address)> is_host_memory;
  /// "file:line" of an instruction, empty if not known.
  std::function<std::string(uint32_t pc)> source_line;
  /// What of the device's memory was ever written; null: everything counts as written.
  DefinedMemory* defined = nullptr;
};

}  // namespace xeforge::observe::check
