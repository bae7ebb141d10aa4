// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace xeforge::observe {

/// A document as text. Bytes that are not UTF-8 (names of kernels and files may hold any) become replacement
/// characters; the library alone would throw. `indent` < 0: on one line.
template <class Json>
std::string json_text(const Json& document, int indent = -1) {
  return document.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace xeforge::observe
