// SPDX-License-Identifier: Apache-2.0
#include "lab/provider_capture.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>

#include "lab/virtual_device.h"

namespace xeforge::lab {

namespace fs = std::filesystem;

namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string first_line_of(const std::string& command) {
  std::string text;
  // NOLINTNEXTLINE(bugprone-command-processor): commands of ours, without words from outside
  if (FILE* pipe = ::popen(command.c_str(), "r")) {
    std::array<char, 128> part{};
    while (std::fgets(part.data(), part.size(), pipe) != nullptr) text += part.data();
    ::pclose(pipe);
  }
  return text.substr(0, text.find('\n'));
}

}  // namespace

fs::path recordings_folder() {
  fs::path base = variable("XEFORGE_CACHE_DIR");
  if (base.empty()) base = variable("XEFORGE_HOME");
  if (base.empty()) {
    const std::string xdg = variable("XDG_CACHE_HOME");
    base = (xdg.empty() ? fs::path(variable("HOME")) / ".cache" : fs::path(xdg)) / "xeforge";
  }
  return base / "recordings";
}

bool same_course(const observe::Recording& a, const observe::Recording& b) {
  const auto same = [](const auto& x, const auto& y, auto&& equal) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), equal);
  };
  using R = observe::Recording;
  return a.messages == b.messages && a.paths == b.paths && a.grid == b.grid && a.instructions == b.instructions &&
         same(a.blocks, b.blocks,
              [](const R::Block& x, const R::Block& y) { return x.first == y.first && x.count == y.count; }) &&
         same(a.threads, b.threads,
              [](const R::Thread& x, const R::Thread& y) { return x.path == y.path && x.messages == y.messages; }) &&
         same(a.groups, b.groups, [](const R::Group& x, const R::Group& y) {
           return x.linear == y.linear && x.first_thread == y.first_thread;
         });
}

Capture::Capture(std::string device, unsigned host_threads)
    : device_(std::move(device)),
      host_threads_(host_threads),
      program_(fs::read_symlink("/proc/self/exe").parent_path() / "xeforge-provider-onednn") {
  if (!fs::exists(program_)) throw UserError("onednn is not installed: 'make providers' installs it");
  version_ = first_line_of("'" + program_.string() + "' --library-version");
  if (version_.empty()) throw UserError(program_.string() + " does not start", Status::Failed);
  folder_ = recordings_folder() / fmt::format("{}-onednn-{}-v{}", device_, version_, observe::Recording::kVersion);
}

fs::path Capture::file_of(const CapturedShape& s) const {
  return folder_ / fmt::format("{}x{}x{}-{}-{}-{}.xfr", s.m, s.n, s.k, row_of(s.a_and_b).name, row_of(s.c).name,
                               s.transpose_b ? "nt" : "nn");
}

bool Capture::has(const CapturedShape& shape) const { return fs::exists(file_of(shape)); }

std::shared_ptr<const observe::Recording> Capture::record(const CapturedShape& s, bool whole) {
  const fs::path kept = file_of(s);
  if (!whole && fs::exists(kept)) {
    try {
      return std::make_shared<observe::Recording>(observe::Recording::load(kept));
    } catch (const std::runtime_error&) {
      fs::remove(kept);  // damaged: made anew
    }
  }

  // A process for each: addresses in a recording count the allocations before it.
  const Workspace workspace;
  const fs::path recordings = workspace.file("recordings");
  auto environment = virtual_environment(device_, variable("LD_LIBRARY_PATH"));
  environment.emplace_back("ONEAPI_DEVICE_SELECTOR", "level_zero:gpu");
  environment.emplace_back("XEFORGE_RECORD", recordings.string());
  environment.emplace_back("XEFORGE_CONTROL_ONLY", whole ? "0" : "1");
  if (host_threads_ != 0) environment.emplace_back("XEFORGE_HOST_THREADS", std::to_string(host_threads_));
  HelperSession session(program_, environment, workspace.file("log"));
  const HelperSession::Answer answer = session.ask(fmt::format(
      "-m {} -n {} -k {} --element-a {} --element-b {} --element-c {}{} --no-data", s.m, s.n, s.k,
      row_of(s.a_and_b).name, row_of(s.a_and_b).name, row_of(s.c).name, s.transpose_b ? " --transpose-b" : ""));
  if (answer.ended || !answer.text.starts_with("ok "))
    throw UserError(fmt::format("onednn, {}x{}x{}: {}", s.m, s.n, s.k, answer.text), Status::Failed);
  session.stop();
  std::shared_ptr<observe::Recording> main;
  fs::path file;
  for (const fs::directory_entry& entry : fs::directory_iterator(recordings)) {
    auto recording = std::make_shared<observe::Recording>(observe::Recording::load(entry.path()));
    if (main != nullptr && recording->instructions <= main->instructions) continue;
    main = std::move(recording);
    file = entry.path();
  }
  if (main == nullptr) throw UserError("onednn launched no kernel", Status::Failed);
  if (!whole) {
    fs::create_directories(folder_);
    fs::copy_file(file, kept.string() + ".new", fs::copy_options::overwrite_existing);
    fs::rename(kept.string() + ".new", kept);
  }
  return main;
}

}  // namespace xeforge::lab
