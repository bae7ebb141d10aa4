// SPDX-License-Identifier: Apache-2.0
//
// `xeforge bench`: kernels and libraries side by side, on the same data.
#include <algorithm>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "lab/bench_report.h"
#include "lab/bench_shapes.h"
#include "lab/commands.h"
#include "lab/errors.h"
#include "lab/files.h"
#include "lab/progress.h"
#include "lab/rung_run.h"
#include "lab/sycl_device.h"
#include "lab/virtual_device.h"

namespace xeforge::lab {

namespace {

struct Options {
  std::string shapes = "1024x1536x512", providers = "onednn,onemkl,esimd_4buf", device = "a770", mode = "functional",
              json, junit;
  BenchVariants variants;
  unsigned host_threads = 0;
  bool strict = false;
  bool csv = false, markdown = false;
};

std::string set_names() {
  std::string text;
  for (const std::string& name : bench_shape_sets()) text += (text.empty() ? "" : ", ") + name;
  return text;
}

void run(const Options& options) {
  if (options.csv && options.markdown) throw UserError("--csv and --markdown exclude each other");
  require_device(options.device);
  if (options.device == kRealDevice) find_sycl_device(kRealDevice);  // says what to do if there is none
  choose_mode(options.device, options.mode);
  const std::vector<BenchShape> shapes = parse_bench_shapes(options.shapes, options.variants);
  Progress progress;
  std::unique_ptr<RungRunner> runner;
  const auto start_device = [&]() -> RungRunner& {
    if (!runner)
      runner = std::make_unique<RungRunner>(options.device, [&](const std::string& text) { progress.show(text); });
    return *runner;
  };
  const auto providers = make_providers(options.providers, options.device, options.host_threads, start_device);
  // Before the device is used; may start this process anew.
  if (names_a_rung(options.providers)) prepare_process(options.device, options.host_threads);

  BenchTable table(std::cout,
                   options.csv        ? BenchStyle::Csv
                   : options.markdown ? BenchStyle::Markdown
                                      : BenchStyle::Terminal,
                   shapes);
  table.heading();
  std::vector<BenchCase> cases;
  cases.reserve(shapes.size() * providers.size());
  for (const BenchShape& shape : shapes) {
    const TestData data = shape.data();
    const BenchCase* first = nullptr;
    for (const auto& provider : providers) {
      progress.show(fmt::format("{} {}", provider->id(), to_string(shape)));
      cases.push_back(provider->run(shape, data));
      progress.clear();
      if (first == nullptr && !cases.back().kernels.empty()) first = &cases.back();
      table.row(cases.back(), first);
    }
  }
  for (const BenchCase& result : cases) {
    if (!result.not_run.empty())
      std::cerr << "not run: " << result.provider << " " << to_string(result.shape) << ": " << result.not_run << '\n';
    if (!result.ok())
      std::cerr << "FAILED: " << result.provider << " " << to_string(result.shape) << ": " << result.problem << '\n';
  }
  if (!options.json.empty()) write_file_atomically(options.json, bench_json(options.device, cases));
  if (!options.junit.empty()) write_file_atomically(options.junit, bench_junit(options.device, cases));
  const auto fine = [&](const BenchCase& result) { return result.ok() && (!options.strict || result.not_run.empty()); };
  if (!std::all_of(cases.begin(), cases.end(), fine)) throw Exit(Status::Failed);
}

}  // namespace

void add_bench_command(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "bench", "Our kernels and the vendor's libraries side by side: same data, each verified and counted");
  command
      ->add_option(
          "--shapes", options->shapes,
          "MxNxK[:alpha:beta][:WORD...] (a size may be FIRST-LAST[/STEP]), FIRST:LAST:STEP (squares), files of "
          "them, or built-in sets (" +
              set_names() + "); comma-separated")
      ->capture_default_str();
  const auto list = [&](const char* name, std::vector<std::string>& values, const char* text) {
    command->add_option(name, values, text)->delimiter(',')->capture_default_str();
  };
  list("--types", options->variants.types, "bf16, f16, f32, s8, u8, u8s8, s8u8: of A and B; every shape with each");
  list("--transposes", options->variants.transposes, "nn, nt, tn, tt: which of A and B are stored transposed");
  list("--layouts", options->variants.layouts, "row, col: matrices stored by rows, by columns");
  list("--factors", options->variants.factors, "ALPHA:BETA,...: C = alpha * A * B + beta * C");
  command->add_option("--batch", options->variants.batch, "Products per shape, one behind the other")
      ->capture_default_str();
  command
      ->add_option(
          "--providers", options->providers,
          "xeforge (the library), xeforge.weights (with B packed before), xeforge:STRATEGY, xeforge.general, "
          "xeforge.prefetch[=DIST], onednn, onemkl, reference (the CPU), ids or globs of rungs; comma-separated")
      ->capture_default_str();
  command->add_option("--device", options->device, "Virtual device (a770, b580, b60, lnl), or gpu: the real one")
      ->capture_default_str();
  command
      ->add_option("--mode", options->mode, "functional, or timed: with the time that the model of the device predicts")
      ->capture_default_str();
  command->add_option("--host-threads", options->host_threads,
                      "Threads of the host that execute the virtual device (default: all)");
  command->add_option("--json", options->json, "Also write all results to this file");
  command->add_option("--junit", options->junit, "Also write them as a JUnit report");
  command->add_flag("--strict", options->strict, "What is not run is an error, too");
  command->add_flag("--csv", options->csv, "Print the table as CSV");
  command->add_flag("--markdown", options->markdown, "Print the table as Markdown");
  command->footer(
      "A word behind a shape says for it what an option says for all: a type, transposes, row or col, bNUMBER (batch), "
      "as in 64x64x64:2:1:s8:nt:b4.\n"
      "Counts are exact. A provider that is not installed or cannot do a shape is named and left out; a wrong result "
      "is an error.");
  command->callback([options] { run(*options); });
}

}  // namespace xeforge::lab
