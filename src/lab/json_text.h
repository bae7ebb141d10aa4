// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "observe/json_text.h"

namespace xeforge::lab {

/// A document as the commands write it into a file.
template <class Json>
std::string json_text(const Json& document, int indent = 2) {
  return observe::json_text(document, indent) + "\n";
}

}  // namespace xeforge::lab
