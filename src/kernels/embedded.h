// SPDX-License-Identifier: Apache-2.0
//
// The text of all kernel headers, compiled into the library so that kernels can be built at run time without any file.
#pragma once

#include <span>
#include <string_view>

namespace xeforge::kernels {

struct EmbeddedFile {
  std::string_view name;  ///< as #include names it: "kernels/ladder/naive.h"
  std::string_view text;
};

std::span<const EmbeddedFile> embedded_files();

}  // namespace xeforge::kernels
