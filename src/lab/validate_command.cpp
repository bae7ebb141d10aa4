// SPDX-License-Identifier: Apache-2.0
//
// `xeforge validate`: what is simulated and counted here against numbers published for a real A770.
#include <array>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "lab/commands.h"
#include "lab/errors.h"
#include "lab/files.h"
#include "lab/json_text.h"
#include "lab/progress.h"
#include "lab/provider.h"
#include "lab/published.h"
#include "lab/rung_run.h"
#include "lab/validate_b60.h"
#include "lab/validate_ladder.h"
#include "lab/validate_squares.h"
#include "lab/virtual_device.h"

namespace xeforge::lab {

namespace {

struct Options {
  LadderValidation ladder;
  B60Validation b60;
  SquaresValidation squares;
  double most_macs = 0;  ///< 0: the set's own
  std::string set = "ladder", ids = "onednn,esimd_wide_load,esimd_a_direct,esimd_4buf", json;
  unsigned host_threads = 0;
};

/// A measured total and the counter that stands for it.
struct Row {
  const char* metric;
  std::optional<double> Published::*measured;
  const char* counter;
};
constexpr std::array kRows{
    Row{"SEND", &Published::total_send_slots, "send_slots"},
    Row{"ALU0", &Published::total_alu0, "alu0_slots"},
    Row{"ALU1", &Published::total_alu1, "alu1_slots"},
    Row{"XMX", &Published::total_xmx, "xmx_slots"},
};

void add_rows(const BenchCase& result, nlohmann::ordered_json& rows) {
  const auto published = find_published(result.provider);
  if (!published || !published->total_barriers) {
    std::cerr << "not compared: " << result.provider << ": no counters are published for it\n";
    return;
  }
  for (const Row& row : kRows) {
    const auto measured =
        published->per_launch(*published.*row.measured, static_cast<double>(result.count("barriers")));
    if (!measured) continue;
    const auto ours = static_cast<double>(result.count(row.counter));
    std::cout << fmt::format("{:<18} {:<6} {:>13.0f} {:>13.0f} {:>6.3f}\n", result.provider, row.metric, ours,
                             *measured, ours / *measured);
    rows.push_back({{"id", result.provider},
                    {"metric", row.metric},
                    {"counted", ours},
                    {"measured_per_launch", *measured},
                    {"ratio", ours / *measured}});
  }
}

/// What sets of a library's products have in common.
template <class Validation>
Validation of_products(Validation set, const Options& options) {
  set.json = options.json;
  set.parameters = options.ladder.parameters;
  set.host_threads = options.host_threads;
  if (options.most_macs != 0) set.most_macs = options.most_macs;
  return set;
}

void run(const Options& options) {
  if (options.set == "ladder") {
    LadderValidation ladder = options.ladder;
    ladder.json = options.json;
    ladder.host_threads = options.host_threads;
    return validate_ladder(ladder);
  }
  if (options.set == "b60") {
    B60Validation b60 = of_products(options.b60, options);
    b60.ablation = options.ladder.ablation;
    return validate_b60(b60);
  }
  if (options.set == "squares") {
    SquaresValidation squares = of_products(options.squares, options);
    squares.most_instructions = options.ladder.most_instructions;
    return validate_squares(squares);
  }
  if (options.set != "counters")
    throw UserError("--set: there is no set '" + options.set + "'. Sets: ladder, b60, squares, counters");
  constexpr const char* kDevice = "a770";
  Progress progress;
  std::unique_ptr<RungRunner> runner;
  const auto start_device = [&]() -> RungRunner& {
    if (!runner) runner = std::make_unique<RungRunner>(kDevice, [&](const std::string& text) { progress.show(text); });
    return *runner;
  };
  const auto providers = make_providers(options.ids, kDevice, options.host_threads, start_device);
  if (names_a_rung(options.ids)) prepare_process(kDevice, options.host_threads);
  const TestData data = make_test_data(kPublishedShape);
  std::cout << "Execution slots per launch, " << gemm::to_string(kPublishedShape)
            << ". Measured: totals of a VTune run divided by its launches, which its own barrier count gives.\n"
            << fmt::format("{:<18} {:<6} {:>13} {:>13} {:>6}\n", "kernel", "metric", "counted here", "measured",
                           "ratio");
  nlohmann::ordered_json document = {
      {"set", options.set}, {"device", kDevice}, {"rows", nlohmann::ordered_json::array()}};
  bool failed = false;
  for (const auto& provider : providers) {
    progress.show(provider->id());
    const BenchCase result = provider->run({kPublishedShape}, data);
    progress.clear();
    if (!result.not_run.empty()) std::cerr << "not run: " << result.provider << ": " << result.not_run << '\n';
    if (!result.ok()) std::cerr << "FAILED: " << result.provider << ": " << result.problem << '\n';
    failed |= !result.ok();
    if (result.ok() && result.not_run.empty()) add_rows(result, document["rows"]);
  }
  if (!options.json.empty()) write_file_atomically(options.json, json_text(document));
  if (failed) throw Exit(Status::Failed);
}

}  // namespace

void add_validate_command(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("validate", "What is simulated and counted here against numbers published for real devices");
  command
      ->add_option("--set", options->set,
                   "ladder: simulated times of the rungs; b60: of oneDNN's kernels on a B60; squares: of them on an "
                   "A770; counters: execution slots "
                   "by the definitions of Intel's metrics")
      ->capture_default_str();
  command->add_option("--ids", options->ids, "Providers with published counters, comma-separated")
      ->capture_default_str();
  command->add_option("--host-threads", options->host_threads,
                      "Threads of the host that execute the virtual device (default: all)");
  LadderValidation& ladder = options->ladder;
  command->add_option("--rungs", ladder.only, "ladder: ids or globs (default: all with a published time)");
  command->add_option("--cores", ladder.cores, "ladder: Xe-cores to simulate, 0 = all")->capture_default_str();
  command
      ->add_option(
          "--most-instructions", ladder.most_instructions,
          "ladder, squares: instructions of a core that are simulated before the rest is extrapolated, 0 = all")
      ->capture_default_str();
  command->add_option("--recordings", ladder.recordings,
                      "ladder: folder of ID.xfr (default: recorded when needed, kept)");
  command->add_option("--set-parameter", ladder.parameters,
                      "ladder, b60, squares: NAME=VALUE instead of the device's (repeatable)");
  command->add_option("--fit", ladder.fit_rounds, "ladder: rounds of the search for the fitted parameters (0: none)");
  command->add_flag("--swapped", ladder.swapped, "ladder: fit on the test half");
  command->add_flag("--ablation", ladder.ablation, "ladder, b60: errors without single mechanisms");
  command->add_option("--rows", options->b60.rows, "b60: shapes of each stratum of the published sample, 0 = all")
      ->capture_default_str();
  command->add_option("--most-macs", options->most_macs,
                      "b60, squares: larger products are left out (default: 5e10; 7e10, for float an eighth)");
  command->add_option("--stratum", options->b60.stratum, "b60: only strata whose names contain this");
  command->add_flag("--cold{false},--warm{true}", options->b60.warm,
                    "b60: whether caches hold what the launches before left");
  command->add_flag("--check", options->b60.check,
                    "b60: whether the recordings, made without matrix arithmetic, are those of a whole execution");
  command->add_option("--svg", ladder.svg, "ladder: write a correlation plot to this file");
  command->add_option("--json", options->json, "Also write the comparison to this file");
  command->callback([options] { run(*options); });
}

}  // namespace xeforge::lab
