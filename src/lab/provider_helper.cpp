// SPDX-License-Identifier: Apache-2.0
#include "lab/provider_helper.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>

#include <fmt/format.h>

#include "lab/errors.h"
#include "lab/provider_operands.h"
#include "lab/provider_session.h"
#include "lab/stopwatch.h"
#include "lab/virtual_device.h"
#include "lab/workspace.h"

namespace xeforge::lab {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::string_view, 2> kHelpers{"onednn", "onemkl"};

void write(const fs::path& file, const std::vector<std::byte>& bytes) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) throw UserError("cannot write " + file.string() + ": is there room?", Status::Failed);
}

class HelperProvider final : public Provider {
 public:
  HelperProvider(std::string id, const std::string& device, unsigned host_threads)
      : id_(std::move(id)),
        program_(fs::read_symlink("/proc/self/exe").parent_path() / ("xeforge-provider-" + id_)),
        session_(program_, environment(device, host_threads), workspace_.file("log")) {}

  std::string id() const override { return id_; }

  BenchCase run(const BenchShape& shape, const TestData& data) override {
    BenchCase result{id_, shape, {}, {}, {}, {}};
    if (!fs::exists(program_)) {
      result.not_run = id_ + " is not installed: 'make providers' installs it";
      return result;
    }
    write(workspace_.file("a"), stored_a(shape, data));
    write(workspace_.file("b"), stored_b(shape, data));
    write(workspace_.file("c"), stored_c(shape, data));
    const Stopwatch watch;
    const HelperSession::Answer answer = session_.ask(job(shape));
    result.host_wall_us = watch.wall_us();
    take_new_reports(result);
    judge(result, answer, data);
    // A library that met an error does not serve as it did before.
    if (!result.ok() || !result.not_run.empty()) session_.stop();
    return result;
  }

 private:
  HelperSession::Environment environment(const std::string& device, unsigned host_threads) const {
    if (device == kRealDevice) return {};
    const char* path = std::getenv("LD_LIBRARY_PATH");
    auto variables = virtual_environment(device, path == nullptr ? "" : path);
    variables.emplace_back("ONEAPI_DEVICE_SELECTOR", "level_zero:gpu");
    variables.emplace_back("XEFORGE_REPORT", workspace_.file("reports").string());
    if (host_threads != 0) variables.emplace_back("XEFORGE_HOST_THREADS", std::to_string(host_threads));
    return variables;
  }

  std::string job(const BenchShape& shape) const {
    std::string line = fmt::format("-m {} -n {} -k {} --batch {} --element-a {} --element-b {} --alpha {} --beta {}",
                                   shape.shape.m, shape.shape.n, shape.shape.k, shape.batch, row_of(shape.a).name,
                                   row_of(shape.b).name, shape.alpha, shape.beta);
    if (shape.transpose_a) line += " --transpose-a";
    if (shape.transpose_b) line += " --transpose-b";
    if (shape.column_major) line += " --column-major";
    for (const char* file : {"a", "b", "c"}) line += fmt::format(" \"{}\"", workspace_.file(file).string());
    return line;
  }

  void take_new_reports(BenchCase& result) {
    std::vector<KernelReport> reports = read_report_file(workspace_.file("reports"));
    result.kernels.assign(std::make_move_iterator(reports.begin() + static_cast<std::ptrdiff_t>(reports_seen_)),
                          std::make_move_iterator(reports.end()));
    reports_seen_ = reports.size();
    // oneMKL's test of the driver is no part of the product.
    std::erase_if(result.kernels, [](const KernelReport& kernel) { return kernel.kernel == "binary_test"; });
  }

  void judge(BenchCase& result, const HelperSession::Answer& answer, const TestData& data) const {
    for (const KernelReport& kernel : result.kernels) {
      if (kernel.fault)
        result.problem = fmt::format("{} in {} at pc 0x{:x}: {}: {}", kernel.fault->kind, kernel.kernel,
                                     kernel.fault->pc, kernel.fault->text, kernel.fault->message);
    }
    constexpr std::string_view kOk = "ok ", kCannot = "cannot ";
    if (answer.text.starts_with(kCannot) && !answer.ended && result.ok()) {
      result.not_run = answer.text.substr(kCannot.size());
      return;
    }
    if (answer.ended || !answer.text.starts_with(kOk)) {
      if (result.problem.empty()) result.problem = answer.text;
      return;
    }
    result.host_user_us = std::strtod(answer.text.c_str() + kOk.size(), nullptr) * 1e6;
    std::ifstream in(workspace_.file("c"), std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    const std::vector<float> expected = result.shape.expected(data);
    if (bytes.size() != expected.size() * sizeof(float)) {
      result.problem = "the helper left no result";
      return;
    }
    result.verified =
        compare(result_by_rows(result.shape, std::as_bytes(std::span(bytes))), expected, result.shape.shape.n);
    if (result.verified.errors != 0 && result.problem.empty()) {
      result.problem = fmt::format("{} of {} elements are wrong; the first: {}", result.verified.errors,
                                   result.verified.total, result.verified.first);
    }
  }

  std::string id_;
  Workspace workspace_;
  fs::path program_;
  HelperSession session_;
  std::size_t reports_seen_ = 0;
};

}  // namespace

bool is_helper_provider(const std::string& id) {
  return std::find(kHelpers.begin(), kHelpers.end(), id) != kHelpers.end();
}

std::unique_ptr<Provider> make_helper_provider(const std::string& id, const std::string& device,
                                               unsigned host_threads) {
  return std::make_unique<HelperProvider>(id, device, host_threads);
}

}  // namespace xeforge::lab
