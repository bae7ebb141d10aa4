// SPDX-License-Identifier: Apache-2.0
//
// The `.ze_info` section of a zebin. Meaning of the keys: IGC/ZEBinWriter/zebin/spec/zeinfo.md (1.73) and,
// for keys that only the driver documents, compute-runtime's zeinfo.h.
#pragma once

#include <string_view>

#include "binary/zebin.h"

namespace xeforge::binary {

/// Kernels that `.ze_info` describes and the information about functions and globals.
/// Code, symbols and data are not touched. Throws ZebinError naming line and key.
void read_ze_info(std::string_view text, Zebin& out);

}  // namespace xeforge::binary
