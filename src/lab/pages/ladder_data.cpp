// SPDX-License-Identifier: Apache-2.0
#include "lab/pages/ladder_data.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <iostream>
#include <vector>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compile/files.h"
#include "gemm/catalog.h"
#include "lab/errors.h"

namespace xeforge::lab::pages {
namespace {

using Json = nlohmann::ordered_json;

/// The way up in ten steps, as the README shows it.
constexpr const char* kRungs =
    "naive,tiled_slm,register_tiled,vectorized,jm_walk_n,esimd_bk32_16x16,esimd_wide_load,esimd_a_direct,esimd_4buf,"
    "esimd_a_slm_staging";

/// What the catalogue knows of the rungs and the report does not say: the tile of C that a group computes.
void add_catalog(Json& report) {
  Json& catalog = report["catalog"] = Json::object();
  for (const gemm::Rung& rung : gemm::catalog())
    catalog[std::string(rung.id)] = {{"block", {rung.block.m, rung.block.n, rung.block.k}},
                                     {"free_group", rung.local[0] == 0}};
}

/// Starts this program anew and waits for it. In our process group, unlike compile::run_process(): Ctrl-C ends it, and
/// its progress is seen. What it prints goes to stderr, since stdout names the pages.
int run_self(const std::vector<std::string>& words) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  std::vector<char*> arguments{const_cast<char*>(self.c_str())};
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw UserError(std::string("cannot start a process: ") + std::strerror(errno), Status::Failed);
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
    ::execv(arguments.front(), arguments.data());
    ::_exit(127);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR)
      throw UserError(std::string("cannot wait for a process: ") + std::strerror(errno), Status::Failed);
  }
  return status;
}

}  // namespace

Json ladder_report(const std::string& file) {
  const auto text = compile::read_text_file(file);
  if (!text) throw UserError("--ladder: cannot read " + file);
  Json json = Json::parse(*text, nullptr, false);
  if (json.is_discarded() || !json.is_object() || !json.contains("rungs"))
    throw UserError("--ladder: " + file + " is not what 'xeforge ladder --json' writes");
  add_catalog(json);
  return json;
}

Json ladder_run(const Interrupts& interrupts) {
  std::cerr << "xeforge: running ten rungs of the ladder with simulated time, which takes some minutes (--ladder FILE "
               "takes a finished report, --no-ladder none)\n";
  const compile::ScratchDirectory scratch;
  const std::string report = (scratch.path() / "ladder.json").string();
  const int status = run_self({"ladder", "--mode", "timed", "--rungs", kRungs, "--json", report});
  interrupts.check();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw UserError("the ladder's run failed (see above); --no-ladder makes the pages without it", Status::Failed);
  return ladder_report(report);
}

}  // namespace xeforge::lab::pages
