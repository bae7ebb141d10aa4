// SPDX-License-Identifier: Apache-2.0
//
// What can be wrong with a call. Every check is made before anything is submitted: a call that throws has done nothing.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace xeforge::gemm {

enum class Status : std::uint8_t {
  Ok,
  BadSize,              ///< a size is negative or too large (problem.h), or zero where that is not legal
  SizeNotMultiple,      ///< a size is no multiple of what the kernel or the layout works on
  ShapeMismatch,        ///< a packed operand holds another matrix than the problem needs
  NullPointer,          ///< a pointer is null
  MisalignedPointer,    ///< an address is no multiple of an element (of host-packed operands: of kAlignment)
  NotDeviceMemory,      ///< a pointer is no USM of the queue's context
  WrongDevice,          ///< memory, packed operand or kernel belong to another device or context than the queue
  UnsupportedDevice,    ///< the device lacks something that the kernel needs; the text says what
  Overlap,              ///< C shares memory with what is read
  BadPrefetchDistance,  ///< the kernel has no form with this prefetch distance
  BadLeadingDimension,  ///< a leading dimension is shorter than a row (column)
  BadStride,            ///< matrices of a batch of C overlap, or a distance is negative
  BadType,              ///< the types of A, B and C do not go together
  BadEpilogue,          ///< an operation of the epilogue is wrong; the text says which
  WorkspaceTooSmall,    ///< less than workspace_bytes()
  BadFile,              ///< a file of packed weights is damaged, or of another kind
  BadProblemText,       ///< parse_problem() cannot read it
  BadStrategy           ///< no strategy has this name, or it cannot take the problem
};

/// "SizeNotMultiple"
std::string_view name_of(Status status);

/// `what()` names the argument, its value, and what would be right.
class Error : public std::invalid_argument {
 public:
  Error(Status status, const std::string& text) : std::invalid_argument(text), status_(status) {}
  Status status() const { return status_; }

 private:
  Status status_;
};

}  // namespace xeforge::gemm
