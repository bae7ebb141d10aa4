// SPDX-License-Identifier: Apache-2.0
//
// `xeforge explain RUNG`: what changed since its base, and where the instructions go.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "lab/commands.h"
#include "lab/errors.h"
#include "lab/explain_problem.h"
#include "lab/explain_report.h"
#include "lab/files.h"
#include "lab/progress.h"
#include "lab/rung_run.h"
#include "lab/virtual_device.h"

namespace xeforge::lab {

namespace {

namespace fs = std::filesystem;

struct Options {
  std::string rung, base, recording, shape = "256x512x128", device = "a770", mode = mode_of_environment(), json;
  std::string problem;
  unsigned host_threads = 0, cores = 0;
  bool whole = false, weights = false;
};

/// A directory for recordings that is gone at the end.
class Recordings {
 public:
  Recordings() {
    std::string name = (fs::temp_directory_path() / "xeforge-explain-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw UserError("cannot make the directory " + name + ". Is TMPDIR right?", Status::Failed);
    directory_ = name;
    // The driver reads it when SYCL loads it.
    ::setenv("XEFORGE_RECORD", name.c_str(), 1);
  }
  ~Recordings() {
    std::error_code ignored;
    fs::remove_all(directory_, ignored);
  }
  Recordings(const Recordings&) = delete;
  Recordings& operator=(const Recordings&) = delete;

  /// The recording of this kernel since the last call.
  observe::Recording take(const std::string& kernel) {
    fs::path found;
    for (const auto& entry : fs::directory_iterator(directory_)) {
      const fs::path& file = entry.path();
      if (file.stem().string().ends_with(kernel)) found = file;
    }
    if (found.empty()) throw UserError("the driver recorded no launch of " + kernel, Status::Failed);
    observe::Recording recording = observe::Recording::load(found);
    fs::remove(found);
    return recording;
  }

 private:
  fs::path directory_;
};

const gemm::Rung& rung_of(const std::string& id) {
  if (const gemm::Rung* rung = gemm::find_rung(id)) return *rung;
  try {
    const auto found = gemm::select_rungs(id);
    if (found.size() == 1) return *found.front();
    throw UserError(fmt::format("'{}' names {} rungs; explain takes one", id, found.size()));
  } catch (const std::invalid_argument& error) {
    throw UserError(std::string(error.what()) + ". 'xeforge ladder --list' shows all");
  }
}

gemm::Shape shape_of(const Options& options) {
  try {
    return gemm::parse_shape(options.shape);
  } catch (const std::invalid_argument& error) {
    throw UserError(std::string("--shape: ") + error.what());
  }
}

/// From the recording, which the driver need not time itself.
void add_time(Explained& explained, const Options& options) {
  if (options.mode != "timed") return;
  const observe::Recording& recording = explained.profile.recording;
  const std::string_view family = explained.rung == nullptr ? "" : gemm::name_of(explained.rung->family);
  const unsigned threads =
      options.host_threads != 0 ? options.host_threads : std::max(1U, std::thread::hardware_concurrency());
  try {
    explained.time = time_profile(recording, device::find_device(recording.device), family, options.cores, threads);
  } catch (const timing::StuckError& error) {
    throw UserError(error.what(), Status::Failed);
  } catch (const std::invalid_argument& error) {
    throw UserError(error.what(), Status::Failed);
  }
  add_time_columns(explained.profile, *explained.time);
}

Explained execute(RungRunner& runner, Recordings& recordings, const gemm::Rung& rung, const gemm::Shape& shape) {
  const RungResult result = runner.run(rung, shape);
  if (!result.not_run.empty())
    throw UserError(fmt::format("{} was not run: {}", rung.id, result.not_run), Status::Failed);
  if (!result.ok()) throw UserError(fmt::format("{}: {}", rung.id, result.problem), Status::Failed);
  Explained explained;
  explained.rung = &rung;
  explained.report = *result.report;
  explained.profile = profile(recordings.take(std::string(rung.kernel)));
  return explained;
}

void show(const Options& options, const Explained& explained, const Explained* base) {
  print_explanation(std::cout, explained, base, options.whole);
  std::cout.flush();
  if (!options.json.empty()) write_file_atomically(options.json, explanation_json(explained, base));
}

void run(const Options& options) {
  if (options.mode != "functional" && options.mode != "timed")
    throw UserError("--mode: '" + options.mode + "' is neither functional nor timed");
  if (!options.recording.empty()) {
    Explained explained;
    try {
      explained.profile = profile(observe::Recording::load(options.recording));
    } catch (const std::runtime_error& error) {
      throw UserError(std::string("--recording: ") + error.what());
    }
    add_time(explained, options);
    return show(options, explained, nullptr);
  }
  if (!options.problem.empty()) {
    require_device(options.device);
    prepare_process(options.device, options.host_threads);
    return explain_problem(std::cout, options.device, options.problem, options.weights);
  }
  if (options.rung.empty())
    throw UserError("name a rung ('xeforge ladder --list' shows all), a file with --recording, or a --problem");
  require_device(options.device);
  if (options.device == kRealDevice) throw UserError("explain looks into a virtual device; a real one shows no counts");
  const gemm::Rung& rung = rung_of(options.rung);
  const gemm::Shape shape = shape_of(options);
  const std::string base_id = options.base.empty() ? std::string(rung.base) : options.base;
  const gemm::Rung* const base_rung = base_id.empty() ? nullptr : &rung_of(base_id);
  prepare_process(options.device, options.host_threads);

  Recordings recordings;
  Progress progress;
  RungRunner runner(options.device, [&](const std::string& text) { progress.show(text); });
  progress.show(fmt::format("{} at {}", rung.id, to_string(shape)));
  Explained explained = execute(runner, recordings, rung, shape);
  add_time(explained, options);
  std::unique_ptr<Explained> base;
  if (base_rung != nullptr) {
    progress.show(fmt::format("{} at {}", base_rung->id, to_string(shape)));
    base = std::make_unique<Explained>(execute(runner, recordings, *base_rung, shape));
    add_time(*base, options);
  }
  progress.clear();
  if (!rung.fixed_shape) std::cout << runner.device_name() << ", " << to_string(shape) << ", simulated\n";
  show(options, explained, base.get());
}

}  // namespace

void add_explain_command(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "explain", "What a rung changes: its counters beside those of its base, and the inner loop with counts");
  CLI::Option* rung = command->add_option("rung", options->rung, "Id of the rung");
  CLI::Option* base = command->add_option("--base", options->base, "Compare with this rung instead of its base");
  command->add_option("--shape", options->shape, "Sizes MxNxK; the default is legal for every rung")
      ->capture_default_str();
  command->add_option("--device", options->device, "a770, b580, b60, lnl")->capture_default_str();
  command
      ->add_option("--mode", options->mode,
                   "functional, or timed: where the simulated time of the threads goes, what bounds it, how far the "
                   "roofs are")
      ->capture_default_str();
  command
      ->add_option("--cores", options->cores,
                   "Timed mode: Xe-cores to simulate; fewer than all is approximate (0: all)")
      ->capture_default_str();
  command->add_option("--host-threads", options->host_threads, "Threads of the host that execute the virtual device");
  CLI::Option* recording =
      command->add_option("--recording", options->recording,
                          "A launch of any program instead, recorded with XEFORGE_RECORD=DIR: DIR/*.xfr");
  CLI::Option* problem = command->add_option(
      "--problem", options->problem,
      "Which strategy the library takes for a problem, MxNxK[:WORD...], and why, instead of a rung");
  CLI::Option* isa = command->add_flag("--isa", options->whole, "List the whole code, not only the inner loop");
  CLI::Option* json = command->add_option("--json", options->json, "Also write everything to this file");
  command->add_flag("--weights", options->weights, "Of the problem: B is packed before")->needs(problem);
  // What one of the three subjects does not use is refused rather than ignored.
  recording->excludes(rung)->excludes(base);
  for (CLI::Option* other : {rung, base, recording, isa, json}) problem->excludes(other);
  command->callback([options] { run(*options); });
}

}  // namespace xeforge::lab
