// SPDX-License-Identifier: Apache-2.0
//
// Small file helpers of this room: whole files, a private scratch directory, where things live.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace xeforge::compile {

/// Whole content; nullopt if it cannot be read.
std::optional<std::vector<std::byte>> read_file(const std::filesystem::path& path);
std::optional<std::string> read_text_file(const std::filesystem::path& path);

/// Replaces `path` in one step: readers see the old or the new content, never a part. False if it could not be written
/// (full disk, no permission); nothing is left behind then.
bool write_file_atomically(const std::filesystem::path& path, std::span<const std::byte> content);

/// Plain write for files only we look at. Throws std::runtime_error naming path and reason.
void write_file(const std::filesystem::path& path, std::span<const std::byte> content);

std::span<const std::byte> as_bytes(std::string_view text);

/// A directory only this user can enter, removed with its content at the end.
class ScratchDirectory {
 public:
  /// Throws std::runtime_error naming the place and the reason.
  ScratchDirectory();
  ~ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Value of an environment variable; nullopt if unset or empty.
std::optional<std::string> environment(const char* name);

/// First executable regular file called `name` in $PATH.
std::optional<std::filesystem::path> find_in_path(std::string_view name);

bool is_executable_file(const std::filesystem::path& path);

/// ${XEFORGE_HOME:-${XDG_CACHE_HOME:-$HOME/.cache}/xeforge}, as setup/setup.sh; nullopt if none of the variables is
/// set.
std::optional<std::filesystem::path> home_directory();

}  // namespace xeforge::compile
