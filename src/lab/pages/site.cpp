// SPDX-License-Identifier: Apache-2.0
#include "lab/pages/site.h"

#include <stdexcept>

#include "lab/commands.h"
#include "lab/files.h"

namespace xeforge::lab::pages {
namespace {

namespace fs = std::filesystem;

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

Site::Site(fs::path directory) : directory_(std::move(directory)) {
  make_directory(directory_ / "data");
  make_directory(directory_ / "traces");
  make_directory(directory_ / "assets" / "vendor");
}

void Site::write_pages() const {
  for (const EmbeddedFile& file : web_files())
    if (file.name.starts_with("assets/")) write_file(std::string(file.name), file.text);
  const auto strings = nlohmann::ordered_json::parse(web_file("strings.json"));
  write_file("assets/strings.js", "XF.strings = " + strings.dump() + ";\n");
  const std::string shell(web_file("page.html"));
  for (const auto& page : strings.at("pages")) {
    const std::string id = page.at("id");
    std::string html = replaced(shell, "{{page}}", id);
    html = replaced(html, "{{title}}", page.at("title").at("en").get<std::string>());
    write_file(id + ".html", html);
  }
}

void Site::write_data(const std::string& name, const nlohmann::ordered_json& json) const {
  write_file("data/" + name + ".js", "XF.data(\"" + name + "\",\n" + json.dump() + "\n);\n");
}

void Site::write_file(const std::string& name, std::string_view content) const {
  write_file_atomically(directory_ / name, std::string(content));
}

}  // namespace xeforge::lab::pages
