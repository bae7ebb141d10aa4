// SPDX-License-Identifier: Apache-2.0
//
// `xeforge micro`: what single units of a device do in a second, simulated or on a real Arc, beside public figures.
#include <algorithm>
#include <functional>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "device/device.h"
#include "gemm/kernel_library.h"
#include "lab/commands.h"
#include "lab/driver_reports.h"
#include "lab/errors.h"
#include "lab/files.h"
#include "lab/guarded_buffer.h"
#include "lab/json_text.h"
#include "lab/micro_table.h"
#include "lab/progress.h"
#include "lab/sycl_device.h"
#include "lab/virtual_device.h"

namespace xeforge::lab {

namespace {

using nlohmann::ordered_json;

struct Options {
  std::string device = "a770", mode = "timed", only, json;
  unsigned host_threads = 0;
  bool list = false;
};

/// A real device repeats more, and each launch a few times.
constexpr uint32_t kLongerOnRealDevice = 32;
constexpr int kRepeatsOnRealDevice = 5;

std::vector<const MicroKernel*> select(const std::string& list) {
  std::vector<const MicroKernel*> chosen;
  std::string names;
  for (const MicroKernel& kernel : micro_kernels()) {
    if (names.find(std::string(kernel.id)) == std::string::npos)
      names += (names.empty() ? "" : ", ") + std::string(kernel.id);
    if (list.empty()) chosen.push_back(&kernel);
  }
  for (size_t at = 0; !list.empty() && at <= list.size();) {
    const size_t end = std::min(list.find(',', at), list.size());
    const std::string id = list.substr(at, end - at);
    const size_t before = chosen.size();
    for (const MicroKernel& kernel : micro_kernels()) {
      if (kernel.id == id) chosen.push_back(&kernel);
    }
    if (chosen.size() == before)
      throw UserError(fmt::format("--only: there is no micro-benchmark '{}'. There are: {}", id, names));
    at = end + 1;
  }
  return chosen;
}

/// The data file of the GPU: by its number on the bus.
const device::Device& data_of(const std::string& id, const sycl::device& gpu) {
  if (id != kRealDevice) return device::find_device(id);
  const auto number = gpu.get_info<sycl::ext::intel::info::device::device_id>();
  for (const std::string& known : device::device_ids()) {
    if (device::find_device(known).pci_device_id == number) return device::find_device(known);
  }
  throw UserError(fmt::format("there is no data file for this GPU ({}, 0x{:04x}): its number of cores and threads is "
                              "not known. docs/add-a-device.md says how to write one",
                              gpu.get_info<sycl::info::device::name>(), number),
                  Status::NoDevice);
}

class MicroRunner {
 public:
  MicroRunner(const std::string& id, std::function<void(const std::string&)> progress)
      : real_(id == kRealDevice),
        queue_(find_sycl_device(id),
               sycl::property_list{sycl::property::queue::in_order(), sycl::property::queue::enable_profiling()}),
        device_(data_of(id, queue_.get_device())),
        library_(queue_.get_context(), queue_.get_device(), std::move(progress)) {}

  const device::Device& device() const { return device_; }
  bool real() const { return real_; }
  double clock_mhz() const {
    return real_ ? queue_.get_device().get_info<sycl::info::device::max_clock_frequency>() : device_.clock_mhz;
  }
  std::string name() const { return queue_.get_device().get_info<sycl::info::device::name>(); }
  std::string driver() const { return queue_.get_device().get_info<sycl::info::device::driver_version>(); }

