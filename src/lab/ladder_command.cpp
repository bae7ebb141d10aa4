// SPDX-License-Identifier: Apache-2.0
//
// `xeforge ladder`.
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lab/commands.h"
#include "lab/errors.h"
#include "lab/files.h"
#include "lab/ladder_report.h"
#include "lab/progress.h"
#include "lab/published.h"
#include "lab/virtual_device.h"

namespace xeforge::lab {

namespace {

struct Options {
  std::string rungs, shape = "1024x1536x512", device = "a770", mode = mode_of_environment(), json;
  unsigned host_threads = 0;
  bool csv = false, markdown = false, list = false;
};

/// 0: no limit. COLUMNS is for output that goes elsewhere.
unsigned terminal_width() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) return size.ws_col;
  const char* columns = std::getenv("COLUMNS");
  unsigned width = 0;
  if (columns != nullptr) std::from_chars(columns, columns + std::strlen(columns), width);
  return width;
}

void print_list() {
  for (const gemm::Rung& rung : gemm::catalog()) {
    std::cout << fmt::format("{:<27} {:<24} {}\n", rung.id, rung.base.empty() ? "" : fmt::format("on {}", rung.base),
                             rung.changes);
  }
}

std::vector<const gemm::Rung*> chosen_rungs(const Options& options) {
  try {
    return gemm::select_rungs(options.rungs.empty() ? "*" : options.rungs);
  } catch (const std::invalid_argument& error) {
    throw UserError(std::string("--rungs: ") + error.what() + ". 'xeforge ladder --list' shows all");
  }
}

gemm::Shape shape_of(const Options& options) {
  try {
    return gemm::parse_shape(options.shape);
  } catch (const std::invalid_argument& error) {
    throw UserError(std::string("--shape: ") + error.what());
  }
}

/// Smoke kernels have shapes of their own: their table comes first.
void run_all(RungRunner& runner, const std::vector<const gemm::Rung*>& rungs, const gemm::Shape& shape,
             LadderTable& table, bool titles, Progress& progress, std::vector<RungResult>& results) {
  std::string title;
  for (std::size_t i = 0; i < rungs.size(); ++i) {
    const std::string now = rungs[i]->fixed_shape ? "smoke kernels, each with its own shape" : to_string(shape);
    if (now != title) {
      progress.clear();
      if (titles) std::cout << (title.empty() ? "" : "\n") << runner.device_name() << ", " << now << '\n';
      if (title.empty() || titles) table.heading();
      title = now;
    }
    progress.show(fmt::format("[{}/{}] {}", i + 1, rungs.size(), rungs[i]->id));
    results.push_back(runner.run(*rungs[i], shape));
    progress.clear();
    table.row(results.back());
  }
}

void print_problems(const std::vector<RungResult>& results) {
  for (const RungResult& result : results) {
    if (!result.not_run.empty()) std::cerr << "not run: " << result.rung->id << ": " << result.not_run << '\n';
    if (!result.problem.empty()) std::cerr << "FAILED: " << result.rung->id << ": " << result.problem << '\n';
  }
}

void run(const Options& options) {
  if (options.list) return print_list();
  if (options.csv && options.markdown) throw UserError("--csv and --markdown exclude each other");
  require_device(options.device);
  const gemm::Shape shape = shape_of(options);
  std::vector<const gemm::Rung*> rungs = chosen_rungs(options);  // a wrong name is said before the device is started
  choose_mode(options.device, options.mode);
  prepare_process(options.device, options.host_threads);

  Progress progress;
  RungRunner runner(options.device, [&](const std::string& text) { progress.show(text); });
  if (options.rungs.empty()) {
    std::erase_if(rungs, [&](const gemm::Rung* rung) {
      return !gemm::reason_against(gemm::needs_of(*rung), runner.features()).empty();
    });
  }
  using Style = LadderTable::Style;
  const Style style = options.csv ? Style::Csv : options.markdown ? Style::Markdown : Style::Terminal;
  LadderTable table(std::cout, style, style == Style::Terminal ? terminal_width() : 0, options.mode == "timed");
  std::vector<RungResult> results;
  run_all(runner, rungs, shape, table, style == Style::Terminal, progress, results);
  print_problems(results);
  if (!options.json.empty()) write_file_atomically(options.json, to_json(results, options.mode));
  if (!std::all_of(results.begin(), results.end(), [](const RungResult& result) { return result.ok(); }))
    throw Exit(Status::Failed);
}

}  // namespace

void add_ladder_command(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("ladder", "Run the rungs of the GEMM ladder: verified, counted, beside the published numbers");
  command->add_option("--rungs", options->rungs,
                      "Ids or globs, comma-separated: naive,jm_*,*.sg8 (default: all that the device can run)");
  command->add_option("--shape", options->shape, "Sizes MxNxK of C = A * B")->capture_default_str();
  command->add_option("--device", options->device, "Virtual device (a770, b580, b60, lnl), or gpu: the real one")
      ->capture_default_str();
  command->add_option("--mode", options->mode, "functional, or timed: with simulated time")->capture_default_str();
  command->add_option("--host-threads", options->host_threads,
                      "Threads of the host that execute the virtual device (default: all)");
  command->add_option("--json", options->json, "Also write all results to this file");
  command->add_flag("--csv", options->csv, "Print the table as CSV");
  command->add_flag("--markdown", options->markdown, "Print the table as Markdown");
  command->add_flag("--list", options->list, "Show the rungs and what each changes, and run nothing");
  command->callback([options] { run(*options); });
}

}  // namespace xeforge::lab
