// SPDX-License-Identifier: Apache-2.0
//
// The commands of `xeforge`. Each function adds one subcommand to the command line; the subcommand's callback runs it.
#pragma once

namespace CLI {
class App;
}

namespace xeforge::lab {

/// A callback returns for success, throws Exit for any other end, UserError or another std::exception
/// for an error (errors.h); main() prints the text of those and turns them into the exit status.
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
