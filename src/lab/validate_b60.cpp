// SPDX-License-Identifier: Apache-2.0
#include "lab/validate_b60.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <iostream>
#include <map>
#include <mutex>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "lab/errors.h"
#include "lab/files.h"
#include "lab/json_text.h"
#include "lab/progress.h"
#include "lab/provider_capture.h"
#include "lab/stopwatch.h"
#include "lab/validate_b60_sample.h"
#include "lab/validate_model.h"
#include "observe/recorder.h"
#include "timing/simulate.h"
#include "timing/summary.h"

namespace xeforge::lab {
namespace {

using nlohmann::ordered_json;

constexpr const char* kDevice = "b60";
/// The program that measured calls six layers one after the other, each with weights of its own, so that caches do not
/// help (aiconfigurator, collect_gemm_xpu.py: outside_loop_count). All share x, and the result's memory is reused.
constexpr unsigned kWeights = 6;

struct Predicted {
  B60Row row;
  LaunchKind kind;
  double model_us = 0;
  timing::Metrics metrics;
  double instructions = 0;
};

/// The schedule model of the study that found these data useful: a launch constant, a factor on the matrix work of the
/// fullest core, a share of the memory's bandwidth, by the size of m; fitted there on other rows of the same data.
double schedule_us(const Predicted& p) {
  struct Constants {
    double launch_us, matrix, memory;
  };
  const Constants c = p.row.m >= 512   ? Constants{5, 1.02, 1.0}
                      : p.row.m >= 128 ? Constants{15, 1.02, 0.8}
                                       : Constants{15, 1.0, 0.95};
  // 8 engines of a core, 16 clocks a dpas, 2400 MHz.
  const double matrix_us = p.kind.slowest_core_dpas / 8 * 16 / 2400;
  return c.launch_us + std::max(c.matrix * matrix_us, (p.row.bytes_in() + p.row.bytes_out()) / (456e3 * c.memory));
}

timing::Parameters parameters_for(const B60Validation& options) {
  timing::Parameters p = timing::parameters_of(device::find_device(kDevice));
  for (const std::string& text : options.parameters) set_parameter(p, text);
  return p;
}

/// Calls `work` for 0 .. n-1 on `threads` threads; the first exception is thrown again.
void for_each_index(size_t n, unsigned threads, const std::function<void(size_t)>& work) {
  std::atomic<size_t> next{0};
  std::mutex mutex;
  std::exception_ptr error;
  const auto loop = [&] {
    for (size_t i = next++; i < n; i = next++) {
      try {
        work(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (error == nullptr) error = std::current_exception();
        next = n;
      }
    }
  };
  std::vector<std::thread> others;
  for (unsigned t = 1; t < threads; ++t) others.emplace_back(loop);
  loop();
  for (std::thread& thread : others) thread.join();
  if (error != nullptr) std::rethrow_exception(error);
}

CapturedShape captured(const B60Row& row) {
  CapturedShape shape;
  shape.m = row.m;
  shape.n = row.n;
  shape.k = row.k;
  shape.transpose_b = true;  // W[n,k]
  return shape;
}

/// Simulates every row under these parameters.
void predict(Capture& capture, std::vector<Predicted>& rows, const timing::Parameters& parameters, unsigned threads,
             bool warm, Progress& progress) {
  const device::Device& device = device::find_device(kDevice);
  std::mutex mutex;
  timing::Options simulation;
  simulation.warm = warm;
  for_each_index(rows.size(), threads, [&](size_t i) {
    Predicted& p = rows[i];
    std::shared_ptr<const observe::Recording> recording;
    {
      const std::lock_guard lock(mutex);
      progress.show(fmt::format("{}x{}x{}", p.row.m, p.row.n, p.row.k));
      recording = capture.record(captured(p.row));
    }
    timing::Parameters own = parameters;
    own.clock_mhz *= kB60Columns[p.row.column].clock_mhz / 2400;
    // The weights are the kernels' first argument.
    timing::Options turns = simulation;
    turns.turns = kWeights;
    turns.turn_first_line = observe::kFirstArgumentAddress >> observe::kLineShift;
    turns.turn_lines = (2 * uint64_t{p.row.n} * p.row.k) >> observe::kLineShift;
    const timing::Result result = timing::simulate(*recording, device, own, turns);
    p.model_us = timing::launch_us(result, own);
    p.metrics = timing::metrics_of(result, own);
    p.instructions = static_cast<double>(recording->instructions);
    p.kind = kind_of(*recording, p.row, own.cores);
  });
  progress.clear();
}

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v.empty() ? 1 : v[v.size() / 2];
}

struct Section {
  std::string name;
  std::function<bool(const Predicted&)> holds;
};

std::vector<Section> sections() {
  const auto of = [](unsigned stratum) {
    return [stratum](const Predicted& p) { return stratum_of(p.row) == stratum; };
  };
  std::vector<Section> all;
  all.push_back({"m >= 512, n and k >= 1024", of(4)});
  for (const char* kind : {"exact tiles", "edges", "stream-K"}) {
    all.push_back({std::string("  ") + kind,
                   [kind](const Predicted& p) { return stratum_of(p.row) == 4 && p.kind.name == kind; }});
  }
  all.push_back({"m < 512", [](const Predicted& p) { return stratum_of(p.row) == 2 || stratum_of(p.row) == 3; }});
  all.push_back({"  m 128..511", of(3)});
  all.push_back({"  m < 128", of(2)});
  all.push_back({"m >= 512, n or k smaller", of(5)});
  all.push_back({"store-bound", of(1)});
  all.push_back({"k = 3*2^n", of(0)});
  all.push_back({"  m >= 512", [](const Predicted& p) { return stratum_of(p.row) == 0 && p.row.m >= 512; }});
  all.push_back({"  m < 512", [](const Predicted& p) { return stratum_of(p.row) == 0 && p.row.m < 512; }});
  return all;
}

void print_strata(const std::vector<Predicted>& rows, ordered_json& out) {
  std::cout
      << "\nMAPE %                       rows   model  over  within 10%   const peak  const roof  schedule model\n";
  for (const Section& section : sections()) {
    std::vector<const Predicted*> of;
    for (const Predicted& p : rows) {
      if (section.holds(p)) of.push_back(&p);
    }
    if (of.empty()) continue;
    // The constants come from the rows of the section themselves: in the baselines' favour.
    std::vector<double> to_peak, to_roof, measured, model, peak, roof, schedule;
    for (const Predicted* p : of) {
      to_peak.push_back(p->row.measured_us() / p->row.peak_us());
      to_roof.push_back(p->row.measured_us() / p->row.roofline_us());
    }
    for (const Predicted* p : of) {
      measured.push_back(p->row.measured_us());
      model.push_back(p->model_us);
      peak.push_back(median(to_peak) * p->row.peak_us());
      roof.push_back(median(to_roof) * p->row.roofline_us());
      schedule.push_back(schedule_us(*p));
    }
    const Score m = score(model, measured);
    const double constant_peak = score(peak, measured).mape, constant_roof = score(roof, measured).mape,
                 scheduled = score(schedule, measured).mape;
    std::cout << fmt::format("{:<27} {:>5}  {:>6.1f}  {:>4}  {:>10}  {:>11.1f}  {:>10.1f}  {:>14.1f}\n", section.name,
                             m.rows, m.mape, m.over, m.within_10, constant_peak, constant_roof, scheduled);
    out.push_back({{"name", section.name},
                   {"rows", m.rows},
                   {"mape", m.mape},
                   {"over", m.over},
                   {"within_10", m.within_10},
                   {"constant_of_peak", constant_peak},
                   {"constant_of_roofline", constant_roof},
                   {"schedule_model", scheduled}});
  }
}

void print_rows(const std::vector<Predicted>& rows, ordered_json& out) {
  std::cout << fmt::format("{:>6} {:>6} {:>6}  {:<26} {:<12} {:>9} {:>9} {:>6}  {:>8}  {:>5} {:>5} {:>5}\n", "m", "n",
                           "k", "stratum", "launch", "measured", "simulated", "ratio", "schedule", "XMX%", "DRAM%",
                           "LSC%");
  for (const Predicted& p : rows) {
    const B60Row& r = p.row;
    std::cout << fmt::format(
        "{:>6} {:>6} {:>6}  {:<26} {:<12} {:>9.1f} {:>9.1f} {:>6.3f}  {:>8.1f}  {:>5.1f} {:>5.1f} {:>5.1f}\n", r.m, r.n,
        r.k, kStrata[stratum_of(r)], p.kind.name, r.measured_us(), p.model_us, p.model_us / r.measured_us(),
        schedule_us(p), p.metrics.xmx_active, p.metrics.dram_active, p.metrics.lsc_active);
    out.push_back({{"m", r.m},
                   {"n", r.n},
                   {"k", r.k},
                   {"stratum", kStrata[stratum_of(r)]},
                   {"launch", p.kind.name},
                   {"column", kB60Columns[r.column].name},
                   {"measured_us", r.measured_us()},
                   {"simulated_us", p.model_us},
                   {"schedule_model_us", schedule_us(p)},
                   {"constant_peak_us", r.peak_us()},
                   {"roofline_us", r.roofline_us()},
                   {"instructions", p.instructions},
                   {"dpas", p.kind.dpas},
                   {"xmx_active", p.metrics.xmx_active},
                   {"dram_active", p.metrics.dram_active}});
  }
}

/// Whether leaving out the arithmetic leaves the course of every thread as it was.
void check_recordings(Capture& capture, const std::vector<B60Row>& rows, Progress& progress) {
  unsigned different = 0;
  for (const B60Row& row : rows) {
    progress.show(fmt::format("{}x{}x{} with and without arithmetic", row.m, row.n, row.k));
    if (same_course(*capture.record(captured(row)), *capture.record(captured(row), true))) continue;
    ++different;
    progress.clear();
    std::cerr << fmt::format("FAILED: {}x{}x{} goes another way without arithmetic\n", row.m, row.n, row.k);
  }
  progress.clear();
  std::cout << fmt::format("{} of {} recordings are the same with and without arithmetic\n", rows.size() - different,
                           rows.size());
  if (different != 0) throw Exit(Status::Failed);
}

}  // namespace

void validate_b60(const B60Validation& options) {
  const timing::Parameters parameters = parameters_for(options);
  std::vector<B60Row> chosen = choose_b60_rows(read_b60_sample(), options.rows, options.most_macs);
  if (chosen.empty()) throw UserError(fmt::format("--most-macs {}: no row is that small", options.most_macs));
  std::erase_if(chosen, [&](const B60Row& row) {
    return kStrata[stratum_of(row)].find(options.stratum) == std::string_view::npos;
  });
  if (chosen.empty()) {
    std::string names;
    for (const std::string_view name : kStrata) names += (names.empty() ? "'" : ", '") + std::string(name) + "'";
    throw UserError("--stratum: none is called '" + options.stratum + "'. Strata: " + names);
  }
  const unsigned threads =
      options.host_threads != 0 ? options.host_threads : std::max(1U, std::thread::hardware_concurrency());
  Progress progress;
  Capture capture(kDevice, options.host_threads);
  if (options.check) return check_recordings(capture, chosen, progress);
  const auto missing =
      std::count_if(chosen.begin(), chosen.end(), [&](const B60Row& row) { return !capture.has(captured(row)); });
  if (missing != 0) {
    std::cerr << fmt::format("executing oneDNN's kernels for {} shapes, once; recordings are kept in {}\n", missing,
                             capture.folder().string());
  }
  const Stopwatch watch;
  std::vector<Predicted> rows;
  rows.reserve(chosen.size());
  for (const B60Row& row : chosen) rows.push_back({row, {}, 0, {}, 0});
  predict(capture, rows, parameters, threads, options.warm, progress);

  ordered_json document = {{"set", "b60"},
                           {"device", kDevice},
                           {"simulated", true},
                           {"model", timing::kModelVersion},
                           {"onednn", capture.library_version()}};
  std::cout << fmt::format("oneDNN {}'s kernels on a virtual B60, all Xe-cores; times in us\n",
                           capture.library_version());
  print_rows(rows, document["rows"]);
  print_strata(rows, document["strata"]);
  std::cout << fmt::format("\nprocessor time: {:.0f} s\n", watch.user_us() / 1e6);
  if (options.ablation) {
    struct Ablation {
      const char* what;
      std::vector<std::pair<const char*, double>> changes;
    };
    static const std::vector<Ablation> all{
        {"channels: all lines spread evenly", {{"memory.channel_map", 0}}},
        {"dpas runs of {Atomic} do not hold the matrix engine", {{"issue.atomic_dpas_locks_engine", 0}}},
        {"writes to memory free", {{"memory.write_factor", 0}}},
    };
    for (const Ablation& ablation : all) {
      timing::Parameters changed = parameters;
      for (const auto& [name, value] : ablation.changes) timing::parameter(changed, name) = value;
      predict(capture, rows, changed, threads, options.warm, progress);
      std::cout << "\nWithout: " << ablation.what << '\n';
      ordered_json strata;
      print_strata(rows, strata);
      document["ablation"].push_back({{"what", ablation.what}, {"strata", strata}});
    }
  }
  if (!options.json.empty()) write_file_atomically(options.json, json_text(document));
}

}  // namespace xeforge::lab
