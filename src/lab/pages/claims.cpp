// SPDX-License-Identifier: Apache-2.0
#include "lab/pages/claims.h"

#include <stdexcept>

#include <fmt/format.h>

#include "device/device.h"
#include "device/occupancy.h"
#include "lab/pages/site.h"

namespace xeforge::lab::pages {
namespace {

using Json = nlohmann::ordered_json;

/// {"device", "parameter"}: a number of a device file.
void resolve_parameter(Json& evidence) {
  const device::Sourced& row =
      device::find_device(evidence.at("device")).parameter(evidence.at("parameter").get<std::string>());
  evidence["value"] = row.value;
  evidence["unit"] = row.unit;
  evidence["source"] = row.source;
  if (row.low != row.high) evidence["range"] = {row.low, row.high};
}

/// {"device", "list"}: a list of a device file, with the source that stands beside it.
void resolve_list(Json& evidence) {
  const device::Device& device = device::find_device(evidence.at("device"));
  const std::string name = evidence.at("list");
  if (name != "sub_group_sizes") throw std::runtime_error("no list '" + name + "'");
  evidence["values"] = device.sub_group_sizes;
  evidence["source"] = device.parameter(name).source;
}

/// {"code", "texts"}: lines of a kernel source of these pages, in this order.
void resolve_code(Json& evidence) {
  const std::string name = evidence.at("code");
  const std::string_view text = web_file("kernels/" + name + ".h");
  Json lines = Json::array();
  size_t at = 0;
  for (const auto& wanted : evidence.at("texts")) {
    const std::string part = wanted;
    at = text.find(part, at);
    if (at == std::string_view::npos) throw std::runtime_error(fmt::format("{}.h does not say '{}'", name, part));
    const size_t begin = text.rfind('\n', at) + 1, end = text.find('\n', at);
    const std::string_view line = text.substr(begin, end - begin);
    lines.push_back(line.substr(line.find_first_not_of(' ')));
    at = end;
  }
  evidence["lines"] = std::move(lines);
}

/// {"cycles": [recording, recording]}: simulated cycles of two recordings, to be compared.
void resolve_cycles(Json& evidence, const std::map<std::string, Json>& recorded) {
  Json values = Json::array();
  for (const auto& name : evidence.at("cycles")) values.push_back(recorded.at(name).at("timing").at("cycles"));
  evidence["values"] = std::move(values);
}

/// {"refused"}: what was said of a kernel that asks for what its device has not.
void resolve_refused(Json& evidence, const std::map<std::string, std::string>& refusals) {
  const std::string name = evidence.at("refused");
  const auto found = refusals.find(name);
  if (found == refusals.end()) throw std::runtime_error("'" + name + "' was compiled (or never tried)");
  evidence["message"] = found->second;
}

/// {"recording", "texts"}: instructions that a recorded kernel executed, in this order.
void resolve_instructions(Json& evidence, const std::map<std::string, Json>& recorded) {
  const std::string name = evidence.at("recording");
  const auto found = recorded.find(name);
  if (found == recorded.end()) throw std::runtime_error("no recording '" + name + "'");
  const Json& isa = found->second.at("isa");
  Json lines = Json::array();
  size_t at = 0;
  for (const auto& wanted : evidence.at("texts")) {
    const std::string part = wanted;
    while (at < isa.size() && (isa[at].at("text").get<std::string>().find(part) == std::string::npos ||
                               isa[at].at("executed").get<uint64_t>() == 0))
      ++at;
    if (at == isa.size())
      throw std::runtime_error(fmt::format("{} executes no instruction with '{}' (any more)", name, part));
    lines.push_back({{"pc", isa[at].at("pc")}, {"text", isa[at].at("text")}});
    ++at;
  }
  evidence["lines"] = std::move(lines);
}

/// {"occupancy": {device, group_size, simd, grf, slm_bytes, barriers}}: what the occupancy arithmetic says.
void resolve_occupancy(Json& evidence) {
  const Json& q = evidence.at("occupancy");
  device::OccupancyQuery query;
  query.group_size = q.at("group_size");
  query.simd = q.value("simd", 0u);
  query.grf = q.value("grf", 128u);
  query.slm_bytes = q.value("slm_bytes", 0u);
  query.barriers = q.value("barriers", 0u);
  const device::Device& device = device::find_device(q.at("device"));
  const auto driver = device::occupancy(device, query, device::RuleSet::Driver);
  const auto calculator = device::occupancy(device, query, device::RuleSet::Calculator);
  evidence["driver"] = {{"groups", driver.groups_per_core}, {"occupancy", driver.occupancy}};
  evidence["calculator"] = {{"groups", calculator.groups_per_core}, {"occupancy", calculator.occupancy}};
}

void resolve(Json& evidence, const std::map<std::string, Json>& recorded,
             const std::map<std::string, std::string>& refusals) {
  if (evidence.contains("parameter"))
    resolve_parameter(evidence);
  else if (evidence.contains("list"))
    resolve_list(evidence);
  else if (evidence.contains("code"))
    resolve_code(evidence);
  else if (evidence.contains("cycles"))
    resolve_cycles(evidence, recorded);
  else if (evidence.contains("refused"))
    resolve_refused(evidence, refusals);
  else if (evidence.contains("recording"))
    resolve_instructions(evidence, recorded);
  else if (evidence.contains("occupancy"))
    resolve_occupancy(evidence);
  else if (!evidence.contains("text"))
    throw std::runtime_error("evidence of no known kind");
}

}  // namespace

Json claims_json(const std::map<std::string, Json>& recorded, const std::map<std::string, std::string>& refusals) {
  Json claims = Json::parse(web_file("claims.json"));
  for (Json& claim : claims)
    for (Json& evidence : claim.at("evidence")) {
      try {
        resolve(evidence, recorded, refusals);
      } catch (const std::exception& error) {
        throw std::runtime_error("claim " + claim.at("number").dump() + ": " + error.what());
      }
    }
  return claims;
}

}  // namespace xeforge::lab::pages
