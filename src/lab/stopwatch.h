// SPDX-License-Identifier: Apache-2.0
//
// Time that passed, and processor time in user mode that this process spent meanwhile, all of its threads together.
#pragma once

#include <chrono>

#include <sys/resource.h>

namespace xeforge::lab {

class Stopwatch {
 public:
  Stopwatch() : start_(Clock::now()), user_(process_user_us()) {}
  double wall_us() const { return std::chrono::duration<double, std::micro>(Clock::now() - start_).count(); }
  double user_us() const { return process_user_us() - user_; }

 private:
  using Clock = std::chrono::steady_clock;
  static double process_user_us() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec) * 1e6 + static_cast<double>(usage.ru_utime.tv_usec);
  }

  Clock::time_point start_;
  double user_;
};

}  // namespace xeforge::lab
