// SPDX-License-Identifier: Apache-2.0
//
// How a command ends otherwise than well. Apart from commands.h, which few sources need.
#pragma once

#include <stdexcept>
#include <string>

namespace xeforge::lab {

/// Exit statuses other than 0 (done) and the program's own under `xeforge run`.
enum class Status : int {
  Failed = 1,    ///< a result is wrong, a kernel faulted
  Usage = 2,     ///< the command line cannot be understood
  NoDevice = 3,  ///< the device asked for is not there
  Faults = 70,   ///< `xeforge run`: the program ended with 0, but a kernel of it faulted
  Findings = 71  ///< `xeforge run --check`: the program ended with 0, but the checkers found something
};

/// Ends the program with a status; the command has said everything already.
struct Exit {
  int status;
  explicit Exit(int code) : status(code) {}
  explicit Exit(Status code) : status(static_cast<int>(code)) {}
};

/// Something about the command line or its surroundings is wrong. `what()` says what, and what to do.
struct UserError : std::runtime_error {
  Status status;
  explicit UserError(const std::string& text, Status code = Status::Usage) : std::runtime_error(text), status(code) {}
};

}  // namespace xeforge::lab
