// SPDX-License-Identifier: Apache-2.0
#include "lab/pages/site.h"

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include <unistd.h>

#include "lab/errors.h"
#include "lab/files.h"

namespace xeforge::lab::pages {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMark = "data/manifest.js";  ///< a folder with it is one of ours

void make_directory(const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) throw UserError("cannot make the directory " + directory.string() + ": " + error.message());
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

}  // namespace

std::string_view web_file(std::string_view name) {
  for (const EmbeddedFile& file : web_files())
    if (file.name == name) return file.text;
  throw std::logic_error("no file '" + std::string(name) + "' in web/");
}

Site::Site(const fs::path& directory) : directory_(fs::absolute(directory).lexically_normal()) {
  fs::path there = directory_;
  std::error_code error;
  while (!fs::exists(there, error) && there.has_relative_path()) there = there.parent_path();
  if (!fs::is_directory(there, error)) throw UserError("--out: " + there.string() + " is not a folder");
  if (::access(there.c_str(), W_OK | X_OK) != 0)
    throw UserError("--out: cannot write in " + there.string() + ": " + std::strerror(errno));
  if (there == directory_ && !fs::is_empty(there, error) && !fs::exists(there / kMark, error))
    throw UserError("--out: " + directory_.string() +
                    " holds other files. Name a new or empty folder, or one that 'xeforge pages' made");
  // Made now, not at the end: what cannot be made is said before minutes are spent.
  for (fs::path one = directory_; one != there && one.has_relative_path(); one = one.parent_path())
    if (one.has_filename()) made_.push_back(one);
  make_directory(directory_);
}

Site::~Site() {
  std::error_code error;
  for (const fs::path& folder : made_) fs::remove(folder, error);  // those that are empty
}

void Site::add_pages() {
  for (const EmbeddedFile& file : web_files())
    if (file.name.starts_with("assets/")) add_file(std::string(file.name), std::string(file.text));
  const auto strings = nlohmann::ordered_json::parse(web_file("strings.json"));
  add_file("assets/strings.js", "XF.strings = " + strings.dump() + ";\n");
  const std::string shell(web_file("page.html"));
  for (const auto& page : strings.at("pages")) {
    const std::string id = page.at("id");
    std::string html = replaced(shell, "{{page}}", id);
    html = replaced(html, "{{title}}", page.at("title").at("en").get<std::string>());
    add_file(id + ".html", html);
  }
}

void Site::add_data(const std::string& name, const nlohmann::ordered_json& json) {
  add_file("data/" + name + ".js", "XF.data(\"" + name + "\",\n" + json.dump() + "\n);\n");
}

void Site::add_file(const std::string& name, std::string content) { files_[name] = std::move(content); }

void Site::commit() {
  made_.clear();
  for (const auto& [name, content] : files_) {
    make_directory((directory_ / name).parent_path());
    write_file_atomically(directory_ / name, content);
  }
  for (const char* folder : {"data", "traces"}) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(directory_ / folder, error))
      if (entry.is_regular_file() && !files_.contains(folder + ("/" + entry.path().filename().string())))
        fs::remove(entry.path(), error);
  }
}

}  // namespace xeforge::lab::pages
