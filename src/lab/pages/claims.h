// SPDX-License-Identifier: Apache-2.0
//
// The article's claims with the evidence for and against each: looked up while the pages are made, so that a claim
// whose evidence is gone stops the generation instead of staying on the page.
#pragma once

#include <map>
#include <string>

#include <nlohmann/json.hpp>

namespace xeforge::lab::pages {

/// `web/claims.json` with every piece of evidence resolved against the devices, the recordings (by data name), the
/// sources of the kernels and what compiling was refused for ("b580.8": device and sub-group size).
/// Throws std::runtime_error naming the claim whose evidence is not there.
nlohmann::ordered_json claims_json(const std::map<std::string, nlohmann::ordered_json>& recorded,
                                   const std::map<std::string, std::string>& refusals);

}  // namespace xeforge::lab::pages
