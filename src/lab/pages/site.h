// SPDX-License-Identifier: Apache-2.0
//
// The folder that `xeforge pages` writes: the pages of web/, compiled into this program, and their data.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace xeforge::lab::pages {

struct EmbeddedFile {
  std::string_view name, text;
};
/// Files of web/, by their names there.
std::span<const EmbeddedFile> web_files();
/// Throws std::logic_error if there is none of that name.
std::string_view web_file(std::string_view name);

/// Everything is held until commit(), so that a command that fails or is interrupted leaves the folder as it was.
class Site {
 public:
  /// Throws UserError if the folder cannot be written, or holds files that are not pages.
  explicit Site(const std::filesystem::path& directory);
  /// Without commit(), folders that the constructor made go again.
  ~Site();
  Site(const Site&) = delete;
  Site& operator=(const Site&) = delete;
  /// Everything of web/ but kernels, and one page for each name in web/strings.json.
  void add_pages();
  /// data/NAME.js: the JSON in one call that the pages understand, since a page opened from a folder cannot fetch
  /// files.
  void add_data(const std::string& name, const nlohmann::ordered_json& json);
  void add_file(const std::string& name, std::string content);
  /// Writes all of it, and removes data and traces of earlier pages that are no longer named.
  void commit();

 private:
  std::filesystem::path directory_;
  std::vector<std::filesystem::path> made_;  ///< innermost first
  std::map<std::string, std::string> files_;
};

}  // namespace xeforge::lab::pages
