// SPDX-License-Identifier: Apache-2.0
#include "compile/cache.h"

#include <cstdint>
#include <cstring>
#include <string_view>
#include <system_error>

#include "compile/files.h"
#include "compile/sha256.h"

namespace xeforge::compile {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "xeforge compiled 1\n";
constexpr size_t kDigest = 64;

void put(std::vector<std::byte>& out, std::span<const std::byte> bytes) {
  out.insert(out.end(), bytes.begin(), bytes.end());
}

void put_field(std::vector<std::byte>& out, std::span<const std::byte> bytes) {
  const uint64_t size = bytes.size();
  put(out, std::as_bytes(std::span(&size, 1)));
  put(out, bytes);
}

class Reader {
 public:
  explicit Reader(std::span<const std::byte> rest) : rest_(rest) {}
  std::optional<uint64_t> number() {
    uint64_t value = 0;
    if (rest_.size() < sizeof value) return std::nullopt;
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_ = rest_.subspan(sizeof value);
    return value;
  }
  std::optional<std::span<const std::byte>> field() {
    const auto size = number();
    if (!size || *size > rest_.size()) return std::nullopt;
    const auto bytes = rest_.first(static_cast<size_t>(*size));
    rest_ = rest_.subspan(bytes.size());
    return bytes;
  }
  bool at_end() const { return rest_.empty(); }

 private:
  std::span<const std::byte> rest_;
};

std::string to_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::optional<fs::path> path_of(const std::string& key) {
  const auto directory = cache_directory();
  if (!directory) return std::nullopt;
  return *directory / key.substr(0, 2) / key;
}

}  // namespace

std::optional<fs::path> cache_directory() {
  if (const auto own = environment("XEFORGE_CACHE_DIR")) return *own;
  if (const auto home = home_directory()) return *home / "compiled";
  return std::nullopt;
}

std::vector<std::byte> serialize(const CacheEntry& entry) {
  std::vector<std::byte> body;
  put_field(body, entry.zebin);
  put_field(body, as_bytes(entry.log));
  const uint64_t count = entry.warnings.size();
  put(body, std::as_bytes(std::span(&count, 1)));
  for (const auto& warning : entry.warnings) put_field(body, as_bytes(warning));

  std::vector<std::byte> file;
  put(file, as_bytes(kMagic));
  put(file, as_bytes(sha256(body)));
  put(file, body);
  return file;
}

std::optional<CacheEntry> deserialize(std::span<const std::byte> bytes) {
  if (bytes.size() < kMagic.size() + kDigest) return std::nullopt;
  if (std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0) return std::nullopt;
  const auto digest = to_text(bytes.subspan(kMagic.size(), kDigest));
  const auto body = bytes.subspan(kMagic.size() + kDigest);
  if (sha256(body) != digest) return std::nullopt;

  Reader reader(body);
  CacheEntry entry;
  const auto zebin = reader.field();
  const auto log = reader.field();
  const auto count = reader.number();
  if (!zebin || !log || !count) return std::nullopt;
  entry.zebin.assign(zebin->begin(), zebin->end());
  entry.log = to_text(*log);
  for (uint64_t i = 0; i < *count; ++i) {
    const auto warning = reader.field();
    if (!warning) return std::nullopt;
    entry.warnings.push_back(to_text(*warning));
  }
  if (!reader.at_end() || entry.zebin.empty()) return std::nullopt;
  return entry;
}

std::optional<CacheEntry> cache_load(const std::string& key) {
  const auto path = path_of(key);
  if (!path) return std::nullopt;
  const auto bytes = read_file(*path);
  if (!bytes) return std::nullopt;
  auto entry = deserialize(*bytes);
  if (!entry) {
    std::error_code ignored;
    fs::remove(*path, ignored);
  }
  return entry;
}

bool cache_store(const std::string& key, const CacheEntry& entry) {
  const auto path = path_of(key);
  if (!path) return false;
  std::error_code error;
  fs::create_directories(path->parent_path(), error);
  if (error) return false;
  return write_file_atomically(*path, serialize(entry));
}

}  // namespace xeforge::compile
