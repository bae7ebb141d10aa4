// SPDX-License-Identifier: Apache-2.0
#include "lab/pages/interrupts.h"

#include <csignal>
#include <iostream>

#include "lab/errors.h"

namespace xeforge::lab::pages {
namespace {

volatile std::sig_atomic_t signal_seen = 0;
struct sigaction before_interrupt, before_end;

void note(int signal) { signal_seen = signal; }

}  // namespace

Interrupts::Interrupts() {
  signal_seen = 0;
  struct sigaction action {};
  action.sa_handler = note;
  // The second one meets the default again; system calls go on, so that a compiler's output is read to its end.
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  ::sigaction(SIGINT, &action, &before_interrupt);
  ::sigaction(SIGTERM, &action, &before_end);
}

Interrupts::~Interrupts() {
  ::sigaction(SIGINT, &before_interrupt, nullptr);
  ::sigaction(SIGTERM, &before_end, nullptr);
}

void Interrupts::check() const {
  if (signal_seen == 0) return;
  std::cerr << "xeforge: interrupted; no pages were written\n";
  throw Exit(128 + static_cast<int>(signal_seen));
}

}  // namespace xeforge::lab::pages
