// SPDX-License-Identifier: Apache-2.0
//
// The commands of `xeforge`. Each function adds one subcommand to the command line; the subcommand's callback runs it.
#pragma once

#include <stdexcept>

#include <CLI/CLI.hpp>

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

/// A callback returns for success, throws Exit for any other end, UserError or another std::exception
/// for an error; main() prints the text of those and turns them into the exit status.
void add_ladder_command(CLI::App& app);
void add_run_command(CLI::App& app);
void add_inspect_command(CLI::App& app);
void add_occupancy_command(CLI::App& app);
void add_pages_command(CLI::App& app);
void add_bench_command(CLI::App& app);
void add_experiment_command(CLI::App& app);
void add_explain_command(CLI::App& app);
void add_validate_command(CLI::App& app);
void add_micro_command(CLI::App& app);

}  // namespace xeforge::lab
