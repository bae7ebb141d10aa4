// SPDX-License-Identifier: Apache-2.0
#include "observe/check/suppressions.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace xeforge::observe::check {
namespace {

std::string trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

struct Field {
  const char* name;
  std::string Suppression::*member;
};
constexpr Field kFields[] = {{"reason", &Suppression::reason}, {"kind", &Suppression::kind},
                             {"kernel", &Suppression::kernel}, {"message", &Suppression::message},
                             {"isa", &Suppression::isa},       {"source", &Suppression::source}};

/// Text in which * and ? stand for themselves: both become ?.
std::string escaped(std::string text) {
  std::replace(text.begin(), text.end(), '*', '?');
  return text;
}

}  // namespace

bool glob_matches(const std::string& pattern, const std::string& text) {
  size_t p = 0, t = 0, star = std::string::npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t]) && pattern[p] != '*') {
      ++p;
      ++t;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (star != std::string::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool Suppression::matches(const Finding& finding) const {
  return glob_matches(kind, std::string(row_of(finding.kind).id)) && glob_matches(kernel, finding.kernel) &&
         glob_matches(message, finding.message) && glob_matches(isa, finding.first.text) &&
         glob_matches(source, finding.first.source);
}

void Suppressions::read(const std::string& text, const std::string& name) {
  std::istringstream in(text);
  std::string line;
  unsigned number = 0;
  Suppression* open = nullptr;
  const auto fail = [&](const std::string& what) {
    throw std::runtime_error(name + ":" + std::to_string(number) + ": " + what);
  };
  while (std::getline(in, line)) {
    ++number;
    line = trimmed(line);
    if (line.empty() || line[0] == '#') continue;
    if (open == nullptr) {
      if (line != "suppress {") fail("'suppress {' expected instead of '" + line + "'");
      open = &all_.emplace_back();
      continue;
    }
    if (line == "}") {
      if (open->kind.empty()) fail("this suppression names no kind");
      if (open->reason.empty()) fail("this suppression gives no reason");
      open = nullptr;
      continue;
    }
    const size_t colon = line.find(':');
    const std::string key = trimmed(line.substr(0, colon));
    const auto field =
        std::find_if(std::begin(kFields), std::end(kFields), [&](const Field& f) { return key == f.name; });
    if (colon == std::string::npos || field == std::end(kFields))
      fail("'" + key + "' is none of reason, kind, kernel, message, isa, source");
    open->*field->member = trimmed(line.substr(colon + 1));
    if (key == "kind") {
      const auto kinds = all_kinds();
      if (std::none_of(kinds.begin(), kinds.end(),
                       [&](const KindRow& row) { return glob_matches(open->kind, std::string(row.id)); }))
        fail("no finding is of the kind '" + open->kind + "'");
    }
  }
  if (open != nullptr) fail("the last suppression is not closed with '}'");
}

void Suppressions::read_file(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read the suppression file " + path);
  std::ostringstream text;
  text << in.rdbuf();
  read(text.str(), path);
}

bool Suppressions::hides(const Finding& finding) {
  for (Suppression& suppression : all_) {
    if (!suppression.matches(finding)) continue;
    ++suppression.used;
    return true;
  }
  return false;
}

std::string suppression_for(const Finding& finding) {
  std::string text = "suppress {\n  reason:\n  kind: " + std::string(row_of(finding.kind).id) + "\n";
  if (!finding.kernel.empty()) text += "  kernel: " + escaped(finding.kernel) + "\n";
  if (!finding.first.text.empty()) text += "  isa: " + escaped(finding.first.text) + "\n";
  if (!finding.first.source.empty()) text += "  source: " + escaped(finding.first.source) + "\n";
  // What concerns the program (a leak) has no place: its text is all there is.
  if (finding.kernel.empty()) text += "  message: " + escaped(finding.message) + "\n";
  return text + "}\n";
}

}  // namespace xeforge::observe::check
