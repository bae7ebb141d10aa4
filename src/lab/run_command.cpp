// SPDX-License-Identifier: Apache-2.0
//
// `xeforge run -- PROGRAM ARGS`: any Level Zero program on the virtual device, with one report at its end.
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "lab/commands.h"
#include "lab/errors.h"
#include "lab/files.h"
#include "lab/json_text.h"
#include "lab/run_report.h"
#include "lab/virtual_device.h"
#include "observe/check/process_report.h"

namespace xeforge::lab {

namespace {

struct Options {
  std::string device = "a770", json;
  std::string mode = mode_of_environment(), trace;
  std::string checks, junit, generate;
  std::vector<std::string> suppressions;
  unsigned host_threads = 0;
  bool quiet = false;
  std::vector<std::string> program;
};

/// A file of our own that is gone at the end.
class TemporaryFile {
 public:
  TemporaryFile() {
    const char* directory = std::getenv("TMPDIR");
    path_ = std::string(directory != nullptr && *directory != '\0' ? directory : "/tmp") + "/xeforge-run-XXXXXX";
    const int descriptor = ::mkstemp(path_.data());
    if (descriptor < 0)
      throw UserError(
          "cannot make a file for the report (" + path_ + "): " + std::strerror(errno) + ". Is TMPDIR right?",
          Status::Failed);
    ::close(descriptor);
  }
  ~TemporaryFile() { ::unlink(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// In the child: becomes the program, or ends with the status that shells use.
[[noreturn]] void become(const std::vector<std::string>& program,
                         const std::vector<std::pair<std::string, std::string>>& environment) {
  for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> arguments;
  arguments.reserve(program.size() + 1);
  for (const std::string& argument : program) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  const int reason = errno;
  const std::string text = "xeforge run: cannot start " + program[0] + ": " + std::strerror(reason) + "\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
  ::_exit(reason == ENOENT ? 127 : 126);
}

/// While it lives, interrupts go to the program (they reach it through the terminal's group) and not to us, who report.
class LeaveInterruptsToProgram {
 public:
  LeaveInterruptsToProgram() {
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(SIGINT, &ignore, &interrupt_);
    ::sigaction(SIGQUIT, &ignore, &quit_);
  }
  ~LeaveInterruptsToProgram() { restore(); }
  LeaveInterruptsToProgram(const LeaveInterruptsToProgram&) = delete;
  LeaveInterruptsToProgram& operator=(const LeaveInterruptsToProgram&) = delete;
  void restore() const {
    ::sigaction(SIGINT, &interrupt_, nullptr);
    ::sigaction(SIGQUIT, &quit_, nullptr);
  }

 private:
  struct sigaction interrupt_ {
  }, quit_{};
};

/// The wait status of the program.
int run_program(const Options& options, const std::string& report_file, const std::string& check_log) {
  const char* path = std::getenv("LD_LIBRARY_PATH");
  auto environment = virtual_environment(options.device, path == nullptr ? "" : path);
  environment.emplace_back("XEFORGE_REPORT", report_file);
  if (!options.checks.empty()) {
    environment.emplace_back("XEFORGE_CHECK", options.checks);
    environment.emplace_back("XEFORGE_CHECK_LOG", check_log);
  }
  if (options.host_threads != 0) environment.emplace_back("XEFORGE_HOST_THREADS", std::to_string(options.host_threads));
  environment.emplace_back("XEFORGE_MODE", options.mode);
  if (!options.trace.empty())
    environment.emplace_back("XEFORGE_TRACE", std::filesystem::absolute(options.trace).string());
  const LeaveInterruptsToProgram leave;
  const pid_t child = ::fork();
  if (child < 0) throw UserError(std::string("cannot start a process: ") + std::strerror(errno), Status::Failed);
  if (child == 0) {
    leave.restore();
    become(options.program, environment);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR)
      throw UserError(std::string("cannot wait for the program: ") + std::strerror(errno), Status::Failed);
  }
  return status;
}

observe::check::Selection selection_of(const Options& options) {
  try {
    return observe::check::parse_selection(options.checks);
  } catch (const std::invalid_argument& error) {
    throw UserError(std::string("--check: ") + error.what());
  }
}

observe::check::Suppressions suppressions_of(const Options& options) {
  observe::check::Suppressions all;
  try {
    for (const std::string& file : options.suppressions) all.read_file(file);
  } catch (const std::runtime_error& error) {
    throw UserError(error.what());
  }
  return all;
}

/// Says what the checkers found; false if something is left.
bool report_checks(const Options& options, const observe::check::ProcessReport& report) {
  if (!options.quiet || !report.findings.empty()) std::cerr << observe::check::check_report_text(report) << std::flush;
  if (!options.junit.empty())
    write_file_atomically(options.junit, observe::check::to_junit(report.selection, report.findings, report.work,
                                                                  "xeforge." + options.device));
  if (!options.generate.empty())
    write_file_atomically(options.generate, observe::check::generated_suppressions(report));
  return report.findings.empty();
}

void run(const Options& options) {
  require_device(options.device);
  if (options.device == kRealDevice) {
    throw UserError("'xeforge run' is for the virtual devices: on the real GPU, start the program as it is");
  }
  choose_mode(options.device, options.mode);
  if (!options.trace.empty() && options.mode != "timed") throw UserError("--trace needs --mode timed");
  if (!options.checks.empty() && options.mode == "timed")
    throw UserError("--check and --mode timed exclude each other");
  if (options.program.empty()) throw UserError("no program given: xeforge run [OPTIONS] -- PROGRAM [ARGUMENTS]");
  const auto selection = selection_of(options);
  auto suppressions = suppressions_of(options);
  if (!selection.any() && (!options.junit.empty() || !options.generate.empty() || !options.suppressions.empty()))
    throw UserError("--junit, --suppressions and --gen-suppressions need --check LIST");
  const TemporaryFile file, check_log;
  const int status = run_program(options, file.path(), check_log.path());
  const bool killed = WIFSIGNALED(status);
  // As shells say it.
  const int code = killed ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  const std::string ending =
      killed ? fmt::format("the program was ended by signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)))
             : fmt::format("the program ended with {}", code);
  const auto reports = read_report_file(file.path());
  if (!options.quiet || count_faults(reports) != 0)
    std::cerr << run_report_text(options.device, reports, ending) << std::flush;
  bool clean = true;
  std::string document = run_report_json(options.device, reports, code);
  if (selection.any()) {
    const auto report = observe::check::read_check_log(check_log.path(), selection, std::move(suppressions));
    clean = report_checks(options, report);
    auto whole = nlohmann::ordered_json::parse(document);
    whole["check"] = nlohmann::ordered_json::parse(observe::check::check_report_json(report));
    document = json_text(whole);
  }
  if (!options.json.empty()) write_file_atomically(options.json, document);
  if (code != 0) throw Exit(code);
  if (!clean) throw Exit(Status::Findings);
  if (count_faults(reports) != 0) throw Exit(Status::Faults);
}

}  // namespace

void add_run_command(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("run", "Run any Level Zero program on a virtual device and report its kernels");
  command->add_option("--device", options->device, "Virtual device (a770, b580, b60, lnl)")->capture_default_str();
  command->add_option("--host-threads", options->host_threads,
                      "Threads of the host that execute the device (default: all)");
  command->add_option("--json", options->json, "Also write the report to this file");
  command->add_option("--mode", options->mode, "functional, or timed: with simulated time")->capture_default_str();
  command->add_option(
      "--trace", options->trace,
      "Write the last launch's timeline on one Xe-core to this file, for ui.perfetto.dev (with --mode timed)");
  command
      ->add_option("--check", options->checks,
                   "Check the kernels: memory,races,init,sync,hazards, separated by commas, or all")
      ->check(CLI::Validator(
          [](const std::string& list) {
            const bool names_one = list.find_first_not_of(',') != std::string::npos;
            return names_one ? "" : "names no checker: memory, races, init, sync, hazards, or all";
          },
          ""));
  command->add_option("--suppressions", options->suppressions, "File of findings that are accepted (with --check)");
  command->add_option("--gen-suppressions", options->generate,
                      "Write suppressions for what is found to this file, to be completed with reasons");
  command->add_option("--junit", options->junit, "Also write what the checkers found as JUnit XML to this file");
  command->add_flag("--quiet", options->quiet, "Report only if a kernel faulted");
  command->add_option("program", options->program, "The program and its arguments, after --")
      ->type_name("-- PROGRAM [ARGUMENTS]");
  command->positionals_at_end();
  command->footer(fmt::format(
      "Ends with the program's status; if that is 0, with {} if checkers found something, or {} if a kernel faulted.",
      static_cast<int>(Status::Findings), static_cast<int>(Status::Faults)));
  command->callback([options] { run(*options); });
}

}  // namespace xeforge::lab
