// SPDX-License-Identifier: Apache-2.0
#include "lab/provider_session.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lab/errors.h"

namespace xeforge::lab {

namespace {

std::string last_lines(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  constexpr std::size_t kEnough = 600;
  if (text.size() > kEnough) text = "..." + text.substr(text.size() - kEnough);
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

[[noreturn]] void become(const std::filesystem::path& program, const HelperSession::Environment& environment,
                         int socket, const std::filesystem::path& log) {
  for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
  const int printed = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (printed >= 0) ::dup2(printed, STDERR_FILENO);
  ::dup2(socket, STDIN_FILENO);
  ::dup2(socket, STDOUT_FILENO);
  std::string name = program.string();
  std::array<char*, 2> arguments{name.data(), nullptr};
  ::execv(name.c_str(), arguments.data());
  ::_exit(127);
}

}  // namespace

HelperSession::HelperSession(std::filesystem::path program, Environment environment, std::filesystem::path log)
    : program_(std::move(program)), environment_(std::move(environment)), log_(std::move(log)) {}

HelperSession::~HelperSession() { stop(); }

void HelperSession::start() {
  // A socket and not a pipe: writing to a helper that is gone is an error then, and no signal.
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw UserError(std::string("cannot make a socket: ") + std::strerror(errno), Status::Failed);
  const pid_t child = ::fork();
  if (child < 0) throw UserError(std::string("cannot start a process: ") + std::strerror(errno), Status::Failed);
  if (child == 0) become(program_, environment_, ends[1], log_);
  ::close(ends[1]);
  socket_ = ends[0];
  child_ = child;
}

std::string HelperSession::wait_for_end() {
  ::close(socket_);
  socket_ = -1;
  int status = 0;
  while (::waitpid(child_, &status, 0) < 0) {
    if (errno != EINTR) throw UserError("cannot wait for the helper", Status::Failed);
  }
  child_ = -1;
  const std::string how = WIFSIGNALED(status) ? fmt::format("was ended by signal {}", ::strsignal(WTERMSIG(status)))
                                              : fmt::format("ended with {}", WEXITSTATUS(status));
  return "the helper " + how + ": " + last_lines(log_);
}

void HelperSession::stop() {
  if (child_ >= 0) wait_for_end();
}

HelperSession::Answer HelperSession::ask(const std::string& line) {
  std::error_code none_yet;
  std::filesystem::resize_file(log_, 0, none_yet);
  if (child_ < 0) start();
  const std::string text = line + '\n';
  if (::send(socket_, text.data(), text.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(text.size()))
    return {wait_for_end(), true};
  Answer answer;
  for (std::array<char, 512> part{}; !answer.text.ends_with('\n');) {
    const ssize_t got = ::recv(socket_, part.data(), part.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return {wait_for_end(), true};
    answer.text.append(part.data(), static_cast<std::size_t>(got));
  }
  answer.text.pop_back();
  return answer;
}

}  // namespace xeforge::lab
