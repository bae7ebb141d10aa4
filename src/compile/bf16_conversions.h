// SPDX-License-Identifier: Apache-2.0
//
// SYCL's bfloat16 conversions (__devicelib_ConvertBF16ToFINTEL and its relatives) are functions of a device library
// that the runtime hands over as a further module. Each is one instruction of SPV_INTEL_bfloat16_conversion. Put in
// place of the import they need no link, which the offline linker refuses for modules with joint_matrix (it does not
// know SPV_KHR_cooperative_matrix, seen with 26.27).
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace xeforge::compile {

/// `module` with those of its imports defined that are conversions and are in `available` (what the other modules
/// define: a program that forgot its library stays wrong). Throws spirv::SpirvError for a damaged module.
std::vector<std::byte> define_bf16_conversions(std::span<const std::byte> module,
                                               const std::set<std::string>& available);

}  // namespace xeforge::compile
