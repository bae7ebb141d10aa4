// SPDX-License-Identifier: Apache-2.0
#include "gemm/binary_cache.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace xeforge::gemm {

namespace fs = std::filesystem;

namespace {

// File: this line, 32 digits of the content's digest, a line feed, the content.
constexpr std::string_view kMagic = "xeforge kernels 1\n";
constexpr std::size_t kHeader = kMagic.size() + 33;

std::string digest_of(std::span<const char> content) {
  return Digest().add(std::string_view(content.data(), content.size())).hex();
}

std::optional<std::string> environment(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

}  // namespace

void Digest::add_bytes(const void* data, std::size_t size) {
  __extension__ using Wide = unsigned __int128;
  constexpr Wide prime = (Wide{1} << 88) | 0x13B;
  Wide state = Wide{high_} << 64 | low_;
  const auto* bytes = static_cast<const unsigned char*>(data);
  for (std::size_t i = 0; i < size; ++i) state = (state ^ bytes[i]) * prime;
  high_ = static_cast<std::uint64_t>(state >> 64);
  low_ = static_cast<std::uint64_t>(state);
}

Digest& Digest::add(std::string_view text) {
  const std::uint64_t size = text.size();
  add_bytes(&size, sizeof size);
  add_bytes(text.data(), text.size());
  return *this;
}

std::string Digest::hex() const {
  char text[33];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(high_),
                static_cast<unsigned long long>(low_));
  return text;
}

std::optional<fs::path> BinaryCache::default_directory() {
  if (const auto directory = environment("XEFORGE_CACHE_DIR")) return fs::path(*directory) / "kernels";
  if (const auto home = environment("XEFORGE_HOME")) return fs::path(*home) / "kernels";
  if (const auto cache = environment("XDG_CACHE_HOME")) return fs::path(*cache) / "xeforge" / "kernels";
  if (const auto home = environment("HOME")) return fs::path(*home) / ".cache" / "xeforge" / "kernels";
  return std::nullopt;
}

std::optional<std::vector<char>> BinaryCache::load(const std::string& key) const {
  if (!directory_) return std::nullopt;
  std::ifstream in(file(key, ".syclbin"), std::ios::binary);
  if (!in) return std::nullopt;
  const std::vector<char> bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (bytes.size() <= kHeader || std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0) return std::nullopt;
  std::vector<char> content(bytes.begin() + static_cast<std::ptrdiff_t>(kHeader), bytes.end());
  const std::string digest = digest_of(content);
  if (std::memcmp(bytes.data() + kMagic.size(), digest.data(), digest.size()) != 0) return std::nullopt;
  return content;
}

bool BinaryCache::store(const std::string& key, std::span<const char> content) const {
  if (!directory_) return false;
  std::error_code error;
  fs::create_directories(*directory_, error);
  const fs::path temporary = file(key, (".tmp" + std::to_string(::getpid())).c_str());
  {
    std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
    out << kMagic << digest_of(content) << '\n';
    out.write(content.data(), static_cast<std::streamsize>(content.size()));
    out.close();
    if (!out) {
      fs::remove(temporary, error);
      return false;
    }
  }
  fs::rename(temporary, file(key, ".syclbin"), error);
  if (!error) return true;
  fs::remove(temporary, error);
  return false;
}

BinaryCache::Lock::Lock(const std::optional<fs::path>& file) {
  if (!file) return;
  std::error_code error;
  fs::create_directories(file->parent_path(), error);
  descriptor_ = ::open(file->c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  // A file system without locks only costs a second compilation.
  if (descriptor_ >= 0) ::flock(descriptor_, LOCK_EX);
}

BinaryCache::Lock::~Lock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

BinaryCache::Lock BinaryCache::lock(const std::string& key) const {
  return Lock(directory_ ? std::optional(file(key, ".lock")) : std::nullopt);
}

}  // namespace xeforge::gemm
