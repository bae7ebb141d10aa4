// SPDX-License-Identifier: Apache-2.0
#include "lab/inspect_report.h"

#include <algorithm>
#include <ostream>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "lab/json_text.h"

namespace xeforge::lab {

namespace {

using Json = nlohmann::ordered_json;

std::string_view text_of(binary::AddrMode mode) {
  switch (mode) {
    case binary::AddrMode::None:
      return "";
    case binary::AddrMode::Stateless:
      return "stateless";
    case binary::AddrMode::Stateful:
      return "stateful (binding table)";
    case binary::AddrMode::Bindless:
      return "bindless";
    case binary::AddrMode::Slm:
      return "local memory";
  }
  return "";
}

std::string_view text_of(binary::Access access) {
  switch (access) {
    case binary::Access::None:
      return "";
    case binary::Access::ReadOnly:
      return "read only";
    case binary::Access::WriteOnly:
      return "write only";
    case binary::Access::ReadWrite:
      return "read and write";
  }
  return "";
}

bool has_local_argument(const binary::Kernel& kernel) {
  return std::any_of(kernel.payload.begin(), kernel.payload.end(), [](const binary::PayloadArg& arg) {
    return arg.addrmode == binary::AddrMode::Slm || arg.addrspace == binary::AddrSpace::Local;
  });
}

/// The disjoint classes of observe/counters.h, those that occur.
std::string mix_text(const observe::Counters& mix) {
  static constexpr std::string_view kClasses[] = {"send", "dpas", "alu_int", "alu_float", "mov",
                                                  "math", "sync", "control", "other"};
  std::string text = fmt::format("{} instructions:", mix.instructions);
  for (const auto& row : observe::counter_table())
    if (std::find(std::begin(kClasses), std::end(kClasses), row.name) != std::end(kClasses) && mix.*row.field > 0)
      text += fmt::format(" {} {},", row.name, mix.*row.field);
  if (text.back() == ',') text.pop_back();
  if (mix.dpas_dummy > 0) text += fmt::format(" ({} of the dpas only reserve a register)", mix.dpas_dummy);
  return text;
}

void print_resources(std::ostream& out, const KernelView& view) {
  const binary::Kernel& k = view.kernel;
  out << fmt::format("  {}, {} registers",
                     k.simd_size == 1 ? "ESIMD (one work-item a thread)" : fmt::format("SIMD{}", k.simd_size),
                     k.grf_count);
  if (k.eu_thread_count != 0) out << fmt::format(", {} threads an EU", k.eu_thread_count);
  out << fmt::format(", {}", k.spill_size != 0                   ? fmt::format("{} bytes spilled", k.spill_size)
                             : k.scratch_bytes_per_thread() == 0 ? "no spill"
                                                                 : "spills not stated");
  out << fmt::format(", {} bytes of scratch a thread\n", k.scratch_bytes_per_thread());
  out << fmt::format("  local memory: {} bytes{}; barriers: {}\n", k.slm_size,
                     has_local_argument(k) ? " and what arguments ask for at launch" : "", k.barrier_count);
  if (k.required_group_size)
    out << fmt::format("  required group size: {} x {} x {}\n", (*k.required_group_size)[0],
                       (*k.required_group_size)[1], (*k.required_group_size)[2]);
}

/// One line an argument: a pointer has an entry for each way in which the code may address it, a structure one a
/// member.
void print_arguments(std::ostream& out, const binary::Kernel& kernel) {
  if (kernel.argument_count() == 0) return;
  out << "  arguments:\n";
  for (unsigned index = 0; index < kernel.argument_count(); ++index) {
    std::string kind = fmt::format("{} bytes", kernel.argument_size(index));
    std::string ways;
    std::string_view access;
    for (const auto& arg : kernel.payload) {
      if (arg.arg_index != static_cast<int32_t>(index) || arg.type != binary::ArgType::ByPointer) continue;
      kind = "pointer";
      ways += fmt::format("{}{}", ways.empty() ? "" : " and ", text_of(arg.addrmode));
      access = text_of(arg.access);
    }
    out << fmt::format("    {:>2}  {}{}{}{}{}\n", index, kind, ways.empty() ? "" : ", ", ways,
                       access.empty() ? "" : ", ", access);
  }
}

void print_messages(std::ostream& out, const KernelView& view) {
  if (view.messages.empty()) return;
  out << "  messages (in the code / of them in loops, registers sent + received):\n";
  for (const auto& row : view.messages)
    out << fmt::format("    {:>4} {:>4}  {:>2} + {:<2}  {}\n", row.count, row.in_loops, row.payload_grf, row.return_grf,
                       row.text);
}

Json mix_json(const observe::Counters& mix) {
  Json json = Json::object();
  for (const auto& row : observe::counter_table()) json[std::string(row.name)] = mix.*row.field;
  return json;
}

Json arguments_json(const binary::Kernel& kernel) {
  Json list = Json::array();
  for (const auto& arg : kernel.payload) {
    if (arg.arg_index < 0) continue;
    list.push_back({{"index", arg.arg_index},
                    {"type", arg.type_name},
                    {"bytes", arg.size},
                    {"addressing", text_of(arg.addrmode)},
                    {"access", text_of(arg.access)}});
  }
  return list;
}

Json kernel_json(const KernelView& view) {
  const binary::Kernel& k = view.kernel;
  Json json = {{"name", k.name},
               {"compiled",
                {{"simd", k.simd_size},
                 {"grf", k.grf_count},
                 {"threads_per_eu", k.eu_thread_count},
                 {"spill_bytes", k.spill_size},
                 {"scratch_bytes", k.scratch_bytes_per_thread()},
                 {"slm_bytes", k.slm_size},
                 {"slm_arguments", has_local_argument(k)},
                 {"barriers", k.barrier_count}}},
               {"arguments", arguments_json(k)},
               {"static_counts", mix_json(view.mix)},
               {"loops", Json::array()},
               {"messages", Json::array()},
               {"warnings", view.warnings}};
  for (const Loop& loop : view.loops)
    json["loops"].push_back({{"first_pc", loop.first_pc},
                             {"last_pc", loop.last_pc},
                             {"depth", loop.depth},
                             {"innermost", loop.innermost},
                             {"static_counts", mix_json(loop.mix)}});
  for (const auto& row : view.messages)
    json["messages"].push_back({{"text", row.text},
                                {"count", row.count},
                                {"in_loops", row.in_loops},
                                {"payload_grf", row.payload_grf},
                                {"return_grf", row.return_grf}});
  return json;
}

}  // namespace

void print_kernel(std::ostream& out, const KernelView& view, const device::Device& device) {
  out << fmt::format("{} on {}\n", short_name(view.kernel.name), device.name);
  print_resources(out, view);
  print_arguments(out, view.kernel);
  out << fmt::format("  {}\n", mix_text(view.mix));
  for (const Loop& loop : view.loops)
    out << fmt::format("  {}{}loop at pc {}..{}: {}\n", std::string(size_t{2} * (loop.depth - 1), ' '),
                       loop.innermost ? "" : "outer ", loop.first_pc, loop.last_pc, mix_text(loop.mix));
  print_messages(out, view);
  for (const auto& warning : view.warnings) out << fmt::format("  warning: {}\n", warning);
}

void print_listing(std::ostream& out, const KernelView& view) {
  std::set<uint32_t> targets;
  const auto instructions = view.program.instructions();
  for (const auto& instruction : instructions)
    for (const int32_t to : {instruction.jip, instruction.uip})
      if (to >= 0) targets.insert(static_cast<uint32_t>(to));
  for (size_t i = 0; i < instructions.size(); ++i) {
    const uint32_t pc = instructions[i].pc;
    std::string text = view.program.text(pc);
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
    if (targets.contains(pc)) out << fmt::format("L{}:\n", pc);
    out << fmt::format("{:<4}{:>6}  {}\n", std::string(view.depth_of(i), '|'), pc, text);
  }
}

std::string inspect_json(const std::string& file, const device::Device& device,
                         const std::vector<InspectedModule>& modules) {
  Json json = {{"file", file}, {"device", device.id}, {"modules", Json::array()}};
  for (const auto& inspected : modules) {
    Json module = {{"kind", inspected.module.kind},
                   {"error", nullptr},
                   {"warnings", inspected.module.warnings},
                   {"kernels", Json::array()}};
    if (!inspected.module.error.empty()) module["error"] = inspected.module.error;
    for (const auto& view : inspected.kernels) module["kernels"].push_back(kernel_json(view));
    json["modules"].push_back(std::move(module));
  }
  return json_text(json, 1);
}

}  // namespace xeforge::lab
