// SPDX-License-Identifier: Apache-2.0
#include "lab/validate_ladder.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "compile/sha256.h"
#include "gemm/catalog.h"
#include "kernels/embedded.h"
#include "lab/errors.h"
#include "lab/files.h"
#include "lab/json_text.h"
#include "lab/progress.h"
#include "lab/provider_capture.h"
#include "lab/published.h"
#include "lab/validate_model.h"
#include "timing/summary.h"

namespace xeforge::lab {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr const char* kDevice = "a770";

/// Recordings of other kernels, or of another recording format, lie in other folders.
fs::path cache_folder() {
  compile::Sha256 hash;
  for (const kernels::EmbeddedFile& file : kernels::embedded_files()) {
    // Not of the ladder: their changes must not cost its recordings.
    if (file.name.starts_with("kernels/micro/") || file.name.starts_with("kernels/gemm/")) continue;
    hash.add_field(file.name);
    hash.add_field(file.text);
  }
  return recordings_folder() / fmt::format("{}-{}-v{}-{}", kDevice, gemm::to_string(kPublishedShape),
                                           observe::Recording::kVersion, hash.finish().substr(0, 12));
}

/// Runs this program's ladder with the driver recording.
void record(const std::vector<const gemm::Rung*>& rungs, const fs::path& folder, unsigned host_threads) {
  const fs::path fresh = folder / fmt::format("new-{}", ::getpid());
  fs::create_directories(fresh);
  std::string list;
  for (const gemm::Rung* rung : rungs) list += (list.empty() ? "" : ",") + std::string(rung->id);
  std::vector<std::string> arguments{"xeforge", "ladder", "--device", kDevice, "--rungs", list};
  if (host_threads != 0) {
    arguments.emplace_back("--host-threads");
    arguments.push_back(std::to_string(host_threads));
  }
  std::cerr << "recording " << rungs.size() << " rungs, once; they are kept in " << folder.string() << '\n';
  const pid_t child = ::fork();
  if (child < 0) throw UserError("cannot start a process", Status::Failed);
  if (child == 0) {
    ::setenv("XEFORGE_RECORD", fresh.c_str(), 1);
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
    std::vector<char*> pointers;
    pointers.reserve(arguments.size() + 1);
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    ::execv("/proc/self/exe", pointers.data());
    ::_exit(127);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(fresh)) {
    const std::string name = entry.path().stem().string();
    for (const gemm::Rung* rung : rungs) {
      const std::string ending = "_kernel_" + std::string(rung->kernel);
      if (name.ends_with(ending)) fs::rename(entry.path(), folder / (std::string(rung->id) + ".xfr"));
    }
  }
  fs::remove_all(fresh);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw UserError("the rungs could not be recorded: see above", Status::Failed);
}

std::vector<ModelRow> load_rows(const LadderValidation& options, Progress& progress) {
  const fs::path folder = options.recordings.empty() ? cache_folder() : fs::path(options.recordings);
  std::vector<const gemm::Rung*> rungs, missing;
  for (const gemm::Rung* rung : gemm::select_rungs(options.only.empty() ? "*" : options.only)) {
    const auto published = find_published(rung->id);
    if (!published || published->half.empty()) continue;
    rungs.push_back(rung);
    if (!fs::exists(folder / (std::string(rung->id) + ".xfr"))) missing.push_back(rung);
  }
  if (!missing.empty()) {
    if (!options.recordings.empty())
      throw UserError(fmt::format("{} has no recording of {}", folder.string(), missing[0]->id));
    fs::create_directories(folder);
    record(missing, folder, options.host_threads);
  }
  std::vector<ModelRow> rows;
  for (const std::string& id : published_ids()) {
    const auto rung = std::find_if(rungs.begin(), rungs.end(), [&](const gemm::Rung* r) { return r->id == id; });
    if (rung == rungs.end()) continue;
    const Published published = *find_published(id);
    progress.show("reading the recording of " + id);
    ModelRow row;
    row.id = id;
    row.family = published.family;
    row.half = published.half;
    row.partly = published.partly;
    row.host_us = published.ms_headline * 1000;
    row.kernel_us = published.kernel_us;
    row.recording = std::make_shared<const observe::Recording>(observe::Recording::load(folder / (id + ".xfr")));
    rows.push_back(std::move(row));
  }
  if (rows.empty()) throw UserError("no rung with a published time is named");
  return rows;
}

struct Section {
  std::string name;
  std::function<bool(const ModelRow&)> holds;
};

std::vector<Section> sections(const std::vector<ModelRow>& rows) {
  std::vector<Section> all{
      {"all rows", [](const ModelRow&) { return true; }},
      {"fit half", [](const ModelRow& r) { return r.half == "fit"; }},
      {"test half", [](const ModelRow& r) { return r.half == "test"; }},
      {"geometry published", [](const ModelRow& r) { return !r.partly; }},
      {"test half, geometry published", [](const ModelRow& r) { return r.half == "test" && !r.partly; }},
      {"geometry partly published", [](const ModelRow& r) { return r.partly; }},
  };
  std::vector<std::string> families;
  for (const ModelRow& row : rows) {
    if (std::find(families.begin(), families.end(), row.family) == families.end()) families.push_back(row.family);
  }
  for (const std::string& family : families) {
    all.push_back({"family " + family, [family](const ModelRow& r) { return r.family == family; }});
    all.push_back({"family " + family + ", test half",
                   [family](const ModelRow& r) { return r.family == family && r.half == "test"; }});
  }
  return all;
}

Score score_of(const std::vector<ModelRow>& rows, const std::vector<double>& predicted, const Section& section) {
  std::vector<double> p, m;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!section.holds(rows[i])) continue;
    p.push_back(predicted[i]);
    m.push_back(rows[i].measured());
  }
  return score(p, m);
}

