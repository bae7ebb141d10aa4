// SPDX-License-Identifier: Apache-2.0
//
// Ctrl-C while pages are made: the step that is under way ends, scratch files go, and nothing is written. A second
// Ctrl-C ends the command at once.
#pragma once

namespace xeforge::lab::pages {

/// One at a time; while it lives, SIGINT and SIGTERM are noted instead of ending the process.
class Interrupts {
 public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  /// Throws Exit with the status that shells give a program ended by the signal, if one came; says so on stderr.
  void check() const;
};

}  // namespace xeforge::lab::pages
