// SPDX-License-Identifier: Apache-2.0
#include "driver/log.h"

#include <mutex>
#include <set>

#include <unistd.h>

#include "driver/api.h"
#include "driver/settings.h"

namespace xeforge::driver {
namespace {

thread_local std::string t_last_error;

// One write() per line, so that lines of several threads and processes do not mix.
void write_line(std::string_view text) {
  std::string line = "xeforge: ";
  line += text;
  line += '\n';
  const char* at = line.data();
  std::size_t left = line.size();
  while (left > 0) {
    const ssize_t n = ::write(STDERR_FILENO, at, left);
    if (n <= 0) {
      return;
    }
    at += n;
    left -= static_cast<std::size_t>(n);
  }
}

}  // namespace

bool verbose() { return settings().verbose; }

void say(std::string_view text) { write_line(text); }

void trace(std::string_view text) {
  if (verbose()) {
    write_line(text);
  }
}

void report_error(std::string_view entry_point, std::string_view text) {
  std::string line(entry_point);
  line += ": ";
  line += text;
  trace(line);
  set_last_error(std::move(line));
}

void set_last_error(std::string text) { t_last_error = std::move(text); }

const char* last_error() { return t_last_error.c_str(); }

}  // namespace xeforge::driver

extern "C" int xeforge_refuse_entry_point(const char* name) {
  static std::mutex mutex;
  static std::set<std::string>* named = new std::set<std::string>;  // outlives static destructors of the program
  const std::string text =
      std::string(name) + " is not implemented by this device: ZE_RESULT_ERROR_UNSUPPORTED_FEATURE";
  {
    const std::lock_guard lock(mutex);
    if (named->insert(name).second) {
      xeforge::driver::trace(text);
    }
  }
  xeforge::driver::set_last_error(text);
  return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
}
