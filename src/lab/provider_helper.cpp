// SPDX-License-Identifier: Apache-2.0
#include "lab/provider_helper.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lab/commands.h"
#include "lab/virtual_device.h"

namespace xeforge::lab {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::string_view, 2> kHelpers{"onednn", "onemkl"};

/// A directory that is gone at the end.
class Workspace {
 public:
  Workspace() {
    std::string name = (fs::temp_directory_path() / "xeforge-bench-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw UserError("cannot make the directory " + name + ". Is TMPDIR right?", Status::Failed);
    path_ = name;
  }
  ~Workspace() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  fs::path file(const char* name) const { return path_ / name; }

 private:
  fs::path path_;
};

template <class T>
void write(const fs::path& file, const std::vector<T>& values) {
  std::ofstream out(file, std::ios::binary);
  out.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(T)));
  out.close();
  if (!out) throw UserError("cannot write " + file.string() + ": is there room?", Status::Failed);
}

std::string last_lines(const fs::path& file) {
  std::ifstream in(file);
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  constexpr std::size_t kEnough = 600;
  if (text.size() > kEnough) text = "..." + text.substr(text.size() - kEnough);
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

/// The wait status.
int run_program(const std::vector<std::string>& program,
                const std::vector<std::pair<std::string, std::string>>& environment, const fs::path& errors) {
  const pid_t child = ::fork();
  if (child < 0) throw UserError("cannot start a process", Status::Failed);
  if (child == 0) {
    for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
    const int log = ::open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (log >= 0) {
      ::dup2(log, STDERR_FILENO);
      ::dup2(log, STDOUT_FILENO);
    }
    std::vector<char*> arguments;
    for (const std::string& argument : program) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw UserError("cannot wait for the helper", Status::Failed);
  }
  return status;
}

class HelperProvider final : public Provider {
 public:
  HelperProvider(std::string id, std::string device, unsigned host_threads)
      : id_(std::move(id)), device_(std::move(device)), host_threads_(host_threads) {}

  std::string id() const override { return id_; }

  BenchCase run(const BenchShape& shape, const TestData& data) override {
    BenchCase result{id_, shape, {}, {}, {}, {}};
    const fs::path helper = fs::read_symlink("/proc/self/exe").parent_path() / ("xeforge-provider-" + id_);
    if (!fs::exists(helper)) {
      result.not_run = id_ + " is not installed: 'make providers' installs it";
      return result;
    }
    const Workspace workspace;
    write(workspace.file("a"), data.a);
    write(workspace.file("b"), data.b);
    write(workspace.file("c"), data.old_c);
    const auto start = std::chrono::steady_clock::now();
    const int status =
        run_program(command(helper.string(), shape, workspace), environment(workspace), workspace.file("log"));
    result.host_wall_us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
    result.kernels = read_report_file(workspace.file("reports"));
    // oneMKL's test of the driver is no part of the product.
    std::erase_if(result.kernels, [](const KernelReport& kernel) { return kernel.kernel == "binary_test"; });
    judge(result, status, workspace, data);
    return result;
  }

 private:
  static std::vector<std::string> command(const std::string& helper, const BenchShape& shape,
                                          const Workspace& workspace) {
    return {helper,
            "-m",
            std::to_string(shape.shape.m),
            "-n",
            std::to_string(shape.shape.n),
            "-k",
            std::to_string(shape.shape.k),
            "--alpha",
            fmt::format("{}", shape.alpha),
            "--beta",
            fmt::format("{}", shape.beta),
            workspace.file("a").string(),
            workspace.file("b").string(),
            workspace.file("c").string()};
  }

  std::vector<std::pair<std::string, std::string>> environment(const Workspace& workspace) const {
    if (device_ == kRealDevice) return {};
    const char* path = std::getenv("LD_LIBRARY_PATH");
    auto variables = virtual_environment(device_, path == nullptr ? "" : path);
    variables.emplace_back("ONEAPI_DEVICE_SELECTOR", "level_zero:gpu");
    variables.emplace_back("XEFORGE_REPORT", workspace.file("reports").string());
    if (host_threads_ != 0) variables.emplace_back("XEFORGE_HOST_THREADS", std::to_string(host_threads_));
    return variables;
  }

  static void judge(BenchCase& result, int status, const Workspace& workspace, const TestData& data) {
    for (const KernelReport& kernel : result.kernels) {
      if (kernel.fault)
        result.problem = fmt::format("{} in {} at pc 0x{:x}: {}: {}", kernel.fault->kind, kernel.kernel,
                                     kernel.fault->pc, kernel.fault->text, kernel.fault->message);
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
      if (result.problem.empty())
        result.problem = "the helper ended with an error: " + last_lines(workspace.file("log"));
      return;
    }
    const std::vector<float> expected = result.shape.expected(data);
    std::vector<float> c(expected.size());
    std::ifstream in(workspace.file("c"), std::ios::binary);
    in.read(reinterpret_cast<char*>(c.data()), static_cast<std::streamsize>(c.size() * sizeof(float)));
    if (!in) {
      result.problem = "the helper left no result";
      return;
    }
    result.verified = compare(c, expected, result.shape.shape.n);
    if (result.verified.errors != 0 && result.problem.empty()) {
      result.problem = fmt::format("{} of {} elements are wrong; the first: {}", result.verified.errors,
                                   result.verified.total, result.verified.first);
    }
  }

  std::string id_, device_;
  unsigned host_threads_;
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
