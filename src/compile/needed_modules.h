// SPDX-License-Identifier: Apache-2.0
//
// Which of several SPIR-V modules a program really needs. The SYCL runtime hands over device libraries that
// the headers mention even when no kernel calls them, and linking is not free: the offline linker reads
// modules with fewer extensions than the compiler does (no SPV_KHR_cooperative_matrix, seen with 26.27).
#pragma once

#include <cstddef>
#include <vector>

#include "compile/spirv.h"

namespace xeforge::compile {

/// Indices, ascending, of the modules with entry points and of those that define what these call, directly or
/// through one another. All of them if none has an entry point.
std::vector<size_t> needed_modules(const std::vector<spirv::Module>& modules);

}  // namespace xeforge::compile
