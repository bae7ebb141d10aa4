// SPDX-License-Identifier: Apache-2.0
//
// Compiled kernels on disk, by content: <cache>/<name>-<key>.syclbin. An entry appears in one step (rename) and carries
// a digest of itself, so processes may share the directory; a damaged entry is no entry. A directory that cannot be
// written is no error: nothing is kept then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace xeforge::gemm {

/// 128-bit FNV-1a as 32 hexadecimal digits: names content, is no protection against intent.
class Digest {
 public:
  Digest& add(std::string_view text);  ///< length and content, so that ("ab", "c") and ("a", "bc") differ
  std::string hex() const;

 private:
  void add_bytes(const void* data, std::size_t size);
  std::uint64_t high_ = 0x6c62272e07bb0142, low_ = 0x62b821756295c58d;
};

class BinaryCache {
 public:
  /// ${XEFORGE_CACHE_DIR:-${XEFORGE_HOME:-${XDG_CACHE_HOME:-$HOME/.cache}/xeforge}}/kernels
  static std::optional<std::filesystem::path> default_directory();

  /// nullopt: nothing is kept.
  explicit BinaryCache(std::optional<std::filesystem::path> directory) : directory_(std::move(directory)) {}

  std::optional<std::vector<char>> load(const std::string& key) const;
  bool store(const std::string& key, std::span<const char> content) const;

  /// Held while an entry is being made, so that processes that start together compile once.
  class Lock {
   public:
    explicit Lock(const std::optional<std::filesystem::path>& file);
    ~Lock();
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

   private:
    int descriptor_ = -1;
  };
  Lock lock(const std::string& key) const;

 private:
  std::filesystem::path file(const std::string& key, const char* suffix) const { return *directory_ / (key + suffix); }
  std::optional<std::filesystem::path> directory_;
};

}  // namespace xeforge::gemm
