// SPDX-License-Identifier: Apache-2.0
#include "lab/pages/record.h"

#include <algorithm>
#include <cstring>

#include "lab/errors.h"
#include "lab/inspect_kernel.h"
#include "lab/pages/arena.h"
#include "lab/pages/isa_json.h"
#include "lab/pages/lanes_json.h"
#include "lab/pages/timed.h"
#include "observe/check/checker.h"
#include "observe/counters.h"
#include "observe/lanes/lane_recorder.h"

namespace xeforge::lab::pages {
namespace {

using machine::ArgumentValue;

constexpr uint32_t kShownElements = 256;

struct Buffer {
  size_t argument = 0;
  std::byte* at = nullptr;
  const Argument* description = nullptr;
  std::vector<std::byte> original = {};  ///< what the launch finds there
};

ArgumentValue scalar(const Argument& argument, uint32_t bytes) {
  ArgumentValue value;
  value.kind = ArgumentValue::Kind::Bytes;
  value.bytes.assign(bytes, std::byte{0});
  const auto store = [&](auto number) {
    std::memcpy(value.bytes.data(), &number, std::min<size_t>(bytes, sizeof number));
  };
  if (argument.kind == Argument::Kind::Int)
    store(static_cast<int64_t>(argument.value));
  else if (bytes == 8)
    store(argument.value);
  else
    store(static_cast<float>(argument.value));
  return value;
}

std::byte* filled(Arena& arena, const Argument& argument) {
  std::byte* at = arena.allocate(size_t{4} * argument.count);
  for (uint32_t i = 0; i < argument.count; ++i) {
    const double element = element_of(argument.fill, i);
    if (argument.kind == Argument::Kind::Floats) {
      const auto value = static_cast<float>(element);
      std::memcpy(at + size_t{4} * i, &value, 4);
    } else {
      const auto value = static_cast<int32_t>(element);
      std::memcpy(at + size_t{4} * i, &value, 4);
    }
  }
  return at;
}

Json elements(const Buffer& buffer) {
  Json list = Json::array();
  const isa::DataType type = buffer.description->kind == Argument::Kind::Floats ? isa::DataType::F : isa::DataType::D;
  for (uint32_t i = 0; i < std::min(buffer.description->count, kShownElements); ++i) {
    uint32_t bits = 0;
    std::memcpy(&bits, buffer.at + size_t{4} * i, 4);
    list.push_back(element_json(bits, type));
  }
  return list;
}

/// What an argument was, for the page to say.
Json argument_json(const Argument& argument) {
  constexpr const char* kKinds[] = {"floats", "ints", "slm", "int", "float"};
  Json json = {{"kind", kKinds[static_cast<size_t>(argument.kind)]}};
  if (argument.kind == Argument::Kind::Int || argument.kind == Argument::Kind::Float) {
    json["value"] = argument.value;
    return json;
  }
  json["count"] = argument.count;
  if (argument.kind == Argument::Kind::Slm) return json;
  Json& first = json["first"] = Json::array();
  for (uint32_t i = 0; i < std::min(argument.count, 4u); ++i) first.push_back(element_of(argument.fill, i));
  return json;
}

/// A SYCL local accessor arrives as its pointer and three values behind it (range, memory range, offset), which a
/// kernel that only indexes does not read.
constexpr unsigned kValuesOfLocalAccessor = 3;

const binary::PayloadArg* payload_of(const binary::Kernel& kernel, unsigned index) {
  const auto row = std::find_if(kernel.payload.begin(), kernel.payload.end(),
                                [&](const auto& arg) { return arg.arg_index == static_cast<int32_t>(index); });
  return row == kernel.payload.end() ? nullptr : &*row;
}

bool is_local(const binary::PayloadArg& row) {
  return row.type == binary::ArgType::ByPointer && row.addrspace == binary::AddrSpace::Local;
}

std::vector<ArgumentValue> values_for(const BuiltKernel& built, const FigureLaunch& launch, Arena& arena,
                                      std::vector<Buffer>& buffers) {
  const binary::Kernel& kernel = built.kernel;
  std::vector<ArgumentValue> values(kernel.argument_count());
  for (unsigned index = 0; index < values.size(); ++index)
    if (const auto* row = payload_of(kernel, index); row != nullptr && row->type != binary::ArgType::ByPointer)
      values[index] = scalar({Argument::Kind::Int, Argument::Fill::Zero, 0, 0}, kernel.argument_size(index));
  unsigned index = 0;
  for (const Argument& argument : launch.arguments) {
    const bool is_value = argument.kind == Argument::Kind::Int || argument.kind == Argument::Kind::Float;
    while (index < values.size() && payload_of(kernel, index) == nullptr) ++index;
    if (index >= values.size() || is_local(*payload_of(kernel, index)) != (argument.kind == Argument::Kind::Slm) ||
        (payload_of(kernel, index)->type == binary::ArgType::ByPointer) == is_value)
      throw UserError("kernel '" + short_name(kernel.name) +
                      "' does not take the arguments that it is described to take");
    if (argument.kind == Argument::Kind::Slm) {
      values[index].kind = ArgumentValue::Kind::Slm;
      values[index].slm_bytes = argument.count;
      index += built.kind == "sycl" ? kValuesOfLocalAccessor : 0;
    } else if (is_value) {
      values[index] = scalar(argument, kernel.argument_size(index));
    } else {
      std::byte* at = filled(arena, argument);
      values[index].kind = ArgumentValue::Kind::Pointer;
      values[index].pointer = reinterpret_cast<uint64_t>(at);
      buffers.push_back({index, at, &argument, {at, at + size_t{4} * argument.count}});
    }
    ++index;
  }
  return values;
}

const BuiltKernel& find_kernel(const BuiltFile& file, const std::string& name) {
  std::string known;
  for (const BuiltKernel& built : file.kernels) {
    if (built.kernel.name == name || short_name(built.kernel.name) == name) return built;
    known += (known.empty() ? "" : ", ") + short_name(built.kernel.name);
  }
  throw UserError(file.file.string() + " has no kernel '" + name + "'. It has: " + (known.empty() ? "none" : known));
}

/// A launch with its memory.
struct Prepared {
  Prepared(const FigureLaunch& figure, const BuiltFile& file, const device::Device& device)
      : built(find_kernel(file, figure.kernel)) {
    launch.kernel = machine::prepare_kernel(built.kernel, device);
    launch.groups = figure.groups;
    launch.local = figure.local;
    launch.arguments = values_for(built, figure, arena, buffers);
    launch.memory = arena.map().snapshot();
    for (const auto& argument : launch.arguments) slm_bytes += argument.slm_bytes;
  }