  /// Microseconds of one launch, the shortest of some; nullopt where nothing says it. Throws for a wrong result.
  std::optional<double> time(const MicroKernel& kernel, std::string_view function, MicroKernel::Expected expected,
                             const MicroLaunch& launch) {
    const gemm::Module module{"micro " + std::string(kernel.header),
                              "#include \"" + std::string(kernel.header) + "\"\n"};
    const sycl::kernel compiled = library_.kernel(module, function);
    const std::vector<uint32_t> input = kernel.input(launch);
    std::vector<uint32_t> output(size_t{launch.threads()} * 16);
    GuardedBuffer in(queue_, "input", input.size() * 4), out(queue_, "output", output.size() * 4);
    in.write(input.data());
    out.poison();
    std::optional<double> best;
    for (int n = 0; n < (real_ ? kRepeatsOnRealDevice : 1); ++n) {
      if (const auto us =
              once(compiled, launch, static_cast<const uint32_t*>(in.data()), static_cast<uint32_t*>(out.data())))
        best = std::min(*us, best.value_or(std::numeric_limits<double>::max()));
    }
    out.read(output.data());
    const std::vector<uint32_t> right = expected(input, launch);
    for (size_t i = 0; i < right.size(); ++i) {
      if (output[i] != right[i])
        throw std::runtime_error(
            fmt::format("{}: word {} is 0x{:08x}, expected 0x{:08x}", function, i, output[i], right[i]));
    }
    for (const GuardedBuffer* buffer : {&in, &out}) {
      if (const std::string damage = buffer->damage(); !damage.empty())
        throw std::runtime_error(std::string(function) + ": " + damage);
    }
    return best;
  }

 private:
  std::optional<double> once(const sycl::kernel& kernel, const MicroLaunch& l, const uint32_t* in, uint32_t* out) {
    take_reports();
    sycl::event event = queue_.submit([&](sycl::handler& handler) {
      handler.set_args(in, out, l.trips);
      handler.parallel_for(sycl::nd_range<1>{l.threads(), l.local}, kernel);
    });
    queue_.wait_and_throw();
    if (real_) {
      const auto begin = event.get_profiling_info<sycl::info::event_profiling::command_start>();
      const auto end = event.get_profiling_info<sycl::info::event_profiling::command_end>();
      return static_cast<double>(end - begin) / 1000;
    }
    for (const KernelReport& report : take_reports()) {
      if (report.fault) throw std::runtime_error(to_string(*report.fault));
      if (report.simulated_us) return report.simulated_us;
    }
    return std::nullopt;
  }

