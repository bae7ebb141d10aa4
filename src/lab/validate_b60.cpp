// SPDX-License-Identifier: Apache-2.0
#include "lab/validate_b60.h"

#include <algorithm>
#include <iostream>
#include <map>
#include <sstream>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "lab/commands.h"
#include "lab/files.h"
#include "lab/progress.h"
#include "lab/provider.h"
#include "lab/published.h"
#include "lab/validate_model.h"
#include "lab/virtual_device.h"
#include "timing/summary.h"

namespace xeforge::lab {
namespace {

using nlohmann::ordered_json;

constexpr const char* kDevice = "b60";
constexpr const char* kSample = "b60_bf16_gemm_sample.csv";
/// Host time of an empty call: nothing near it is a kernel's time (the data's own remark says under 60 us).
constexpr double kFloorUs = 60;
/// 160 engines, 256 multiply-adds a clock, 2.4 GHz; 456 GB/s.
constexpr double kMacsPerUs = 160 * 128 * 2.0 * 2400 / 2, kBytesPerUs = 456e3;

struct Shape {
  double m = 0, n = 0, k = 0, us = 0;
  double macs() const { return m * n * k; }
  double bytes() const { return 2 * (m * k + k * n + m * n); }
  double roofline_us() const { return std::max(macs() / kMacsPerUs, bytes() / kBytesPerUs); }
};

/// 3 * 2^n: row pitches that fall on few of the six channels.
bool camps(double k) {
  auto v = static_cast<uint64_t>(k);
  if (v % 3 != 0) return false;
  v /= 3;
  return v >= 256 && (v & (v - 1)) == 0;
}

std::string stratum(const Shape& s) {
  if (camps(s.k)) return "k = 3*2^n";
  if (s.m < 128) return "m < 128";
  if (s.m < 512) return "m 128..511";
  return s.n >= 1024 && s.k >= 1024 ? "m >= 512, n and k >= 1024" : "m >= 512, n or k smaller";
}

std::vector<Shape> read_sample() {
  for (const EmbeddedFile& file : reference_files()) {
    if (file.name != kSample) continue;
    std::vector<Shape> shapes;
    std::istringstream in{std::string(file.text)};
    for (std::string line; std::getline(in, line);) {
      Shape s;
      double old_ms = 0, new_ms = 0;
      char comma = 0;
      std::istringstream fields(line);
      if (line.empty() || line[0] == '#' ||
          !(fields >> s.m >> comma >> s.n >> comma >> s.k >> comma >> old_ms >> comma >> new_ms))
        continue;
      // The data's own remarks: the older column is wrong for small m, the newer has throttled rows.
      s.us = 1000 * (s.m >= 512 ? std::min(old_ms, new_ms) : new_ms);
      shapes.push_back(s);
    }
    return shapes;
  }
  throw std::logic_error(std::string("no reference file ") + kSample);
}

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v.empty() ? 1 : v[v.size() / 2];
}

}  // namespace

void validate_b60(const B60Validation& options) {
  std::vector<Shape> shapes = read_sample();
  std::erase_if(shapes, [&](const Shape& s) { return s.us < kFloorUs || s.macs() > options.most_macs; });
  if (options.rows != 0 && shapes.size() > options.rows) {
    std::vector<Shape> chosen;
    for (unsigned i = 0; i < options.rows; ++i) chosen.push_back(shapes[i * shapes.size() / options.rows]);
    shapes = std::move(chosen);
  }
  choose_mode(kDevice, "timed");
  const auto none = []() -> RungRunner& { throw std::logic_error("no rung is run here"); };
  const auto providers = make_providers("onednn", kDevice, options.host_threads, none);
  Progress progress;
  std::vector<Shape> ran;
  std::vector<double> simulated;
  ordered_json document = {{"set", "b60"}, {"device", kDevice}, {"simulated", true}, {"model", timing::kModelVersion}};
  std::cout << "oneDNN's kernels on a virtual B60: C is float here, bf16 in the measurements\n"
            << fmt::format("{:>6} {:>6} {:>6}  {:<26} {:>9} {:>9}  ratio\n", "m", "n", "k", "stratum", "measured",
                           "simulated");
  bool failed = false;
  for (const Shape& s : shapes) {
    BenchShape bench;
    bench.shape = {static_cast<std::uint32_t>(s.m), static_cast<std::uint32_t>(s.n), static_cast<std::uint32_t>(s.k)};
    bench.transpose_b = true;  // W[n,k]
    progress.show(gemm::to_string(bench.shape));
    const BenchCase result = providers.front()->run(bench, bench.data());
    progress.clear();
    if (!result.not_run.empty()) throw UserError("onednn: " + result.not_run);
    if (!result.ok()) {
      failed = true;
      std::cerr << "FAILED: " << gemm::to_string(bench.shape) << ": " << result.problem << '\n';
      continue;
    }
    const auto time = result.simulated_us();
    if (!time) {
      std::cerr << "not timed: " << gemm::to_string(bench.shape) << '\n';
      continue;
    }
    ran.push_back(s);
    simulated.push_back(*time);
    std::cout << fmt::format("{:>6} {:>6} {:>6}  {:<26} {:>9.1f} {:>9.1f}  {:5.3f}\n", s.m, s.n, s.k, stratum(s), s.us,
                             *time, *time / s.us);
    document["rows"].push_back(
        {{"m", s.m}, {"n", s.n}, {"k", s.k}, {"stratum", stratum(s)}, {"measured_us", s.us}, {"simulated_us", *time}});
  }
  // Baselines get their constant from the rows themselves: in their favour.
  std::vector<double> of_peak, of_roof;
  for (const Shape& s : ran) {
    of_peak.push_back(s.us / (s.macs() / kMacsPerUs));
    of_roof.push_back(s.us / s.roofline_us());
  }
  const double peak_factor = median(of_peak), roof_factor = median(of_roof);
  std::map<std::string, std::vector<size_t>> strata;
  for (size_t i = 0; i < ran.size(); ++i) {
    strata["all"].push_back(i);
    strata[stratum(ran[i])].push_back(i);
  }
  std::cout << fmt::format("\nMAPE %                      rows   model  constant of peak  constant of roofline\n");
  for (const auto& [name, rows] : strata) {
    std::vector<double> measured, model, peak, roof;
    for (const size_t i : rows) {
      measured.push_back(ran[i].us);
      model.push_back(simulated[i]);
      peak.push_back(peak_factor * ran[i].macs() / kMacsPerUs);
      roof.push_back(roof_factor * ran[i].roofline_us());
    }
    const Score m = score(model, measured), p = score(peak, measured), r = score(roof, measured);
    std::cout << fmt::format("{:<26} {:>5}  {:>6.1f}  {:>16.1f}  {:>20.1f}\n", name, m.rows, m.mape, p.mape, r.mape);
    document["strata"].push_back({{"name", name},
                                  {"rows", m.rows},
                                  {"mape", m.mape},
                                  {"constant_of_peak", p.mape},
                                  {"constant_of_roofline", r.mape}});
  }
  if (!options.json.empty()) write_file_atomically(options.json, document.dump(2) + "\n");
  if (failed) throw Exit(Status::Failed);
}

}  // namespace xeforge::lab
