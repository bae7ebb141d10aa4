// SPDX-License-Identifier: Apache-2.0
//
// Which compiled copy of the handlers fits this CPU.
#include <cstdlib>
#include <cstring>

#include "machine/exec/exec.h"

namespace xeforge::machine {

#if defined(XEFORGE_EXEC_MULTIVERSION)
namespace exec_v2 {
extern const ExecLibrary library;
}
namespace exec_v3 {
extern const ExecLibrary library;
}
namespace exec_v4 {
extern const ExecLibrary library;
}
#else
namespace exec_default {
extern const ExecLibrary library;
}
#endif

namespace {

const ExecLibrary& choose() {
#if defined(XEFORGE_EXEC_MULTIVERSION)
  __builtin_cpu_init();
  const char* forced = std::getenv("XEFORGE_CPU");
  const auto wanted = [&](const ExecLibrary& l) {
    return forced == nullptr || std::strcmp(forced, l.name + std::strlen("exec_")) == 0;
  };
  if (__builtin_cpu_supports("x86-64-v4") && wanted(exec_v4::library)) return exec_v4::library;
  if (__builtin_cpu_supports("x86-64-v3") && wanted(exec_v3::library)) return exec_v3::library;
  return exec_v2::library;
#else
  return exec_default::library;
#endif
}

}  // namespace

const ExecLibrary& exec_library() {
  static const ExecLibrary& library = choose();
  return library;
}

}  // namespace xeforge::machine
