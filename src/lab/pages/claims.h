// SPDX-License-Identifier: Apache-2.0
//
// The article's claims with the evidence for and against each: looked up while the pages are made, so that a claim
// whose evidence is gone stops the generation instead of staying on the page.
#pragma once

#include <map>
#include <string>

#include <nlohmann/json.hpp>

namespace xeforge::lab::pages {

/// `web/claims.json` with every piece of evidence resolved against the devices and the recordings (by data name).
/// Throws std::runtime_error naming the claim whose evidence is not there.
nlohmann::ordered_json claims_json(const std::map<std::string, nlohmann::ordered_json>& recorded);

}  // namespace xeforge::lab::pages
