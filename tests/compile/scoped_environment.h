// SPDX-License-Identifier: Apache-2.0
//
// Environment variables and a directory of a test's own, undone at its end.
#pragma once

#include <cstdlib>
#include <map>
#include <optional>
#include <string>

#include "compile/files.h"

namespace xeforge::compile {

class ScopedEnvironment {
 public:
  ~ScopedEnvironment() {
    for (const auto& [name, value] : before_) {
      if (value)
        ::setenv(name.c_str(), value->c_str(), 1);
      else
        ::unsetenv(name.c_str());
    }
  }
  void set(const std::string& name, const std::string& value) {
    keep(name);
    ::setenv(name.c_str(), value.c_str(), 1);
  }
  void unset(const std::string& name) {
    keep(name);
    ::unsetenv(name.c_str());
  }

 private:
  void keep(const std::string& name) {
    const char* value = std::getenv(name.c_str());
    before_.try_emplace(name, value == nullptr ? std::nullopt : std::optional<std::string>(value));
  }
  std::map<std::string, std::optional<std::string>> before_;
};

/// An executable shell script in `directory`.
inline std::string write_script(const ScratchDirectory& directory, const std::string& name, const std::string& body) {
  const auto path = directory.path() / name;
  write_file(path, as_bytes("#!/bin/sh\n" + body + "\n"));
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path.string();
}

}  // namespace xeforge::compile