  bool real_;
  sycl::queue queue_;
  const device::Device& device_;
  gemm::KernelLibrary library_;
};

/// nullopt where no time is known.
std::optional<double> measure(MicroRunner& runner, const MicroKernel& kernel, ordered_json& times) {
  MicroLaunch first, second;
  kernel.launches(runner.device(), runner.real() ? kLongerOnRealDevice : 1, first, second);
  const auto first_us = runner.time(kernel, kernel.first, kernel.expected, first);
  const auto second_us = runner.time(kernel, kernel.second, kernel.expected_second, second);
  if (!first_us || !second_us) return std::nullopt;
  times = {*first_us, *second_us};
  const double more = kernel.amount(runner.device(), second) - kernel.amount(runner.device(), first);
  const double longer_us = *second_us - *first_us;
  switch (kernel.result) {
    case MicroResult::Rate:
      return more / longer_us / 1000;
    case MicroResult::ThreadClocks:
    case MicroResult::CoreClocks:
      return longer_us * runner.clock_mhz() / more;
    case MicroResult::Ratio:
      return *second_us / *first_us;
  }
  return std::nullopt;
}

void print_list() {
  for (const MicroKernel& kernel : micro_kernels()) {
    if (kernel.platform == isa::Platform::Xe2) continue;
    std::cout << fmt::format("{:<13} {}\n", kernel.id, kernel.what);
  }
}

void run(const Options& options) {
  if (options.list) return print_list();
  require_device(options.device);
  const std::vector<const MicroKernel*> chosen = select(options.only);
  if (options.device != kRealDevice) choose_mode(options.device, options.mode);
  prepare_process(options.device, options.host_threads);
  Progress progress;
  MicroRunner runner(options.device, [&](const std::string& text) { progress.show(text); });
  const device::Device& device = runner.device();
  std::cout << fmt::format("{}, {} Xe-cores, {:.0f} MHz, {}\n", runner.name(), device.xe_cores(), runner.clock_mhz(),
                           runner.real() ? "measured with profiling events" : "simulated")
            << fmt::format("{:<13} {:>10} {:<8} {:>10} {:>6}  {:<40} {:<34}\n", "", "result", "", "public", "ratio",
                           "row of the device's file: there, from this", "what");
  ordered_json document = {{"device", device.id},
                           {"name", runner.name()},
                           {"driver", runner.driver()},
                           {"simulated", !runner.real()},
                           {"clock_mhz", runner.clock_mhz()},
                           {"xe_cores", device.xe_cores()},
                           {"results", ordered_json::array()},
                           {"device_file", ordered_json::object()}};
  bool failed = false;
  for (const MicroKernel* kernel : chosen) {
    if (kernel->platform && *kernel->platform != device.platform) continue;
    progress.show(std::string(kernel->id));
    std::optional<double> result;
    ordered_json row = {{"id", kernel->id}, {"what", kernel->what}, {"unit", kernel->unit}}, times;
    try {
      result = measure(runner, *kernel, times);
    } catch (const std::exception& error) {
      progress.clear();
      std::cerr << "FAILED: " << kernel->id << ": " << error.what() << '\n';
      row["problem"] = error.what();
      document["results"].push_back(row);
      failed = true;
      continue;
    }
    progress.clear();
    row["verified"] = true;
    if (!result) {
      std::cout << fmt::format("{:<13} verified; no time in functional mode\n", kernel->id);
      document["results"].push_back(row);
      continue;
    }
    row["result"] = *result;
    row["times_us"] = times;
    std::string published = "", ratio = "", told = "";
    if (const auto found = device.parameters.find(std::string(kernel->published)); found != device.parameters.end()) {
      const device::Sourced& figure = found->second;
      published = fmt::format("{:.5g}", figure.value);
      ratio = fmt::format("{:.3f}", *result / figure.value);
      row["public"] = {{"row", kernel->published}, {"value", figure.value},   {"low", figure.low},
                       {"high", figure.high},      {"source", figure.source}, {"ratio", *result / figure.value}};
    }
    if (!kernel->parameter.empty()) {
      const double value = kernel->value_of != nullptr ? kernel->value_of(device, *result) : *result;
      const double there = device.parameter(std::string(kernel->parameter)).value;
      told = fmt::format("{}: {:.4g}, {:.4g}", kernel->parameter, there, value);
      row["parameter"] = {{"row", kernel->parameter}, {"there", there}, {"from_this", value}};
      document["device_file"][std::string(kernel->parameter)] = value;
    }
    std::cout << fmt::format("{:<13} {:>10.5g} {:<8} {:>10} {:>6}  {:<46} {}\n", kernel->id, *result, kernel->unit,
                             published, ratio, told, kernel->what);
    document["results"].push_back(row);
  }
  if (!options.json.empty()) write_file_atomically(options.json, json_text(document));
  if (failed) throw Exit(Status::Failed);
}

}  // namespace

void add_micro_command(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("micro", "Rates and latencies of single units, each result verified, beside public figures");
  command->add_option("--device", options->device, "Virtual device (a770, b580, b60, lnl), or gpu: the real one")
      ->capture_default_str();
  command->add_option("--mode", options->mode, "timed, or functional: only whether the kernels' results are right")
      ->capture_default_str();
  command->add_option("--only", options->only, "Names, comma-separated (--list shows them)");
  command->add_flag("--list", options->list, "Show the micro-benchmarks");
  command->add_option("--host-threads", options->host_threads,
                      "Threads of the host that execute the virtual device (default: all)");
  command->add_option("--json", options->json,
                      "Also write everything to this file: from a real Arc, what the device's file needs");
  command->footer(
      "Rates and clocks come from two launches of different length, so that starting and ending cancel out.\n"
      "On a real Arc: xeforge micro --device gpu --json arc.json; please send the file in.");
  command->callback([options] { run(*options); });
}

}  // namespace xeforge::lab
