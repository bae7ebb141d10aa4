// SPDX-License-Identifier: Apache-2.0
#include "compile/process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace xeforge::compile {
namespace {

using Clock = std::chrono::steady_clock;

// LD_*: the offline compiler brings its own C library, and the host's search path would mix the two (toolchain.md).
// The others are debug switches of the compiler and the runtimes that change the code made or where it is written; a
// result kept by content must not depend on them.
constexpr std::array<std::string_view, 13> kDroppedPrefixes = {"LD_", "ZE_",   "ZET_", "ZES_", "ZEL_",    "NEO", "IGC_",
                                                               "VC_", "SYCL_", "UR_",  "OCL_", "ONEAPI_", "OMP_"};

std::vector<char*> child_environment() {
  std::vector<char*> kept;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    if (std::none_of(kDroppedPrefixes.begin(), kDroppedPrefixes.end(),
                     [&](auto prefix) { return text.starts_with(prefix); }))
      kept.push_back(*entry);
  }
  kept.push_back(nullptr);
  return kept;
}

struct Attributes {
  posix_spawnattr_t value;
  Attributes() {
    posix_spawnattr_init(&value);
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&value, &none);
    posix_spawnattr_setsigdefault(&value, &all);
    // A group of its own: a wrapper script and the compiler it starts are killed together.
    posix_spawnattr_setpgroup(&value, 0);
    posix_spawnattr_setflags(&value, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  ~Attributes() { posix_spawnattr_destroy(&value); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
};

struct Actions {
  posix_spawn_file_actions_t value;
  Actions() { posix_spawn_file_actions_init(&value); }
  ~Actions() { posix_spawn_file_actions_destroy(&value); }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;
};

/// Milliseconds until `deadline` for poll(); -1 for none.
int remaining(bool limited, Clock::time_point deadline) {
  if (!limited) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<long long>(left, 0, 1 << 30));
}

/// Reads until the other end is closed. False if the deadline passed first.
bool collect(int fd, std::string& output, bool limited, Clock::time_point deadline) {
  std::array<char, 1 << 14> buffer{};
  for (;;) {
    pollfd waiting{fd, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, remaining(limited, deadline));
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) return false;
    const ssize_t n = ::read(fd, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return true;
    const size_t room = kMaxOutput - std::min(kMaxOutput, output.size());
    output.append(buffer.data(), std::min(room, static_cast<size_t>(n)));
  }
}

/// Waits for the child itself; it may close its output long before it ends. False if the deadline passed first.
bool reap(pid_t child, int& status, bool limited, Clock::time_point deadline) {
  auto pause = std::chrono::microseconds(200);
  for (;;) {
    const pid_t got = ::waitpid(child, &status, limited ? WNOHANG : 0);
    if (got == child) return true;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      // The host ignores SIGCHLD or reaps every child itself: how it ended is lost, the output files tell.
      status = 0;
      return true;
    }
    if (Clock::now() >= deadline) return false;
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::microseconds(20000));
  }
}

}  // namespace

std::string ProcessResult::how_it_ended() const {
  if (!started) return "could not be started: " + start_error;
  if (timed_out) return "did not end in time and was killed";
  if (signal != 0) return "was killed by signal " + std::to_string(signal) + " (" + ::strsignal(signal) + ")";
  std::string text = "ended with exit code " + std::to_string(exit_code);
  // A shell reports a signal of its child so.
  if (exit_code > 128 && exit_code < 128 + 32) text += std::string(" (") + ::strsignal(exit_code - 128) + ")";
  return text;
}

ProcessResult run_process(const ProcessRequest& request) {
  ProcessResult result;
  std::array<int, 2> pipe_ends{};
  if (::pipe2(pipe_ends.data(), O_CLOEXEC) != 0) {
    result.start_error = std::strerror(errno);
    return result;
  }
  const Attributes attributes;
  Actions actions;
  // stdin last: in a host without open standard descriptors the pipe itself may be descriptor 0.
  posix_spawn_file_actions_adddup2(&actions.value, pipe_ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions.value, pipe_ends[1], STDERR_FILENO);
  posix_spawn_file_actions_addopen(&actions.value, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addclosefrom_np(&actions.value, STDERR_FILENO + 1);
  if (!request.directory.empty()) posix_spawn_file_actions_addchdir_np(&actions.value, request.directory.c_str());

  std::vector<std::string> words{request.program.string()};
  words.insert(words.end(), request.arguments.begin(), request.arguments.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::vector<char*> envp = child_environment();

  pid_t child = -1;
  const int error =
      ::posix_spawn(&child, request.program.c_str(), &actions.value, &attributes.value, argv.data(), envp.data());
  ::close(pipe_ends[1]);
  if (error != 0) {
    ::close(pipe_ends[0]);
    result.start_error = std::strerror(error);
    return result;
  }
  result.started = true;

  const bool limited = request.timeout.count() > 0;
  const Clock::time_point deadline = Clock::now() + request.timeout;
  int status = 0;
  if (!collect(pipe_ends[0], result.output, limited, deadline) || !reap(child, status, limited, deadline)) {
    result.timed_out = true;
    ::kill(-child, SIGKILL);
    reap(child, status, false, deadline);
  } else if (WIFSIGNALED(status)) {
    result.signal = WTERMSIG(status);
  } else {
    result.exit_code = WEXITSTATUS(status);
  }
  ::close(pipe_ends[0]);
  return result;
}

}  // namespace xeforge::compile