ordered_json to_json(const Score& s) {
  return {{"rows", s.rows},           {"mape", s.mape},           {"weighted_mape", s.weighted_mape},
          {"pearson", s.pearson},     {"spearman", s.spearman},   {"over", s.over},
          {"under", s.rows - s.over}, {"within_10", s.within_10}, {"within_20", s.within_20}};
}

std::string text_of(const Score& s) {
  return fmt::format("{:>3}  {:6.1f} {:6.1f}  {:6.3f} {:6.3f}  {:>3}/{:<3} {:>3} {:>3}", s.rows, s.mape,
                     s.weighted_mape, s.pearson, s.spearman, s.over, s.rows - s.over, s.within_10, s.within_20);
}

/// Predicted over measured, both logarithmic, with lines at 1 and at +-20 %.
std::string correlation_svg(const std::vector<ModelRow>& rows, const std::vector<double>& predicted) {
  double low = 1e30, high = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    low = std::min({low, rows[i].measured(), predicted[i]});
    high = std::max({high, rows[i].measured(), predicted[i]});
  }
  low /= 1.2;
  high *= 1.2;
  constexpr double kSize = 640, kMargin = 60;
  const auto at = [&](double us) { return kMargin + kSize * std::log(us / low) / std::log(high / low); };
  std::string svg = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' width='{0}' height='{0}' font-family='sans-serif' font-size='12'>\n"
      "<rect width='100%' height='100%' fill='white'/>\n",
      kSize + 2 * kMargin);
  const auto y = [&](double us) { return kSize + 2 * kMargin - at(us); };
  for (const double factor : {1.0, 1.2, 1 / 1.2}) {
    svg += fmt::format("<line x1='{}' y1='{}' x2='{}' y2='{}' stroke='{}'/>\n", at(low * 1.2), y(low * 1.2 * factor),
                       at(high / 1.2), y(high / 1.2 * factor), factor == 1.0 ? "black" : "#bbb");
  }
  for (size_t i = 0; i < rows.size(); ++i) {
    const char* colour = rows[i].family == "esimd"          ? "#c0392b"
                         : rows[i].family == "joint_matrix" ? "#2471a3"
                                                            : "#27ae60";
    svg += fmt::format(
        "<circle cx='{:.1f}' cy='{:.1f}' r='4' fill='{}' stroke='{}'><title>{}: measured {:.1f}, simulated "
        "{:.1f} us</title></circle>\n",
        at(rows[i].measured()), y(predicted[i]), rows[i].half == "fit" ? colour : "white", colour, rows[i].id,
        rows[i].measured(), predicted[i]);
  }
  for (unsigned us = 50; us < high; us *= 2) {
    if (us < low) continue;
    svg += fmt::format(
        "<text x='{0:.1f}' y='{1}' text-anchor='middle'>{2}</text><text x='{3}' y='{4:.1f}' "
        "text-anchor='end'>{2}</text>\n",
        at(us), kSize + kMargin + 25, us, kMargin - 10, y(us));
  }
  svg += fmt::format(
      "<text x='{}' y='{}' text-anchor='middle'>measured us (filled: fit half; red ESIMD, blue joint_matrix, "
      "green SYCL)</text>\n<text x='15' y='{}' transform='rotate(-90 15 {})' "
      "text-anchor='middle'>simulated us</text>\n</svg>\n",
      kMargin + kSize / 2, kSize + kMargin + 50, kMargin + kSize / 2, kMargin + kSize / 2);
  return svg;
}

