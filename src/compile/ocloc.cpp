// SPDX-License-Identifier: Apache-2.0
#include "compile/ocloc.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>

#include <sys/stat.h>

#include "compile/process.h"
#include "xeforge/compiled_paths.h"

namespace xeforge::compile {
namespace {

namespace fs = std::filesystem;

std::chrono::milliseconds time_limit() {
  // Large library kernels take seconds; minutes mean that it hangs.
  constexpr int kDefaultSeconds = 600;
  const auto text = environment("XEFORGE_COMPILE_TIMEOUT");
  if (!text) return std::chrono::seconds(kDefaultSeconds);
  char* end = nullptr;
  const double seconds = std::strtod(text->c_str(), &end);
  if (*end != '\0' || !(seconds > 0) || seconds > 1e6)
    throw std::runtime_error("XEFORGE_COMPILE_TIMEOUT is not a number of seconds: " + *text);
  return std::chrono::milliseconds(static_cast<int64_t>(seconds * 1000));
}

std::string identity_of(const fs::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return {};
  std::ostringstream text;
  text << file.string() << ' ' << status.st_size << ' ' << status.st_mtim.tv_sec << '.' << status.st_mtim.tv_nsec
       << '\n';
  return text.str();
}

/// The code generator is a library beside the program: a distribution may renew it alone. Its file name has its
/// version.
std::string identity_of_libraries(const fs::path& program) {
  std::string text;
  std::error_code error;
  const fs::path home = fs::canonical(program, error).parent_path().parent_path();
  const std::array<fs::path, 3> directories{home / "root/usr/lib/x86_64-linux-gnu", home / "lib/x86_64-linux-gnu",
                                            "/usr/lib/x86_64-linux-gnu"};
  for (const auto& directory : directories) {
    std::vector<std::string> found;
    for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error))
      if (it->path().filename().string().starts_with("libigc.so.")) found.push_back(identity_of(it->path()));
    std::sort(found.begin(), found.end());
    for (const auto& entry : found) text += entry;
  }
  return text;
}

std::string ask_version(const fs::path& program) {
  const ScratchDirectory scratch;
  ProcessRequest request;
  request.program = program;
  request.arguments = {"query", "OCL_DRIVER_VERSION"};
  request.directory = scratch.path();
  request.timeout = std::chrono::seconds(60);
  const ProcessResult result = run_process(request);
  if (!result.started)
    throw std::runtime_error("the offline compiler " + program.string() + " " + result.how_it_ended());
  // Something else that behaves like a compiler has no version: its file tells it apart.
  return result.ok() ? result.output : std::string();
}

fs::path find_program() {
  if (const auto own = environment("XEFORGE_OCLOC")) {
    if (!is_executable_file(*own))
      throw std::runtime_error("XEFORGE_OCLOC names no program: " + *own +
                               " (Intel's offline compiler is needed; 'make setup' installs it)");
    return *own;
  }
  if (fs::path built_in = paths::ocloc(); is_executable_file(built_in)) return built_in;
  if (const auto found = find_in_path("ocloc")) return *found;
  throw std::runtime_error(
      "no offline compiler: GPU code cannot be made. Run 'make setup' to install ocloc privately, or install the "
      "package "
      "intel-ocloc, or name an ocloc in XEFORGE_OCLOC");
}

// What every run says.
bool is_chatter(const std::string& line) {
  static constexpr std::array<std::string_view, 5> kStarts = {"Compilation from IR", "Build succeeded.",
                                                              "Command was: ", "Linker execution has succeeded",
                                                              "Build failed with error code"};
  return std::any_of(kStarts.begin(), kStarts.end(), [&](auto start) { return line.starts_with(start); });
}

std::string without_chatter(const std::string& output) {
  // The compiler sends NUL bytes after parts of its log, and puts its closing words on the same line.
  std::string clean;
  for (const char c : output)
    if (c != '\0' && c != '\r') clean.push_back(c);
  constexpr std::string_view kGlued = "Build succeeded.";
  for (size_t at = clean.find(kGlued); at != std::string::npos; at = clean.find(kGlued, at))
    clean.replace(at, kGlued.size(), "\n");
  std::istringstream lines(clean);
  std::string text;
  std::set<std::string> errors;  // every pass that meets an error repeats it
  for (std::string line; std::getline(lines, line);) {
    if (is_chatter(line) || line.find_first_not_of(" \t") == std::string::npos) continue;
    if (line.starts_with("error: ") && !errors.insert(line).second) continue;
    text += line + "\n";
  }
  return text;
}

