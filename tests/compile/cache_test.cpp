// SPDX-License-Identifier: Apache-2.0
#include "compile/cache.h"

#include <fstream>

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "scoped_environment.h"

namespace xeforge::compile {
namespace {

namespace fs = std::filesystem;

const std::string kKey = "0123456789abcdef";

CacheEntry example() {
  CacheEntry entry;
  entry.zebin.assign(300, std::byte{0x5a});
  entry.log = "a log\nof two lines\n";
  entry.warnings = {"one", "", "three"};
  return entry;
}

bool same(const CacheEntry& a, const CacheEntry& b) {
  return a.zebin == b.zebin && a.log == b.log && a.warnings == b.warnings;
}

[[noreturn]] void store_with_small_files() {
  ::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{100, 100};
  ::setrlimit(RLIMIT_FSIZE, &limit);
  ::_exit(cache_store(kKey, example()) ? 1 : 0);
}

class Cache : public testing::Test {
 protected:
  Cache() { environment_.set("XEFORGE_CACHE_DIR", directory_.path().string()); }
  fs::path file() const { return directory_.path() / "01" / kKey; }
  ScratchDirectory directory_;
  ScopedEnvironment environment_;
};

TEST(CacheFormat, ReadsWhatItWrote) {
  const auto read = deserialize(serialize(example()));
  ASSERT_TRUE(read);
  EXPECT_TRUE(same(*read, example()));
}

TEST(CacheFormat, DetectsEveryChangedByteAndEveryCut) {
  const auto whole = serialize(example());
  for (size_t i = 0; i < whole.size(); ++i) {
    auto damaged = whole;
    damaged[i] ^= std::byte{1};
    EXPECT_FALSE(deserialize(damaged)) << "byte " << i;
    EXPECT_FALSE(deserialize(std::span(whole).first(i))) << "cut to " << i;
  }
  auto longer = whole;
  longer.push_back(std::byte{0});
  EXPECT_FALSE(deserialize(longer));
}

TEST_F(Cache, KeepsAndFindsAnEntry) {
  EXPECT_FALSE(cache_load(kKey));
  ASSERT_TRUE(cache_store(kKey, example()));
  const auto read = cache_load(kKey);
  ASSERT_TRUE(read);
  EXPECT_TRUE(same(*read, example()));
  EXPECT_FALSE(cache_load("0123456789abcdee"));
}

TEST_F(Cache, LeavesNothingBesideTheEntry) {
  ASSERT_TRUE(cache_store(kKey, example()));
  ASSERT_TRUE(cache_store(kKey, example()));
  size_t files = 0;
  for (const auto& item : fs::recursive_directory_iterator(directory_.path())) files += item.is_regular_file() ? 1 : 0;
  EXPECT_EQ(files, 1u);
}

TEST_F(Cache, RemovesADamagedEntry) {
  ASSERT_TRUE(cache_store(kKey, example()));
  std::ofstream(file(), std::ios::in | std::ios::out | std::ios::binary).seekp(200) << "x";
  EXPECT_FALSE(cache_load(kKey));
  EXPECT_FALSE(fs::exists(file()));
  EXPECT_TRUE(cache_store(kKey, example()));
  EXPECT_TRUE(cache_load(kKey));
}

TEST_F(Cache, IsNoErrorWhereNothingCanBeWritten) {
  // A file where the directory should be stops root, too.
  write_file(directory_.path() / "file", as_bytes("x"));
  environment_.set("XEFORGE_CACHE_DIR", (directory_.path() / "file" / "cache").string());
  EXPECT_FALSE(cache_store(kKey, example()));
  EXPECT_FALSE(cache_load(kKey));
}

TEST_F(Cache, LeavesNoPartOfAnEntryOnAFullDisk) {
  // The entry's directory exists, and writing a file in it fails half-way: a limit on file sizes does what a full disk
  // does.
  fs::create_directories(file().parent_path());
  EXPECT_EXIT(store_with_small_files(), testing::ExitedWithCode(0), "");
  EXPECT_TRUE(fs::is_empty(file().parent_path()));
}

TEST(CacheDirectory, FollowsTheVariables) {
  ScopedEnvironment environment;
  for (const char* name : {"XEFORGE_CACHE_DIR", "XEFORGE_HOME", "XDG_CACHE_HOME", "HOME"}) environment.unset(name);
  EXPECT_FALSE(cache_directory());
  EXPECT_FALSE(cache_store(kKey, example()));
  environment.set("HOME", "/h");
  EXPECT_EQ(cache_directory(), "/h/.cache/xeforge/compiled");
  environment.set("XDG_CACHE_HOME", "/x");
  EXPECT_EQ(cache_directory(), "/x/xeforge/compiled");
  environment.set("XEFORGE_HOME", "/own");
  EXPECT_EQ(cache_directory(), "/own/compiled");
  environment.set("XEFORGE_CACHE_DIR", "/c");
  EXPECT_EQ(cache_directory(), "/c");
}

}  // namespace
}  // namespace xeforge::compile
