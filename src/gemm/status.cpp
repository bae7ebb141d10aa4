// SPDX-License-Identifier: Apache-2.0
#include "xeforge/gemm/status.h"

#include <array>

namespace xeforge::gemm {

std::string_view name_of(Status status) {
  constexpr std::array<std::string_view, 19> names = {"Ok",
                                                      "BadSize",
                                                      "SizeNotMultiple",
                                                      "ShapeMismatch",
                                                      "NullPointer",
                                                      "MisalignedPointer",
                                                      "NotDeviceMemory",
                                                      "WrongDevice",
                                                      "UnsupportedDevice",
                                                      "Overlap",
                                                      "BadPrefetchDistance",
                                                      "BadLeadingDimension",
                                                      "BadStride",
                                                      "BadType",
                                                      "BadEpilogue",
                                                      "WorkspaceTooSmall",
                                                      "BadFile",
                                                      "BadProblemText",
                                                      "BadStrategy"};
  return names.at(static_cast<std::size_t>(status));
}

}  // namespace xeforge::gemm