/// A mechanism switched off.
struct Ablation {
  const char* what;
  std::vector<std::pair<const char*, double>> changes;
};
const std::vector<Ablation>& ablations() {
  static const std::vector<Ablation> all{
      {"load/store unit free",
       {{"throughput.l1_bytes_per_clock", 1e6},
        {"throughput.slm_bytes_per_clock", 1e6},
        {"throughput.gather_clocks_per_8_channels", 0},
        {"slm.narrow_store_clocks", 0},
        {"slm.clocks_per_bank_cycle", 0},
        {"throughput.store_bytes_per_clock", 1e6},
        {"message.clocks", 0}}},
      {"L1 bytes free", {{"throughput.l1_bytes_per_clock", 1e6}}},
      {"local memory bytes free", {{"throughput.slm_bytes_per_clock", 1e6}, {"slm.clocks_per_bank_cycle", 0}}},
      {"gathers free", {{"throughput.gather_clocks_per_8_channels", 0}}},
      {"sub-dword stores to local memory as others", {{"slm.narrow_store_clocks", 0}}},
      {"messages of a pair apart", {{"message.pair_join", 0}}},
      {"what both threads of a pair want moved once", {{"message.pair_unique", 1}}},
      {"a core filled before the next gets groups", {{"dispatch.groups_in_a_row", 64}}},
      {"threads dispatched at once", {{"dispatch.clocks_per_thread", 0}}},
      {"no time before a kernel's first thread", {{"launch.front_us", 0}}},
      {"integer pipe as fast as float", {{"issue.int_clocks_per_pass", 1}}},
      {"same thread every clock", {{"issue.same_thread_clocks", 1}}},
      {"dpas free", {{"issue.dpas8x8_cycles", 0}, {"latency.dpas.rc8", 0}}},
      {"branches free", {{"latency.branch", 0}}},
      {"barriers free", {{"latency.barrier", 0}}},
      {"L1 and local memory latency 0", {{"latency.lsc_l1", 0}, {"latency.slm.simd16", 0}}},
      {"L2 latency of the compiler's table, 200", {{"latency.lsc_l3", 200}}},
      {"L2 bandwidth free", {{"throughput.l2_bytes_per_clock", 1e6}, {"l2.bank_bytes_per_clock", 1e6}}},
      {"stores free behind the L1", {{"l2.write_bytes_per_clock", 1e6}}},
      {"launch gap 0", {{"launch.gap_us", 0}}},
  };
  return all;
}

