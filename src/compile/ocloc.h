// SPDX-License-Identifier: Apache-2.0
//
// Intel's offline compiler as a program: where it is, which version, and its three uses.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "compile/files.h"

namespace xeforge::compile {

struct Ocloc {
  std::filesystem::path program;
  std::string version;  ///< everything known that tells one compiler from another; part of cache keys
};

/// $XEFORGE_OCLOC, else the one known at build time, else `ocloc` in $PATH. Throws std::runtime_error saying how to get
/// one.
Ocloc find_ocloc();

/// What one run of it gave.
struct OclocOutput {
  std::vector<std::byte> file;  ///< empty if it failed
  std::string log;              ///< its text without what it says on every run
  std::string error;            ///< empty if it succeeded
};

/// OpenCL C -> SPIR-V.
OclocOutput front_end(const Ocloc& ocloc, std::span<const std::byte> source, const std::string& device,
                      const std::string& options);
/// Several SPIR-V modules -> one LLVM bitcode module.
OclocOutput link_modules(const Ocloc& ocloc, const std::vector<std::span<const std::byte>>& modules);
/// SPIR-V or bitcode -> zebin.
enum class Input { Spirv, Bitcode };
OclocOutput back_end(const Ocloc& ocloc, std::span<const std::byte> module, Input input, const std::string& device,
                     const std::string& options);

/// The compiler's warnings that matter to who wrote the kernel, one line each, without their prefix: spilling, stack
/// calls, front-end warnings.
std::vector<std::string> warnings_in(const std::string& log);

}  // namespace xeforge::compile
