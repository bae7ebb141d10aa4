// SPDX-License-Identifier: Apache-2.0
//
// Compiled modules by content, on disk: ${XEFORGE_CACHE_DIR:-<home>/compiled}/<first two digits of the key>/<key>.
// An entry appears in one step (rename) and carries a digest of itself, so any number of processes and threads may
// share the directory and a damaged entry is not an entry. A directory that cannot be written is no error: nothing is
// kept then. Entries never change; deleting the directory at any time is fine.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace xeforge::compile {

struct CacheEntry {
  std::vector<std::byte> zebin;
  std::string log;
  std::vector<std::string> warnings;
};

/// nullopt: no directory is known (none of XEFORGE_CACHE_DIR, XEFORGE_HOME, XDG_CACHE_HOME, HOME is set).
std::optional<std::filesystem::path> cache_directory();

/// The entry of `key`; a damaged one is removed and not returned.
std::optional<CacheEntry> cache_load(const std::string& key);

/// False if it could not be kept.
bool cache_store(const std::string& key, const CacheEntry& entry);

/// The entry as stored in a file, and back; nullopt for anything cut, altered or of another format.
std::vector<std::byte> serialize(const CacheEntry& entry);
std::optional<CacheEntry> deserialize(std::span<const std::byte> bytes);

}  // namespace xeforge::compile
