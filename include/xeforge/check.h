// SPDX-License-Identifier: Apache-2.0
//
// The checkers in a test suite: kernels that a test runs on the virtual device are checked, and what is found is a
// value that the test can look at. Header only, C++17, no library to link; docs/ci.md shows a whole project.
//
//   TEST(Gemm, IsClean) {
//     xeforge::check::Scope check("memory,races,init,sync,hazards");
//     if (!check.available()) GTEST_SKIP() << "not on the virtual device";
//     run_my_kernels(queue);
//     queue.wait();
//     EXPECT_THAT(check.findings(), xeforge::check::HasNoFindings());  // prints every report if not
//   }
//   // Without GoogleMock:
//     const auto verdict = check.clean();
//     EXPECT_TRUE(verdict) << verdict;
//
// Scopes do not nest. A scope that ends gives launches back to what XEFORGE_CHECK asked for: nothing, unless
// `xeforge run --check` started the program.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include <dlfcn.h>

#include "xeforge/driver_ext.h"

namespace xeforge::check {

struct Finding {
  std::string kind;  ///< "memory.out-of-bounds"; docs/checker.md lists all
  std::string kernel;
  std::string message;
  std::string source;       ///< "file:line", empty without debug information
  std::string instruction;  ///< ISA text, empty if it concerns the launch
  std::string report;       ///< everything, several lines
  int64_t pc = -1;
  uint64_t count = 0;
};
inline std::ostream& operator<<(std::ostream& out, const Finding& f) { return out << f.report; }

/// Reads as a boolean, and as all reports when a test prints it.
struct Verdict {
  std::vector<Finding> findings;
  explicit operator bool() const { return findings.empty(); }
};
inline std::ostream& operator<<(std::ostream& out, const Verdict& verdict) {
  if (verdict.findings.empty()) return out << "nothing was found";
  out << verdict.findings.size() << (verdict.findings.size() == 1 ? " finding:\n" : " findings:\n");
  for (const Finding& finding : verdict.findings) out << finding << '\n';
  return out;
}

class Scope {
 public:
  /// `checks`: names separated by commas, or "all". Throws std::invalid_argument that names an unknown one. To be made
  /// before the memory is allocated whose initialisation shall be known, and while no kernel runs.
  explicit Scope(const std::string& checks = "all") : driver_(open_driver()) {
    if (driver_ == nullptr) return;
    begin_ = reinterpret_cast<xeforge_check_begin_t>(::dlsym(driver_, XEFORGE_CHECK_BEGIN_NAME));
    take_ = reinterpret_cast<xeforge_check_take_t>(::dlsym(driver_, XEFORGE_CHECK_TAKE_NAME));
    if (!available()) return;
    if (const char* wrong = begin_(checks.c_str())) throw std::invalid_argument(wrong);
  }
  ~Scope() {
    if (available()) {
      const char* outside = std::getenv("XEFORGE_CHECK");
      begin_(outside == nullptr ? "" : outside);
    }
    if (driver_ != nullptr) ::dlclose(driver_);
  }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  /// False on a real device, or if no Level Zero driver has been loaded yet (make a queue first).
  bool available() const { return begin_ != nullptr && take_ != nullptr; }

  /// Everything found since the scope began. Wait for the queue first.
  const std::vector<Finding>& findings() {
    const xeforge_finding_t* table = nullptr;
    const size_t n = available() ? take_(&table) : 0;
    for (size_t i = 0; i < n; ++i) {
      const xeforge_finding_t& f = table[i];
      all_.push_back({f.kind, f.kernel, f.message, f.source, f.instruction, f.report, f.pc, f.count});
    }
    return all_;
  }
  Verdict clean() { return {findings()}; }

 private:
  static void* open_driver() {
    // SYCL loads the driver privately; it is found under the name that it was loaded by.
    void* driver = ::dlopen("libze_loader.so.1", RTLD_LAZY | RTLD_NOLOAD);
    if (driver == nullptr) {
      if (const char* directory = std::getenv("ZEL_LIBRARY_PATH"))
        driver = ::dlopen((std::string(directory) + "/libze_loader.so.1").c_str(), RTLD_LAZY | RTLD_NOLOAD);
    }
    return driver;
  }

  void* driver_ = nullptr;
  xeforge_check_begin_t begin_ = nullptr;
  xeforge_check_take_t take_ = nullptr;
  std::vector<Finding> all_;
};

}  // namespace xeforge::check

// With GoogleMock included before this header: EXPECT_THAT(check.findings(), HasNoFindings()) and
// EXPECT_THAT(check.findings(), Contains(IsFinding("races.slm", "kernel name"))).
#if defined(GMOCK_INCLUDE_GMOCK_GMOCK_H_) || defined(GOOGLEMOCK_INCLUDE_GMOCK_GMOCK_H_)
namespace xeforge::check {
MATCHER(HasNoFindings, "is without findings") {
  for (const auto& finding : arg) *result_listener << '\n' << finding.report;
  return arg.empty();
}
MATCHER_P2(IsFinding, kind, kernel, "is " + std::string(kind) + " in kernel " + std::string(kernel)) {
  return arg.kind == kind && arg.kernel == kernel;
}
}  // namespace xeforge::check
#endif