std::string failure_text(const char* step, const ProcessResult& run, const std::string& log) {
  std::string text = std::string(step) + " failed: ";
  const bool said_why = log.find("error") != std::string::npos || log.find("Error") != std::string::npos;
  // "Build failed with error code: -11" alone is what it says after a crash of the code generator inside it.
  if (run.started && !run.timed_out && run.signal == 0 && said_why) return text + "\n" + log;
  text += "the offline compiler " + run.how_it_ended();
  if (run.exit_code == 245) text += ", as it does when its code generator crashes";
  if (run.timed_out) text += " (XEFORGE_COMPILE_TIMEOUT sets the limit in seconds)";
  return log.empty() ? text : text + ":\n" + log;
}

struct Work {
  ScratchDirectory scratch;
  ProcessRequest request;

  Work(const Ocloc& ocloc, std::vector<std::string> arguments) {
    request.program = ocloc.program;
    request.arguments = std::move(arguments);
    request.directory = scratch.path();
    request.timeout = time_limit();
  }
  void input(const std::string& name, std::span<const std::byte> content) const {
    write_file(scratch.path() / name, content);
  }

  OclocOutput run(const char* step, const std::string& output_name) const {
    const ProcessResult process = run_process(request);
    OclocOutput result;
    result.log = without_chatter(process.output);
    if (!process.ok()) {
      result.error = failure_text(step, process, result.log);
      return result;
    }
    auto file = read_file(scratch.path() / output_name);
    if (!file || file->empty()) {
      result.error = failure_text(step, process, result.log) + "\nIt wrote no output file.";
      return result;
    }
    result.file = std::move(*file);
    return result;
  }
};

void add_options(std::vector<std::string>& arguments, const std::string& options) {
  if (options.empty()) return;
  arguments.emplace_back("-options");
  arguments.push_back(options);
}

}  // namespace

Ocloc find_ocloc() {
  Ocloc ocloc;
  ocloc.program = find_program();
  const std::string files = identity_of(ocloc.program) + identity_of_libraries(ocloc.program);
  static std::mutex mutex;
  static std::map<std::string, std::string> versions;  // by identity: asked once per process
  const std::lock_guard lock(mutex);
  auto found = versions.find(files);
  if (found == versions.end()) found = versions.emplace(files, ask_version(ocloc.program)).first;
  ocloc.version = files + found->second;
  return ocloc;
}

OclocOutput front_end(const Ocloc& ocloc, std::span<const std::byte> source, const std::string& device,
                      const std::string& options) {
  std::vector<std::string> arguments{"compile", "-file",  "source.cl",         "-device",  device, "-spv_only",
                                     "-output", "module", "-output_no_suffix", "-out_dir", "."};
  add_options(arguments, options);
  const Work work(ocloc, std::move(arguments));
  work.input("source.cl", source);
  return work.run("OpenCL C", "module.spv");
}

OclocOutput link_modules(const Ocloc& ocloc, const std::vector<std::span<const std::byte>>& modules) {
  std::vector<std::string> arguments{"link"};
  for (size_t i = 0; i < modules.size(); ++i) {
    arguments.emplace_back("-file");
    arguments.push_back("module" + std::to_string(i) + ".spv");
  }
  for (const char* word : {"-out_format", "LLVM_BC", "-out", "linked.bc"}) arguments.emplace_back(word);
  const Work work(ocloc, std::move(arguments));
  for (size_t i = 0; i < modules.size(); ++i) work.input("module" + std::to_string(i) + ".spv", modules[i]);
  return work.run("linking", "linked.bc");
}

OclocOutput back_end(const Ocloc& ocloc, std::span<const std::byte> module, Input input, const std::string& device,
                     const std::string& options) {
  const char* name = input == Input::Spirv ? "module.spv" : "module.bc";
  std::vector<std::string> arguments{
      "compile",           "-file",    name,      input == Input::Spirv ? "-spirv_input" : "-llvm_input",
      "-device",           device,     "-output", "binary",
      "-output_no_suffix", "-out_dir", "."};
  add_options(arguments, options);
  const Work work(ocloc, std::move(arguments));
  work.input(name, module);
  return work.run("code generation", "binary.bin");
}

std::vector<std::string> warnings_in(const std::string& log) {
  // IGC: "warning: in kernel 'k': ..."; clang: "1:3:7: warning: ..."; the vector compiler: "Spill memory used = ...".
  static const std::regex warning(R"(^(?:\d+:)*\s*warning: (.*)$)");
  std::vector<std::string> found;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (line.starts_with("Spill memory used")) {
      found.push_back(line);
    } else if (std::regex_match(line, match, warning)) {
      std::string text = match[1];
      // Says that it will try again; what comes of it is said afterwards.
      if (text.find("[RetryManager]") != std::string::npos) continue;
      if (const size_t at = text.find("Stack call has been detected"); at != std::string::npos)
        text = text.substr(0, at) +
               "stack call: a function is called at run time instead of being inlined (slow; needs a stack in memory)";
      if (std::find(found.begin(), found.end(), text) == found.end()) found.push_back(std::move(text));
    }
  }
  return found;
}

}  // namespace xeforge::compile
