// SPDX-License-Identifier: Apache-2.0
//
// The folder that `xeforge pages` writes: the pages of web/, compiled into this program, and their data.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace xeforge::lab::pages {

struct EmbeddedFile {
  std::string_view name, text;
};
/// Files of web/, by their names there.
std::span<const EmbeddedFile> web_files();
/// Throws std::logic_error if there is none of that name.
std::string_view web_file(std::string_view name);

class Site {
 public:
  /// Throws UserError if the directory cannot be made.
  explicit Site(std::filesystem::path directory);
  /// Everything of web/ but kernels, and one page for each name in web/pages.json.
  void write_pages() const;
  /// data/NAME.js: the JSON in one call that the pages understand, since a page opened from a folder cannot fetch
  /// files.
  void write_data(const std::string& name, const nlohmann::ordered_json& json) const;
  void write_file(const std::string& name, std::string_view content) const;

 private:
  std::filesystem::path directory_;
};

}  // namespace xeforge::lab::pages
