// SPDX-License-Identifier: Apache-2.0
//
// Names that a binary brings are printed, on terminals and as JSON: damaged ones must not get that far.
#pragma once

#include <string>
#include <string_view>

namespace xeforge::binary {

/// Well-formed UTF-8 (RFC 3629) without control characters, which a terminal would obey.
bool is_text(std::string_view bytes);

/// The same with every byte that is not text written as \xNN.
std::string printable(std::string_view bytes);

}  // namespace xeforge::binary
