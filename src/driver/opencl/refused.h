// SPDX-License-Identifier: Apache-2.0
//
// Entries of the dispatch table for calls that this OpenCL does not have: each says its name and fails.
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>

#include <CL/cl.h>

#include "driver/opencl/objects.h"

namespace xeforge::driver::opencl {

template <size_t N>
struct Name {
  char text[N];
  // Implicit: template arguments are written as literals.
  constexpr Name(const char (&literal)[N]) {  // NOLINT(google-explicit-constructor)
    for (size_t i = 0; i < N; ++i) text[i] = literal[i];
  }
};

/// Calls that return an object have the error's place last.
inline void note_error(cl_int* place) {
  if (place != nullptr) *place = CL_INVALID_OPERATION;
}
template <class T>
void note_error(const T&) {}

template <Name kName, class R, class... A>
R refuse([[maybe_unused]] A... arguments) {
  say(std::string(kName.text) + ": this OpenCL only builds programs; run kernels through Level Zero");
  if constexpr (std::is_pointer_v<R>) {
    (note_error(arguments), ...);
    return nullptr;
  } else if constexpr (!std::is_void_v<R>) {
    return CL_INVALID_OPERATION;
  }
}

/// Sets an entry of whatever signature.
template <Name kName, class R, class... A>
void set_refused(R (*&entry)(A...)) {
  entry = refuse<kName, R, A...>;
}

}  // namespace xeforge::driver::opencl
