// SPDX-License-Identifier: Apache-2.0
//
// The command `xeforge`.
#include <exception>
#include <iostream>

#include <CLI/CLI.hpp>

#include "lab/commands.h"
#include "lab/errors.h"
#include "xeforge/compiled_paths.h"

int main(int argc, char** argv) {
  using namespace xeforge::lab;
  CLI::App app("xeforge: a virtual Intel GPU, and GEMM for the real ones", "xeforge");
  app.set_version_flag("--version", std::string("xeforge ") + xeforge::paths::kVersion);
  app.require_subcommand(1);
  app.set_help_all_flag("--help-all", "Help of all commands");
  app.footer("'xeforge COMMAND --help' explains a command. Start with: xeforge ladder --rungs naive,esimd_4buf");
  add_ladder_command(app);
  add_bench_command(app);
  add_experiment_command(app);
  add_explain_command(app);
  add_run_command(app);
  add_inspect_command(app);
  add_occupancy_command(app);
  add_pages_command(app);
  add_validate_command(app);
  add_micro_command(app);
  try {
    app.parse(argc, argv);
    return 0;
  } catch (const CLI::ParseError& error) {
    const int status = app.exit(error);
    return status == 0 ? 0 : static_cast<int>(Status::Usage);
  } catch (const Exit& exit) {
    return exit.status;
  } catch (const UserError& error) {
    std::cerr << "xeforge: " << error.what() << '\n';
    return static_cast<int>(error.status);
  } catch (const std::exception& error) {
    std::cerr << "xeforge: " << error.what() << '\n';
    return static_cast<int>(Status::Failed);
  }
}
