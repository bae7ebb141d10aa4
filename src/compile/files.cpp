// SPDX-License-Identifier: Apache-2.0
#include "compile/files.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace xeforge::compile {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  /// A full disk may show only here.
  bool close() {
    const int fd = fd_;
    fd_ = -1;
    return ::close(fd) == 0;
  }

 private:
  int fd_;
};

bool write_all(int fd, std::span<const std::byte> content) {
  while (!content.empty()) {
    const ssize_t n = ::write(fd, content.data(), content.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    content = content.subspan(static_cast<size_t>(n));
  }
  return true;
}

template <typename Container>
std::optional<Container> read_whole(const std::filesystem::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return std::nullopt;
  struct stat status {};
  if (::fstat(file.get(), &status) != 0 || S_ISDIR(status.st_mode)) return std::nullopt;
  Container content;
  // Grows with what is read: the size of a pipe or of /proc files is not known before.
  constexpr size_t kStep = size_t{1} << 16;
  size_t used = 0;
  for (;;) {
    content.resize(used + kStep);
    const ssize_t n = ::read(file.get(), content.data() + used, kStep);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return std::nullopt;
    used += static_cast<size_t>(n);
    if (n == 0) break;
  }
  content.resize(used);
  return content;
}

}  // namespace

std::optional<std::vector<std::byte>> read_file(const std::filesystem::path& path) {
  return read_whole<std::vector<std::byte>>(path);
}

std::optional<std::string> read_text_file(const std::filesystem::path& path) { return read_whole<std::string>(path); }

bool write_file_atomically(const std::filesystem::path& path, std::span<const std::byte> content) {
  std::string name = path.string() + ".XXXXXX";
  Descriptor file(::mkostemp(name.data(), O_CLOEXEC));
  if (file.get() < 0) return false;
  const bool written = write_all(file.get(), content) && file.close();
  if (written && ::rename(name.c_str(), path.c_str()) == 0) return true;
  ::unlink(name.c_str());
  return false;
}

void write_file(const std::filesystem::path& path, std::span<const std::byte> content) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (file.get() < 0 || !write_all(file.get(), content) || !file.close())
    throw std::runtime_error("cannot write " + path.string() + ": " + std::strerror(errno));
}

std::span<const std::byte> as_bytes(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

ScratchDirectory::ScratchDirectory() {
  const std::string base = environment("TMPDIR").value_or("/tmp");
  std::string name = base + "/xeforge-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr)
    throw std::runtime_error("cannot make a temporary directory in " + base + ": " + std::strerror(errno) +
                             " (TMPDIR chooses another place)");
  path_ = name;
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::optional<std::string> environment(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

bool is_executable_file(const std::filesystem::path& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

std::optional<std::filesystem::path> find_in_path(std::string_view name) {
  const std::string list = environment("PATH").value_or("/usr/local/bin:/usr/bin:/bin");
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.find(':', begin), list.size());
    const std::string_view entry = std::string_view(list).substr(begin, end - begin);
    begin = end + 1;
    // An empty entry means the working directory: a compiler is not taken from there.
    if (entry.empty()) continue;
    std::filesystem::path candidate = std::filesystem::path(entry) / name;
    if (is_executable_file(candidate)) return candidate;
  }
  return std::nullopt;
}

std::optional<std::filesystem::path> home_directory() {
  if (const auto own = environment("XEFORGE_HOME")) return *own;
  if (const auto cache = environment("XDG_CACHE_HOME")) return std::filesystem::path(*cache) / "xeforge";
  if (const auto home = environment("HOME")) return std::filesystem::path(*home) / ".cache" / "xeforge";
  return std::nullopt;
}

}  // namespace xeforge::compile
