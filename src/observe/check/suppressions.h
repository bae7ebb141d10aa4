// SPDX-License-Identifier: Apache-2.0
//
// Suppression files: findings that somebody has looked at and accepted, with the reason.
//
//   # a comment
//   suppress {
//     reason: the published rung stores every tile twice   (needed)
//     kind:   races.same-value-write                       (needed)
//     kernel: jm_*                                         (globs: * and ?; what is left out matches everything)
//     isa:    *store.ugm*
//     source: *gemm.cpp:*
//   }
#pragma once

#include <span>
#include <string>
#include <vector>

#include "observe/check/finding.h"

namespace xeforge::observe::check {

struct Suppression {
  std::string reason, kind, kernel = "*", message = "*", isa = "*", source = "*";
  uint64_t used = 0;  ///< findings that it hid

  bool matches(const Finding& finding) const;
};

class Suppressions {
 public:
  /// `name` is the file's, for errors: std::runtime_error naming line and mistake.
  void read(const std::string& text, const std::string& name);
  void read_file(const std::string& path);

  /// True if one hides it; counts it.
  bool hides(const Finding& finding);
  std::span<const Suppression> all() const { return all_; }

 private:
  std::vector<Suppression> all_;
};

/// A block that hides exactly this finding, to be completed with a reason.
std::string suppression_for(const Finding& finding);

/// Whole text; * any characters, ? one.
bool glob_matches(const std::string& pattern, const std::string& text);

}  // namespace xeforge::observe::check
