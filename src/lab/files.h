// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace xeforge::lab {

/// Replaces the file in one step, so that an interrupted command leaves the old one; a pipe or device is written to as
/// it is. Throws UserError naming file and reason.
void write_file_atomically(const std::filesystem::path& file, const std::string& content);

}  // namespace xeforge::lab