  Arena arena;
  std::vector<Buffer> buffers;
  const BuiltKernel& built;
  machine::Launch launch;
  uint32_t slm_bytes = 0;  ///< that arguments ask for
};

Json counts_json(const isa::Program& program, const machine::ExecutionCounts& counts) {
  const observe::Counters counters = observe::count(program, counts);
  Json json = Json::object();
  for (const auto& row : observe::counter_table()) json[std::string(row.name)] = counters.*row.field;
  json["threads"] = counts.threads;
  json["groups"] = counts.groups;
  return json;
}

Json source_json(const BuiltFile& file) {
  Json lines = Json::array();
  size_t begin = 0;
  while (begin < file.text.size()) {
    const size_t end = std::min(file.text.find('\n', begin), file.text.size());
    lines.push_back(file.text.substr(begin, end - begin));
    begin = end + 1;
  }
  return {{"name", file.file.filename().string()}, {"lines", std::move(lines)}};
}

Json compiled_json(const BuiltKernel& built) {
  const binary::Kernel& k = built.kernel;
  return {{"kind", built.kind},
          {"simd", k.simd_size},
          {"grf", k.grf_count},
          {"spill_bytes", k.spill_size},
          {"slm_bytes", k.slm_size},
          {"barriers", k.barrier_count},
          {"code_bytes", k.code.size()},
          {"line_table", !built.lines->find(k.name, 0).empty()},
          {"same_code_without_line_table", built.same_code}};
}

Json place_json(const observe::check::Place& place) {
  return {{"pc", place.pc},         {"thread", place.thread}, {"lanes", place.lanes}, {"text", place.text},
          {"source", place.source}, {"what", place.what},     {"group", place.group}};
}

Json findings_json(const machine::Launch& launch, const BuiltKernel& built) {
  observe::check::Environment environment;
  environment.source_line = [&](uint32_t pc) {
    const std::string place = built.lines->find(built.kernel.name, pc);
    return place.substr(place.rfind('/') + 1);
  };
  observe::check::Checker checker(observe::check::parse_selection("memory,races,sync"), launch, environment);
  machine::RunOptions options;
  options.host_threads = 1;
  options = checker.options(options);
  options.observation = &checker;
  const auto result = checker.finish(machine::run(launch, options));
  Json list = Json::array();
  for (const auto& finding : result.findings) {
    Json row = {{"kind", observe::check::row_of(finding.kind).title},
                {"id", observe::check::row_of(finding.kind).id},
                {"message", finding.message},
                {"count", finding.count},
                {"first", place_json(finding.first)},
                {"other", nullptr}};
    if (finding.other) row["other"] = place_json(*finding.other);
    list.push_back(std::move(row));
  }
  return list;
}

void restore(const std::vector<Buffer>& buffers) {
  for (const Buffer& buffer : buffers) std::copy(buffer.original.begin(), buffer.original.end(), buffer.at);
}

void add_timing(Json& json, const machine::Launch& launch, std::string* trace) {
  json["timing"] = timing_json(launch, trace);
  const Json cycles = std::move(json["timing"]["instruction_cycles"]);
  json["timing"].erase("instruction_cycles");
  for (size_t i = 0; i < cycles.size() && i < json["isa"].size(); ++i) json["isa"][i]["cycles"] = cycles[i];
}

}  // namespace

std::vector<Argument> guessed_arguments(const BuiltKernel& built, uint32_t elements_each, uint32_t group_items) {
  const binary::Kernel& kernel = built.kernel;
  std::vector<Argument> arguments;
  for (unsigned index = 0; index < kernel.argument_count(); ++index) {
    const binary::PayloadArg* row = payload_of(kernel, index);
    if (row == nullptr) continue;
    const std::string type = index < kernel.arguments.size() ? kernel.arguments[index].type_name : std::string();
    if (is_local(*row)) {
      arguments.push_back({Argument::Kind::Slm, Argument::Fill::Zero, 4 * group_items, 0});
      index += built.kind == "sycl" ? kValuesOfLocalAccessor : 0;
    } else if (row->type == binary::ArgType::ByPointer) {
      const bool ints = type.find("int") != std::string::npos;
      arguments.push_back(
          {ints ? Argument::Kind::Ints : Argument::Kind::Floats, Argument::Fill::Index, elements_each, 0});
    } else if (type == "float" || type == "double") {
      arguments.push_back({Argument::Kind::Float, Argument::Fill::Zero, 0, 1});
    } else {
      arguments.push_back({Argument::Kind::Int, Argument::Fill::Zero, 0, static_cast<double>(elements_each)});
    }
  }
  return arguments;
}

Json dispatch(const FigureLaunch& figure, const BuiltFile& file, const device::Device& device) {
  const Prepared prepared(figure, file, device);
  return dispatch_json(prepared.launch);
}

Json record(const FigureLaunch& figure, const BuiltFile& file, const device::Device& device, std::string* trace) {
  Prepared prepared(figure, file, device);
  const BuiltKernel& built = prepared.built;
  const machine::Launch& launch = prepared.launch;
  const std::vector<Buffer>& buffers = prepared.buffers;

  Json arguments = Json::array(), data = Json::array();
  for (const Argument& argument : figure.arguments) arguments.push_back(argument_json(argument));
  for (const Buffer& buffer : buffers) data.push_back({{"argument", buffer.argument}, {"before", elements(buffer)}});

  observe::LaneRecording recording({figure.recorded_groups});
  machine::RunOptions options;
  options.host_threads = 1;
  options.observation = &recording;
  const machine::LaunchResult result = machine::run(launch, options);
  for (size_t i = 0; i < buffers.size(); ++i) data[i]["after"] = elements(buffers[i]);

  const isa::Program& program = *launch.kernel->program;
  Json json = {{"id", figure.id},
               {"kernel", short_name(built.kernel.name)},
               {"device", device.id},
               {"source", source_json(file)},
               {"compiled", compiled_json(built)},
               {"slm_arguments", prepared.slm_bytes},
               {"launch", {{"groups", figure.groups}, {"local", figure.local}, {"arguments", std::move(arguments)}}},
               {"fault", nullptr},
               {"counts", counts_json(program, result.counts)},
               {"isa", isa_json(*launch.kernel, built, file.file.filename(), device)},
               {"data", std::move(data)}};
  if (result.fault) json["fault"] = result.fault->to_string();
  const observe::Lanes& lanes = recording.lanes();
  for (size_t i = 0; i < json["isa"].size(); ++i) {
    json["isa"][i]["executed"] = i < result.counts.executed.size() ? result.counts.executed[i] : 0;
    json["isa"][i]["lanes"] = i < lanes.lanes_acted.size() ? lanes.lanes_acted[i] : 0;
  }
  json.update(lanes_json(lanes, *launch.kernel, *launch.memory, device.fused_eus));
  restore(buffers);
  json["findings"] = findings_json(launch, built);
  restore(buffers);
  if (!result.fault) add_timing(json, launch, trace);
  return json;
}

}  // namespace xeforge::lab::pages
