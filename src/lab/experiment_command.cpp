// SPDX-License-Identifier: Apache-2.0
//
// `xeforge experiment NAME`.
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "lab/commands.h"
#include "lab/errors.h"
#include "lab/experiment_prefetch.h"
#include "lab/files.h"
#include "lab/progress.h"
#include "lab/rung_run.h"
#include "lab/virtual_device.h"

namespace xeforge::lab {

namespace {

namespace fs = std::filesystem;

struct Options {
  std::string device = "a770", mode = "functional", out = "prefetch-experiment", json;
  std::vector<unsigned> distances{1, 2};
  std::vector<std::string> shapes;
  unsigned batches = 2, host_threads = 0;
  bool csv = false, markdown = false;
};

PrefetchDesign design_of(const Options& options) {
  PrefetchDesign design;
  design.batches = options.batches;
  design.distances = {0};
  design.distances.insert(design.distances.end(), options.distances.begin(), options.distances.end());
  if (!options.shapes.empty()) design.shapes.clear();
  for (const std::string& text : options.shapes) {
    try {
      design.shapes.push_back(gemm::parse_shape(text));
    } catch (const std::invalid_argument& error) {
      throw UserError(std::string("--shapes: ") + error.what());
    }
  }
  return design;
}

void run_prefetch(const Options& options) {
  if (options.csv && options.markdown) throw UserError("--csv and --markdown exclude each other");
  require_device(options.device);
  const PrefetchDesign design = design_of(options);
  choose_mode(options.device, options.mode);
  prepare_process(options.device, options.host_threads);
  Progress progress;
  RungRunner runner(options.device, [&](const std::string& text) { progress.show(text); });
  std::map<std::string, std::unique_ptr<Provider>> providers;
  const auto run = [&](const std::string& id, const BenchShape& shape, const TestData& data) {
    auto& provider = providers[id];
    if (!provider) {
      provider = std::move(
          make_providers(id, options.device, options.host_threads, [&]() -> RungRunner& { return runner; }).front());
    }
    progress.show(fmt::format("{} {} beta {}", id, gemm::to_string(shape.shape), shape.beta));
    BenchCase result = provider->run(shape, data);
    progress.clear();
    return result;
  };
  const PrefetchResult result = run_prefetch_experiment(design, run);

  for (const std::string& problem : result.problems) std::cerr << "FAILED: " << problem << '\n';
  const TableStyle style = options.csv        ? TableStyle::Csv
                           : options.markdown ? TableStyle::Markdown
                                              : TableStyle::Terminal;
  std::cout << prefetch_table(result, style);
  if (!result.problems.empty()) throw Exit(Status::Failed);
  if (style == TableStyle::Terminal) std::cout << '\n' << prefetch_summary(result);
  std::error_code error;
  fs::create_directories(options.out, error);
  const fs::path directory = options.out;
  write_file_atomically(directory / "prefetch.csv", prefetch_table(result, TableStyle::Csv));
  write_file_atomically(directory / "prefetch.svg", prefetch_plot(options.device, result));
  write_file_atomically(directory / "prefetch.json", prefetch_json(options.device, result));
  if (!options.json.empty()) write_file_atomically(options.json, prefetch_json(options.device, result));
  std::cerr << "written: " << (directory / "prefetch.{csv,svg,json}").string() << '\n';
}

}  // namespace

void add_experiment_command(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("experiment", "Experiments on the kernels, each with its design, table and plot");
  command->require_subcommand(1);
  const auto options = std::make_shared<Options>();
  CLI::App* prefetch = command->add_subcommand(
      "prefetch",
      "Does software prefetch pay? Shape x old C read or not x prefetch, alternating, with the same inputs");
  prefetch->add_option("--device", options->device, "Virtual device (a770), or gpu: the real one")
      ->capture_default_str();
  prefetch->add_option("--distances", options->distances, "Prefetch distances beside none, in K blocks of 32 steps")
      ->delimiter(',')
      ->check(CLI::Range(1, 8))
      ->capture_default_str();
  prefetch
      ->add_option("--shapes", options->shapes,
                   "Other shapes MxNxK, comma-separated (default: 256x512x128,1024x1536x512)")
      ->delimiter(',');
  prefetch->add_option("--batches", options->batches, "How often all cells are run; every other time backwards")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  prefetch->add_option("--mode", options->mode, "functional: counts; timed: simulated time as well")
      ->capture_default_str();
  prefetch->add_option("--host-threads", options->host_threads, "Threads of the host that execute the virtual device");
  prefetch->add_option("--out", options->out, "Directory for table and plot")->capture_default_str();
  prefetch->add_option("--json", options->json, "Also write everything to this file");
  prefetch->add_flag("--csv", options->csv, "Print the table as CSV");
  prefetch->add_flag("--markdown", options->markdown, "Print the table as Markdown");
  prefetch->callback([options] { run_prefetch(*options); });
}

}  // namespace xeforge::lab
