// SPDX-License-Identifier: Apache-2.0
//
// The built-in sets of shapes (data/shapes), embedded.
#pragma once

#include <span>

#include "lab/published.h"

namespace xeforge::lab {

std::span<const EmbeddedFile> shape_files();

}  // namespace xeforge::lab