/// Percentages that a profiler gave for some rows, beside the simulated ones.
void compare_metrics(const std::vector<ModelRow>& rows, const std::vector<timing::Result>& results,
                     const timing::Parameters& parameters, ordered_json& out) {
  struct Metric {
    const char* name;
    std::optional<double> Published::*measured;
    double timing::Metrics::*simulated;
  };
  static constexpr Metric kMetrics[] = {
      {"XMX active", &Published::xmx_active_pct, &timing::Metrics::xmx_active},
      {"XVE stall", &Published::stall_pct, &timing::Metrics::xve_stall},
      {"occupancy", &Published::occupancy_pct, &timing::Metrics::occupancy},
  };
  std::cout << "\nPercentages of a profiler              measured simulated  ratio\n";
  for (size_t i = 0; i < rows.size(); ++i) {
    const timing::Metrics m = timing::metrics_of(results[i], parameters);
    for (const Metric& metric : kMetrics) {
      const auto measured = (*find_published(rows[i].id)).*metric.measured;
      if (!measured) continue;
      const double simulated = m.*metric.simulated;
      std::cout << fmt::format("{:<27} {:<11} {:7.1f} {:9.1f}  {:5.3f}\n", rows[i].id, metric.name, *measured,
                               simulated, simulated / *measured);
      out.push_back({{"id", rows[i].id}, {"metric", metric.name}, {"measured", *measured}, {"simulated", simulated}});
    }
  }
}

}  // namespace

