// SPDX-License-Identifier: Apache-2.0
//
// The catalogue of strategies (data/strategies), embedded.
#pragma once

#include "kernels/embedded.h"

namespace xeforge::gemm {

using kernels::EmbeddedFile;
std::span<const EmbeddedFile> strategy_files();

}  // namespace xeforge::gemm
