// SPDX-License-Identifier: Apache-2.0
#include "support/zoo.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

namespace xeforge::check_test {
namespace {

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::string part;
  std::istringstream in(text);
  while (std::getline(in, part, at)) {
    const size_t begin = part.find_first_not_of(" \t");
    if (begin == std::string::npos) continue;
    parts.push_back(part.substr(begin, part.find_last_not_of(" \t\r") - begin + 1));
  }
  return parts;
}

std::array<uint32_t, 3> three(const std::vector<std::string>& words) {
  std::array<uint32_t, 3> v{1, 1, 1};
  for (size_t i = 1; i < words.size() && i < 4; ++i) v[i - 1] = static_cast<uint32_t>(std::stoul(words[i]));
  return v;
}

Argument argument_of(const std::string& text) {
  static const std::map<std::string, Argument::Kind> kKinds = {
      {"buffer", Argument::Kind::Buffer}, {"undefined", Argument::Kind::Undefined},
      {"int", Argument::Kind::Int},       {"slm", Argument::Kind::Slm},
      {"null", Argument::Kind::Null},     {"freed", Argument::Kind::Freed},
      {"host", Argument::Kind::Host},     {"same", Argument::Kind::Same}};
  const auto words = split(text, ' ');
  Argument a;
  a.kind = kKinds.at(words.at(0));
  if (words.size() > 1) a.value = std::stoul(words[1]);
  if (words.size() > 2) a.offset = std::stoul(words[2]);
  return a;
}

Case row_of(const std::string& line) {
  Case c;
  const auto fields = split(line, '|');
  c.name = fields.at(0);
  for (size_t i = 1; i < fields.size(); ++i) {
    const auto words = split(fields[i], ' ');
    const std::string& key = words.at(0);
    if (key == "devices")
      c.devices.assign(words.begin() + 1, words.end());
    else if (key == "groups")
      c.groups = three(words);
    else if (key == "local")
      c.local = three(words);
    else if (key == "expect")
      c.expect.assign(words.begin() + 1, words.end());
    else if (key == "also")
      c.also.assign(words.begin() + 1, words.end());
    else if (key == "args")
      for (const std::string& argument : split(fields[i].substr(4), ',')) c.arguments.push_back(argument_of(argument));
    else
      throw std::runtime_error("unknown field '" + key + "'");
  }
  if (c.devices.empty()) c.devices = {"a770", "b580"};
  if (c.expect.empty()) throw std::runtime_error("no 'expect'");
  return c;
}

bool marks(const std::string& line, const std::string& name) {
  const size_t at = line.find("FAULT " + name);
  if (at == std::string::npos) return false;
  const size_t end = at + 6 + name.size();
  return end >= line.size() || line[end] == ' ';
}

}  // namespace

std::vector<Case> read_zoo(const std::string& directory) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<Case> all;
  for (const auto& path : files) {
    const std::string extension = path.extension().string();
    if (extension != ".cl" && extension != ".asm") continue;
    std::ifstream in(path);
    std::vector<std::string> lines;
    std::string line, text;
    while (std::getline(in, line)) {
      lines.push_back(line);
      text += line + "\n";
    }
    const size_t first = all.size();
    for (size_t i = 0; i < lines.size(); ++i) {
      if (lines[i].rfind("//=", 0) != 0) continue;
      try {
        all.push_back(row_of(lines[i].substr(3)));
      } catch (const std::exception& e) {
        throw std::runtime_error(path.string() + ":" + std::to_string(i + 1) + ": " + e.what());
      }
      Case& c = all.back();
      c.file = path.filename().string();
      if (!c.assembled()) {
        c.text = text;
        continue;
      }
      for (size_t k = i + 1; k < lines.size() && lines[k].rfind("//=", 0) != 0; ++k) c.text += lines[k] + "\n";
    }
    for (size_t k = first; k < all.size(); ++k) {
      for (size_t i = 0; i < lines.size(); ++i) {
        if (marks(lines[i], all[k].name)) all[k].lines.push_back(static_cast<unsigned>(i + 1));
      }
    }
  }
  return all;
}

Assembly variant_of(const Case& c, bool faulty) {
  Assembly out;
  std::istringstream in(c.text);
  std::string line;
  uint32_t pc = 0;
  while (std::getline(in, line)) {
    const std::string other = faulty ? "FIXED:" : "FAULTY:", own = faulty ? "FAULTY:" : "FIXED:";
    if (line.rfind(other, 0) == 0) continue;
    if (line.rfind(own, 0) == 0) line = line.substr(own.size());
    const bool marked = line.find("FAULT") != std::string::npos;
    line = line.substr(0, line.find("//"));
    if (line.find_first_not_of(" \t") == std::string::npos) continue;
    out.text += line + "\n";
    if (line.find(':') != std::string::npos && line.find('(') == std::string::npos) continue;  // a label
    if (marked) out.pcs.push_back(pc);
    pc += 16;
  }
  return out;
}

}  // namespace xeforge::check_test
