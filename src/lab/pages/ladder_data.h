// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "lab/pages/interrupts.h"

namespace xeforge::lab::pages {

/// What `xeforge ladder --json` wrote into `file`. Throws UserError if it is not such a report.
nlohmann::ordered_json ladder_report(const std::string& file);

/// Runs this program's `ladder` on the rungs of the README, with simulated time. Throws UserError if that fails.
nlohmann::ordered_json ladder_run(const Interrupts& interrupts);

}  // namespace xeforge::lab::pages
