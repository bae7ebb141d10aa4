// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace xeforge::lab {

/// A document as the commands write it. Bytes that are not UTF-8 (names of files may hold any) become replacement
/// characters; the library alone would throw.
template <class Json>
std::string json_text(const Json& document, int indent = 2) {
  return document.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace xeforge::lab
