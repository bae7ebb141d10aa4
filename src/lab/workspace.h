// SPDX-License-Identifier: Apache-2.0
//
// A directory of this process that is gone at the end.
#pragma once

#include <filesystem>
#include <string>

#include <unistd.h>

#include "lab/errors.h"

namespace xeforge::lab {

class Workspace {
 public:
  Workspace() {
    std::string name = (std::filesystem::temp_directory_path() / "xeforge-bench-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw UserError("cannot make the directory " + name + ". Is TMPDIR right?", Status::Failed);
    path_ = name;
  }
  ~Workspace() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  std::filesystem::path file(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace xeforge::lab
