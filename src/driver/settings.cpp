// SPDX-License-Identifier: Apache-2.0
#include "driver/settings.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace xeforge::driver {
namespace {

using Lookup = const char* (*)(const char*);

const char* environment(const char* name) { return std::getenv(name); }

std::string text(Lookup lookup, const char* name, const char* otherwise) {
  const char* value = lookup(name);
  return value != nullptr && *value != '\0' ? value : otherwise;
}

template <class Number>
Number number(Lookup lookup, const char* name) {
  const char* value = lookup(name);
  if (value == nullptr || *value == '\0') {
    return 0;
  }
  Number result{};
  const char* end = value + std::strlen(value);
  const auto [at, error] = std::from_chars(value, end, result);
  if (error != std::errc{} || at != end) {
    throw std::invalid_argument(std::string(name) + "='" + value + "' is not a whole number that fits");
  }
  return result;
}

bool flag(Lookup lookup, const char* name) {
  const std::string value = text(lookup, name, "0");
  return value != "0";
}

/// Everything that any text is right for.
Settings read_texts(Lookup lookup) {
  Settings s;
  s.device = text(lookup, "XEFORGE_DEVICE", "a770");
  s.verbose = flag(lookup, "XEFORGE_VERBOSE");
  s.stateful_bounds_are_errors = flag(lookup, "XEFORGE_STRICT_SURFACES");
  s.exchange_pairs = flag(lookup, "XEFORGE_EXCHANGE_PAIRS");
  s.checks = text(lookup, "XEFORGE_CHECK", "");
  s.check_log = text(lookup, "XEFORGE_CHECK_LOG", "");
  s.report_file = text(lookup, "XEFORGE_REPORT", "");
  s.timed = text(lookup, "XEFORGE_MODE", "functional") == "timed";
  s.trace_file = text(lookup, "XEFORGE_TRACE", "");
  s.record_directory = text(lookup, "XEFORGE_RECORD", "");
  s.control_only = flag(lookup, "XEFORGE_CONTROL_ONLY");
  s.dump_directory = text(lookup, "XEFORGE_DUMP_MODULES", "");
  return s;
}

}  // namespace

Settings read_settings(Lookup lookup) {
  Settings s = read_texts(lookup);
  s.host_threads = number<unsigned>(lookup, "XEFORGE_HOST_THREADS");
  s.watchdog_instructions = number<uint64_t>(lookup, "XEFORGE_WATCHDOG");
  s.timed_cores = number<unsigned>(lookup, "XEFORGE_TIMED_CORES");
  const std::string mode = text(lookup, "XEFORGE_MODE", "functional");
  if (mode != "functional" && mode != "timed")
    throw std::invalid_argument("XEFORGE_MODE='" + mode + "' is neither functional nor timed");
  if (s.control_only && !s.timed && s.record_directory.empty())
    throw std::invalid_argument(
        "XEFORGE_CONTROL_ONLY needs XEFORGE_RECORD or XEFORGE_MODE=timed: results are wrong with it");
  return s;
}

const Settings& settings() {
  // Never destroyed: entry points are called from static destructors of programs.
  static const Settings* instance = [] {
    try {
      return new Settings(read_settings(environment));
    } catch (const std::invalid_argument& e) {
      std::fprintf(stderr, "xeforge: %s; all XEFORGE_* settings of numbers keep their defaults\n", e.what());
      return new Settings(read_texts(environment));
    }
  }();
  return *instance;
}

}  // namespace xeforge::driver
