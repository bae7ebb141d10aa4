// SPDX-License-Identifier: Apache-2.0
//
// A helper program that answers jobs: a line in, a line out. It starts with the first job and stays for the next ones,
// so that a library sets itself up once.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace xeforge::lab {

class HelperSession {
 public:
  using Environment = std::vector<std::pair<std::string, std::string>>;

  /// What the program prints goes to `log`, which is emptied before each job.
  HelperSession(std::filesystem::path program, Environment environment, std::filesystem::path log);
  ~HelperSession();
  HelperSession(const HelperSession&) = delete;
  HelperSession& operator=(const HelperSession&) = delete;

  /// The answer to a job; starts the program if it does not run. If the program ended instead, why, and `ended` is set.
  struct Answer {
    std::string text;
    bool ended = false;
  };
  Answer ask(const std::string& line);

  /// Lets the program go; the next job starts it again.
  void stop();

 private:
  void start();
  /// Its end in words, with what it printed last.
  std::string wait_for_end();

  std::filesystem::path program_;
  Environment environment_;
  std::filesystem::path log_;
  pid_t child_ = -1;
  int socket_ = -1;
};

}  // namespace xeforge::lab
