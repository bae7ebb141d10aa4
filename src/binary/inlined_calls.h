// SPDX-License-Identifier: Apache-2.0
//
// The calls that a kernel's instructions were inlined through, from the .debug_info section: what a line of a header
// was called by. Left there by -debug-info-kind=line-tables-only and more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace xeforge::binary {

class InlinedCalls {
 public:
  InlinedCalls() = default;
  /// `elf`: Zebin::debug_line_source_elf; empty: nothing is known. Damaged debug information gives what could be read
  /// of it: it is for reports only.
  explicit InlinedCalls(std::span<const std::byte> elf);

  /// "file:line" of each call around the instruction at `pc` of a kernel, the innermost first. `place`: what
  /// DebugLines says of it. IGC 2.40 writes no addresses for some calls (shuffles, square roots): those are found by
  /// the function that the place lies in.
  std::vector<std::string> find(const std::string& kernel, uint32_t pc, const std::string& place) const;

 private:
  struct Call {
    uint32_t begin = 0, end = 0;  ///< pc; 0, 0: not known
    unsigned depth = 0;
    std::string function_file;  ///< where the called function begins
    int function_line = 0;
    std::vector<std::string> places;  ///< of this call and those around it
  };
  struct Reader;
  std::map<std::string, std::vector<Call>> calls_;  ///< by kernel
};

}  // namespace xeforge::binary
