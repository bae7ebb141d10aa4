// SPDX-License-Identifier: Apache-2.0
//
// Source lines of a zebin's kernels, from the .debug_line section that -g and -gline-tables-only leave there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace xeforge::binary {

class DebugLines {
 public:
  DebugLines() = default;
  /// `elf`: Zebin::debug_line_source_elf; empty: no lines are known. Damaged debug information gives what could be
  /// read of it: it is for reports only.
  explicit DebugLines(std::span<const std::byte> elf);

  /// "file:line" of the instruction at `pc` of a kernel; empty if not known.
  std::string find(const std::string& kernel, uint32_t pc) const;
  bool empty() const { return sections_.empty(); }

 private:
  struct Line {
    uint32_t pc = 0;
    uint32_t file = 0;  ///< index in files_
    int line = 0;       ///< 0: the sequence ends here
  };
  std::vector<std::string> files_;
  std::map<std::string, std::vector<Line>> sections_;  ///< by text section, by pc
};

}  // namespace xeforge::binary
