// SPDX-License-Identifier: Apache-2.0
#include "lab/files.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include <unistd.h>

#include "lab/errors.h"

namespace xeforge::lab {

namespace {

/// Empty if it worked, else the reason.
std::string write(const std::filesystem::path& file, const std::string& content) {
  errno = 0;
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << content;
  out.close();
  if (out) return "";
  return errno == 0 ? "unknown reason" : std::strerror(errno);
}

}  // namespace

void write_file_atomically(const std::filesystem::path& file, const std::string& content) {
  std::error_code error;
  const bool special = std::filesystem::exists(file, error) && !std::filesystem::is_regular_file(file, error);
  const std::filesystem::path target =
      special ? file : std::filesystem::path(file.string() + ".tmp" + std::to_string(::getpid()));
  std::string reason = write(target, content);
  if (reason.empty() && !special) {
    std::filesystem::rename(target, file, error);
    if (error) reason = error.message();
  }
  if (reason.empty()) return;
  if (!special) std::filesystem::remove(target, error);
  throw UserError("cannot write " + file.string() + ": " + reason, Status::Failed);
}

}  // namespace xeforge::lab
