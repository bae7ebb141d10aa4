// SPDX-License-Identifier: Apache-2.0
#include "lab/progress.h"

#include <iostream>

#include <unistd.h>

namespace xeforge::lab {

namespace {
constexpr const char* kBackAndErase = "\r\033[K";
}

Progress::Progress() : terminal_(::isatty(STDERR_FILENO) == 1) {}

void Progress::show(const std::string& text) {
  if (terminal_) {
    std::cerr << kBackAndErase << text << std::flush;
    shown_ = true;
  } else {
    std::cerr << text << '\n' << std::flush;
  }
}

void Progress::clear() {
  if (shown_) std::cerr << kBackAndErase << std::flush;
  shown_ = false;
}

}  // namespace xeforge::lab