void validate_ladder(const LadderValidation& options) {
  Progress progress;
  const device::Device& device = device::find_device(kDevice);
  timing::Parameters parameters = timing::parameters_of(device);
  for (const std::string& text : options.parameters) set_parameter(parameters, text);
  const std::vector<ModelRow> rows = load_rows(options, progress);
  timing::Options simulation;
  simulation.cores = options.cores;
  simulation.most_instructions_per_core = static_cast<uint64_t>(options.most_instructions);
  const unsigned threads =
      options.host_threads != 0 ? options.host_threads : std::max(1U, std::thread::hardware_concurrency());
  const ModelRunner runner(device, rows, simulation, threads);

  ordered_json document = {{"set", "ladder"},
                           {"device", kDevice},
                           {"simulated", true},
                           {"model", timing::kModelVersion},
                           {"cores_simulated", options.cores == 0 ? parameters.cores : options.cores}};
  const std::string half = options.swapped ? "test" : "fit";
  if (options.fit_rounds != 0) {
    const auto fitted_on = [&](const ModelRow& r) { return r.half == half && !r.partly; };
    const Fit found = fit(runner, parameters, fitted_parameters(device), fitted_on, options.fit_rounds,
                          [&](const std::string& text) { progress.show(text); });
    progress.clear();
    parameters = found.parameters;
    std::cout << fmt::format(
                     "Fitted on the {} half (geometry published): mean |log ratio| {:.4f} -> {:.4f}, {} evaluations\n",
                     half, found.start, found.objective, found.evaluations)
              << "parameter                                   value   bounds            -20 %    +25 %   rows moved\n";
    document["fit"] = {{"half", half}, {"start", found.start}, {"objective", found.objective}};
    for (const Identified& id : found.identified) {
      std::cout << fmt::format("{:<42} {:>7.4g}   {:>6.4g}..{:<7.4g}  {:8.4f} {:8.4f}   {}\n", id.name, id.value,
                               id.low, id.high, id.lower, id.higher, id.rows);
      document["fit"]["parameters"].push_back({{"name", id.name},
                                               {"value", id.value},
                                               {"low", id.low},
                                               {"high", id.high},
                                               {"objective_lower", id.lower},
                                               {"objective_higher", id.higher},
                                               {"rows", id.rows}});
    }
    std::cout << '\n';
  }

  progress.show("replaying");
  const auto everything = [](const ModelRow&) { return true; };
  std::vector<timing::Result> results;
  const std::vector<double> predicted = runner.predict(parameters, everything, &results);
  const std::vector<Baseline> simple = baselines(rows, [&](const ModelRow& r) { return r.half == half; });
  progress.clear();

  std::cout
      << fmt::format(
             "Simulated ({}, model {}, {}) against measured us; kernel time where a profiler gave it, else time "
             "per launch\n",
             kDevice, timing::kModelVersion,
             options.cores == 0 ? "all Xe-cores" : fmt::format("{} Xe-core(s)", options.cores))
      << "rung                        half  measured simulated  ratio   regression  occupancy stall  XMX  LSC  L1\n";
  for (size_t i = 0; i < rows.size(); ++i) {
    const ModelRow& row = rows[i];
    const timing::Metrics m = timing::metrics_of(results[i], parameters);
    std::cout << fmt::format(
        "{:<27} {:<4}{} {:>9.1f} {:>9.1f}  {:5.3f}   {:10.3f}  {:9.1f} {:5.1f} {:4.1f} {:4.0f} {:3.0f}\n", row.id,
        row.half, row.partly ? "*" : " ", row.measured(), predicted[i], predicted[i] / row.measured(),
        simple.back().predicted[i] / row.measured(), m.occupancy, m.xve_stall, m.xmx_active, m.lsc_active, m.l1_hit);
    ordered_json bounds = ordered_json::array();
    for (const timing::Bound& bound : timing::bounds_of(results[i], parameters))
      bounds.push_back({{"name", bound.name}, {"share", bound.share}});
    document["rows"].push_back({{"id", row.id},
                                {"family", row.family},
                                {"half", row.half},
                                {"geometry_partly_published", row.partly},
                                {"measured_us", row.measured()},
                                {"measured_is", row.kernel_us ? "kernel" : "per_launch"},
                                {"simulated_us", predicted[i]},
                                {"ratio", predicted[i] / row.measured()},
                                {"sampled", results[i].sampled},
                                {"occupancy", m.occupancy},
                                {"stall", m.xve_stall},
                                {"xmx_active", m.xmx_active},
                                {"bounds", std::move(bounds)}});
  }
  std::cout << "* sizes published in part only\n\n"
            << fmt::format("{:<36} rows   MAPE  wMAPE pearson spearm over/under <10% <20%\n", "");
  for (const Section& section : sections(rows)) {
    const Score model = score_of(rows, predicted, section);
    if (model.rows == 0) continue;
    std::cout << fmt::format("{:<36} {}\n", section.name, text_of(model));
    ordered_json entry = {{"name", section.name}, {"model", to_json(model)}};
    for (const Baseline& baseline : simple) {
      const Score other = score_of(rows, baseline.predicted, section);
      entry["baselines"].push_back({{"name", baseline.name}, {"score", to_json(other)}});
      if (&baseline == &simple.back() || section.name == "all rows" || section.name == "test half")
        std::cout << fmt::format("  {:<34} {}\n", baseline.name, text_of(other));
    }
    document["sections"].push_back(std::move(entry));
  }
  for (const Baseline& baseline : simple)
    document["baselines"].push_back({{"name", baseline.name}, {"coefficients", baseline.coefficients}});

  compare_metrics(rows, results, parameters, document["metrics"]);

  if (options.ablation) {
    std::cout << "\nWithout a mechanism, nothing fitted again                    MAPE all  test  Spearman\n";
    for (const Ablation& ablation : ablations()) {
      progress.show(ablation.what);
      timing::Parameters changed = parameters;
      for (const auto& [name, value] : ablation.changes) timing::parameter(changed, name) = value;
      const std::vector<double> without = runner.predict(changed, everything);
      const Score all = score_of(rows, without, sections(rows)[0]), test = score_of(rows, without, sections(rows)[2]);
      progress.clear();
      std::cout << fmt::format("{:<58} {:8.1f} {:6.1f} {:8.3f}\n", ablation.what, all.mape, test.mape, all.spearman);
      document["ablation"].push_back({{"what", ablation.what}, {"all", to_json(all)}, {"test", to_json(test)}});
    }
  }
  if (!options.json.empty()) write_file_atomically(options.json, json_text(document));
  if (!options.svg.empty()) write_file_atomically(options.svg, correlation_svg(rows, predicted));
}

}  // namespace xeforge::lab
