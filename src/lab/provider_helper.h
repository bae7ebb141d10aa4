// SPDX-License-Identifier: Apache-2.0
//
// Providers whose library runs in a helper program of its own (providers/), under the virtual driver's environment.
#pragma once

#include "lab/provider.h"

namespace xeforge::lab {

bool is_helper_provider(const std::string& id);
std::unique_ptr<Provider> make_helper_provider(const std::string& id, const std::string& device, unsigned host_threads);

}  // namespace xeforge::lab
