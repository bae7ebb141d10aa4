// SPDX-License-Identifier: Apache-2.0
#include "lab/pages/ladder_data.h"

#include <iostream>

#include "compile/files.h"
#include "compile/process.h"
#include "gemm/catalog.h"
#include "lab/commands.h"

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

Json read_report(const std::string& file) {
  const auto text = compile::read_text_file(file);
  if (!text) throw UserError("--ladder: cannot read " + file);
  Json json = Json::parse(*text, nullptr, false);
  if (json.is_discarded() || !json.is_object() || !json.contains("rungs"))
    throw UserError("--ladder: " + file + " is not what 'xeforge ladder --json' writes");
  add_catalog(json);
  return json;
}

}  // namespace

Json ladder_data(const std::string& file) {
  if (!file.empty()) return read_report(file);
  std::cerr << "xeforge: running ten rungs of the ladder (--ladder FILE takes a finished report, --no-ladder none)\n";
  const compile::ScratchDirectory scratch;
  const std::string report = (scratch.path() / "ladder.json").string();
  compile::ProcessRequest request;
  request.program = std::filesystem::read_symlink("/proc/self/exe");
  request.arguments = {"ladder", "--rungs", kRungs, "--json", report};
  const compile::ProcessResult result = compile::run_process(request);
  if (!result.ok())
    throw UserError(
        "xeforge ladder " + (result.started ? result.how_it_ended() : result.start_error) + ":\n" + result.output,
        Status::Failed);
  return read_report(report);
}

}  // namespace xeforge::lab::pages
