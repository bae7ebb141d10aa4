// SPDX-License-Identifier: Apache-2.0
//
// The zoo: kernels with one fault each. A file holds several; each has a row of its own
//
//   //= NAME | devices a770 b580 | groups 4 | local 64 | args buffer 1024, int 256 | expect memory.out-of-bounds
//
// in front of it, its faulty lines under #ifdef FAULTY, and a comment `FAULT NAME` on each line that a report may name.
// Compiled without FAULTY it is the corrected twin. Assembled text (.asm) has lines that begin with `FAULTY:` or
// `FIXED:` instead.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace xeforge::check_test {

struct Argument {
  enum class Kind { Buffer, Undefined, Int, Slm, Null, Freed, Host, Same } kind = Kind::Buffer;
  unsigned long value = 0;   ///< bytes, or the number
  unsigned long offset = 0;  ///< Same: bytes behind argument `value`
};

struct Case {
  std::string file;  ///< in zoo/
  std::string name;
  std::vector<std::string> devices;
  std::array<uint32_t, 3> groups{1, 1, 1}, local{1, 1, 1};
  std::vector<Argument> arguments;
  std::vector<std::string> expect;  ///< kind, by device; the last one holds for the rest
  std::vector<std::string> also;    ///< kinds that follow from the fault and may be reported with it
  std::vector<unsigned> lines;      ///< with `FAULT NAME`, from 1
  std::string text;                 ///< of the whole file, or of this case for assembled text
  bool assembled() const { return file.size() > 4 && file.substr(file.size() - 4) == ".asm"; }
};

/// All rows of all files in `directory`. Throws std::runtime_error naming file and line of what cannot be read.
std::vector<Case> read_zoo(const std::string& directory);

/// Assembled text of one variant, and the pcs of its marked lines (every instruction has 16 bytes).
struct Assembly {
  std::string text;
  std::vector<uint32_t> pcs;
};
Assembly variant_of(const Case& c, bool faulty);

}  // namespace xeforge::check_test
