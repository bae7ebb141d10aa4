// SPDX-License-Identifier: Apache-2.0
#include "lab/pages/lanes_json.h"

#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "observe/lanes/pair_cost.h"

namespace xeforge::lab::pages {
namespace {

using Json = nlohmann::ordered_json;
using isa::DataType;
using machine::Footprint;

Json floating(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

float from_half(uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const float mantissa = static_cast<float>(bits & 1023);
  const float sign = (bits & 0x8000) != 0 ? -1.0F : 1.0F;
  if (exponent == 31) return mantissa != 0 ? NAN : sign * INFINITY;
  return sign * (exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25));
}

Json signed_value(uint64_t bits, unsigned bytes) {
  const unsigned shift = 64 - 8 * bytes;
  const auto value = static_cast<int64_t>(bits << shift) >> shift;
  constexpr int64_t kExact = int64_t{1} << 53;  // of a JSON reader's double
  if (value > kExact || value < -kExact) return fmt::format("{}", value);
  return value;
}

const char* name_of(Footprint::Space space) {
  constexpr const char* kNames[] = {"none", "global", "slm", "scratch", "indirect"};
  return kNames[static_cast<size_t>(space)];
}

const char* name_of(Footprint::Kind kind) {
  constexpr const char* kNames[] = {"load", "store", "atomic", "prefetch", "fence", "barrier_signal", "end", "other"};
  return kNames[static_cast<size_t>(kind)];
}

/// [lane, address, bytes, value]; global addresses are "buffer:offset".
Json access_json(const observe::LaneAccess& access, Footprint::Space space, const machine::MemorySnapshot& memory) {
  Json row = Json::array({access.lane});
  const machine::Allocation* allocation = space == Footprint::Space::Global ? memory.find(access.address) : nullptr;
  if (allocation != nullptr) {
    const auto index = allocation - memory.allocations().data();
    row.push_back(fmt::format("{}:{}", index, access.address - allocation->base));
  } else if (space == Footprint::Space::Global || space == Footprint::Space::Indirect) {
    row.push_back(nullptr);  // of the launch itself: where that lies differs from run to run
  } else {
    row.push_back(access.address);
  }
  row.push_back(access.bytes);
  if (access.value && (space == Footprint::Space::Slm || allocation != nullptr))
    row.push_back(fmt::format("{:x}", *access.value));
  return row;
}

Json step_json(const observe::LaneStep& step, const machine::MemorySnapshot& memory) {
  Json json = {{"i", step.instruction}, {"o", step.order}, {"e", step.enabled}, {"a", step.acted}};
  if (step.predicate) json["p"] = *step.predicate;
  if (step.flags) json["f"] = *step.flags;
  if (!step.written.empty()) {
    json["t"] = isa::name_of(step.type);
    Json& written = json["w"] = Json::array();
    for (const auto& value : step.written) {
      Json row = Json::array({value.lane, element_json(value.bits, step.type)});
      if (!value.from.empty()) row.push_back(value.from);
      written.push_back(std::move(row));
    }
  }
  if (step.kind != Footprint::Kind::Other) json["k"] = name_of(step.kind);
  if (!step.accesses.empty()) {
    json["s"] = name_of(step.space);
    Json& list = json["m"] = Json::array();
    for (const auto& access : step.accesses) list.push_back(access_json(access, step.space, memory));
  }
  return json;
}

std::vector<uint32_t> way_of(const observe::ThreadLanes& thread, const isa::Program& program) {
  std::vector<uint32_t> pcs;
  pcs.reserve(thread.steps.size());
  for (const auto& step : thread.steps) pcs.push_back(program.instructions()[step.instruction].pc);
  return pcs;
}

/// Neighbouring threads of a group share a pair of engines: 0 and 1, 2 and 3, ...
Json pairs_json(const observe::Lanes& lanes, const isa::Program& program) {
  Json pairs = Json::array();
  for (size_t t = 0; t + 1 < lanes.threads.size(); ++t) {
    const observe::ThreadLanes& first = lanes.threads[t];
    const observe::ThreadLanes& second = lanes.threads[t + 1];
    if (first.thread % 2 != 0 || second.group_linear != first.group_linear || !first.complete || !second.complete)
      continue;
    const auto way = observe::fused_way(way_of(first, program), way_of(second, program));
    Json steps = Json::array();
    for (const auto& step : way)
      steps.push_back(Json::array({program.index_of(step.pc), (step.first ? 1 : 0) + (step.second ? 2 : 0)}));
    pairs.push_back({{"threads", {t, t + 1}},
                     {"alone", {first.steps.size(), second.steps.size()}},
                     {"together", way.size()},
                     {"way", std::move(steps)}});
  }
  return pairs;
}

}  // namespace

Json element_json(uint64_t bits, DataType type) {
  switch (type) {
    case DataType::F:
      return floating(static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits))));
    case DataType::DF:
      return floating(std::bit_cast<double>(bits));
    case DataType::HF:
      return floating(static_cast<double>(from_half(static_cast<uint16_t>(bits))));
    case DataType::BF:
      return floating(static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits) << 16)));
    default:
      break;
  }
  if (isa::is_signed(type)) return signed_value(bits, isa::bytes_of(type));
  if (bits > (uint64_t{1} << 53)) return fmt::format("{}", bits);
  return bits;
}

Json lanes_json(const observe::Lanes& lanes, const machine::Kernel& kernel, const machine::MemorySnapshot& memory,
                bool fused) {
  Json json = {{"threads", Json::array()}, {"phases", Json::array()}, {"pairs", Json::array()}};
  for (const auto& thread : lanes.threads) {
    Json steps = Json::array();
    for (const auto& step : thread.steps) steps.push_back(step_json(step, memory));
    json["threads"].push_back({{"group", thread.group},
                               {"thread", thread.thread},
                               {"lanes", thread.dispatch_mask},
                               {"complete", thread.complete},
                               {"steps", std::move(steps)}});
  }
  for (const auto& phase : lanes.phases)
    json["phases"].push_back({{"group", phase.group_linear}, {"o", phase.order}, {"named", phase.named}});
  if (fused) json["pairs"] = pairs_json(lanes, *kernel.program);
  return json;
}

}  // namespace xeforge::lab::pages
