// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace xeforge::lab::pages {

/// What `xeforge ladder --json` wrote into `file`; an empty name: runs this program's `ladder` on the rungs of the
/// README first. Throws UserError if that fails or the file is not such a report.
nlohmann::ordered_json ladder_data(const std::string& file);

}  // namespace xeforge::lab::pages
