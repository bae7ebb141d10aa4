// SPDX-License-Identifier: Apache-2.0
//
// Specialisation constants: their values are written into the SPIR-V before it is compiled, as the
// offline compiler takes none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace xeforge::driver {

/// Sets the scalar constants decorated with the given SpecIds. A value is a pointer to as many
/// bytes as the constant's type has (booleans: one). Ids that the module lacks are ignored, as
/// SYCL passes all ids of a program to each of its modules. Throws std::invalid_argument for
/// something that is not SPIR-V.
void specialize(std::vector<std::byte>& spirv, const std::map<uint32_t, const void*>& values);

}  // namespace xeforge::driver
