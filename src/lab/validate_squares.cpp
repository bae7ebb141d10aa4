// SPDX-License-Identifier: Apache-2.0
#include "lab/validate_squares.h"

#include <algorithm>
#include <iostream>
#include <sstream>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "lab/errors.h"
#include "lab/files.h"
#include "lab/json_text.h"
#include "lab/progress.h"
#include "lab/provider_capture.h"
#include "lab/published.h"
#include "lab/stopwatch.h"
#include "lab/validate_model.h"
#include "timing/simulate.h"
#include "timing/summary.h"

namespace xeforge::lab {
namespace {

constexpr const char* kDevice = "a770";
constexpr const char* kReference = "a770_squares.csv";

struct Square {
  uint32_t n = 0;
  Element type = Element::F16;
  double tflops = 0;
  double macs() const { return double(n) * n * n; }
  double measured_us() const { return 2 * macs() / tflops / 1e6; }
};

std::vector<Square> read_squares() {
  for (const EmbeddedFile& file : reference_files()) {
    if (file.name != kReference) continue;
    std::vector<Square> squares;
    std::istringstream in{std::string(file.text)};
    for (std::string line; std::getline(in, line);) {
      if (line.empty() || line[0] == '#') continue;
      std::istringstream fields(line);
      std::string n, type, tflops;
      std::getline(fields, n, ',');
      std::getline(fields, type, ',');
      std::getline(fields, tflops, ',');
      squares.push_back(
          {static_cast<uint32_t>(std::stoul(n)), type == "fp32" ? Element::F32 : Element::F16, std::stod(tflops)});
    }
    return squares;
  }
  throw std::logic_error(std::string("no reference file ") + kReference);
}

}  // namespace

void validate_squares(const SquaresValidation& options) {
  const device::Device& device = device::find_device(kDevice);
  timing::Parameters parameters = timing::parameters_of(device);
  for (const std::string& text : options.parameters) set_parameter(parameters, text);
  std::vector<Square> squares = read_squares();
  const size_t all = squares.size();
  std::erase_if(squares,
                [&](const Square& s) { return s.macs() > options.most_macs / (s.type == Element::F32 ? 8 : 1); });
  if (squares.empty()) throw UserError(fmt::format("--most-macs {}: no row is that small", options.most_macs));
  timing::Options simulation;
  simulation.most_instructions_per_core = static_cast<uint64_t>(options.most_instructions);
  simulation.host_threads =
      options.host_threads != 0 ? options.host_threads : std::max(1U, std::thread::hardware_concurrency());
  Capture capture(kDevice, options.host_threads);
  Progress progress;
  const Stopwatch watch;
  nlohmann::ordered_json document = {{"set", "squares"},
                                     {"device", kDevice},
                                     {"simulated", true},
                                     {"model", timing::kModelVersion},
                                     {"onednn", capture.library_version()}};
  std::cout << fmt::format("oneDNN {}'s kernels on a virtual A770, all Xe-cores\n", capture.library_version())
            << fmt::format("{:>6} {:<5} {:>10} {:>10} {:>6}  {:>10} {:>10}  {:>5} {:>5}  {:>7}  kernel\n", "m=n=k",
                           "type", "measured", "simulated", "ratio", "us", "us", "XMX%", "LSC%", "sampled");
  std::vector<double> measured, simulated;
  for (const Square& s : squares) {
    progress.show(fmt::format("{} {}", s.n, row_of(s.type).name));
    const auto recording = capture.record({s.n, s.n, s.n, s.type, s.type, false});
    const timing::Result result = timing::simulate(*recording, device, parameters, simulation);
    progress.clear();
    const double us = timing::launch_us(result, parameters);
    const timing::Metrics metrics = timing::metrics_of(result, parameters);
    measured.push_back(s.measured_us());
    simulated.push_back(us);
    std::cout << fmt::format(
        "{:>6} {:<5} {:>7.2f} TF {:>7.2f} TF {:>6.3f}  {:>10.1f} {:>10.1f}  {:>5.1f} {:>5.1f}  {:>7.3f}  {}\n", s.n,
        row_of(s.type).name, s.tflops, 2 * s.macs() / us / 1e6, us / s.measured_us(), s.measured_us(), us,
        metrics.xmx_active, metrics.lsc_active, result.sampled, recording->kernel);
    document["rows"].push_back({{"n", s.n},
                                {"type", row_of(s.type).name},
                                {"measured_tflops", s.tflops},
                                {"measured_us", s.measured_us()},
                                {"simulated_us", us},
                                {"sampled", result.sampled},
                                {"instructions", recording->instructions},
                                {"kernel", recording->kernel}});
  }
  const Score score_of_all = score(simulated, measured);
  std::cout << fmt::format("MAPE {:.1f} % over {} of {} rows (--most-macs), Spearman {:.3f}; processor time {:.0f} s\n",
                           score_of_all.mape, squares.size(), all, score_of_all.spearman, watch.user_us() / 1e6);
  document["mape"] = score_of_all.mape;
  if (!options.json.empty()) write_file_atomically(options.json, json_text(document));
}

}  // namespace xeforge::lab
