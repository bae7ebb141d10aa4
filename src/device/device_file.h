// SPDX-License-Identifier: Apache-2.0
//
// Reads a device's data file (schema: docs/add-a-device.md). Files are trusted but checked: a key that
// is missing, misspelt or without a source is an error that names file and line.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "device/device.h"

namespace xeforge::device {

/// Text of a family file by the family's name; throws std::invalid_argument if there is none.
using FamilyText = std::function<std::string_view(const std::string& family)>;

/// Throws std::invalid_argument. `file` names the text in messages.
Device parse_device(std::string_view text, const std::string& file, const FamilyText& family = {});

/// A data file compiled into the library (device_data.cpp, generated).
struct EmbeddedFile {
  std::string_view name;  ///< "a770", "families/xe2"
  std::string_view text;
};
/// All of them, ordered by name.
const std::vector<EmbeddedFile>& embedded_files();

}  // namespace xeforge::device
