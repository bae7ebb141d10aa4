// SPDX-License-Identifier: Apache-2.0
#include "lab/pages/isa_json.h"

#include <filesystem>

#include "observe/counters.h"

namespace xeforge::lab::pages {
namespace {

using isa::Instruction;
using isa::Sfid;

observe::Counters counters_of(const isa::Program& program, size_t instruction) {
  machine::ExecutionCounts once;
  once.executed.assign(program.instructions().size(), 0);
  once.executed[instruction] = 1;
  return observe::count(program, once);
}

std::string class_of(const observe::Counters& counters) {
  for (const auto& row : observe::counter_table())
    if (row.name != "instructions" && counters.*row.field > 0) return std::string(row.name);
  return "other";
}

std::string message_unit(const Instruction& i) {
  switch (i.msg.sfid) {
    case Sfid::Gateway:
      return "gateway";
    case Sfid::Slm:
      return "slm";
    case Sfid::Ugm:
    case Sfid::UgmL:
    case Sfid::Tgm:
      return "lsc";
    case Sfid::Dc0:
    case Sfid::Dc1:
    case Sfid::DcRo:
      return "hdc";
    default:
      return "none";
  }
}

/// Latency tables know the widths 8, 16 and 32; narrower instructions cost what the narrowest row says.
std::string with_width(const std::string& base, unsigned exec_size, const device::Device& device) {
  for (unsigned width : {8u, 16u, 32u}) {
    std::string key = base + ".simd" + std::to_string(width);
    if (exec_size <= width && device.parameters.contains(key)) return key;
  }
  return base;
}

std::string message_latency(const Instruction& i, const std::string& unit, const device::Device& device) {
  if (i.end_of_thread) return {};
  if (unit == "gateway") return "latency.barrier";
  const bool fence = i.msg.kind == isa::MessageKind::Fence || i.msg.kind == isa::MessageKind::LegacyMemoryFence;
  if (unit == "slm") return fence ? "latency.slm_fence" : with_width("latency.slm", i.exec_size, device);
  if (fence) return "latency.lsc_fence";
  if (i.msg.atomic != isa::AtomicOp::None) return "latency.atomic";
  if (unit == "lsc") return "latency.lsc_l1";
  return unit == "hdc" ? "latency.hdc_l3" : "latency.other_send";
}

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

}  // namespace

std::string unit_of(const isa::Program& program, size_t index) {
  const Instruction& i = program.instructions()[index];
  const isa::OpClass cls = isa::info(i.op).cls;
  if (cls == isa::OpClass::Send) return message_unit(i);
  if (cls == isa::OpClass::Dpas) return "xmx";
  if (cls == isa::OpClass::Math) return "em";
  if (cls == isa::OpClass::Control) return "branch";
  if (cls == isa::OpClass::Sync) return i.sync_fn == isa::SyncFn::Bar ? "gateway" : "scoreboard";
  const observe::Counters counters = counters_of(program, index);
  if (counters.alu0_slots > 0) return "fpu";
  return counters.alu1_slots > 0 ? "int" : "none";
}

std::string latency_key(const Instruction& i, const std::string& unit, const device::Device& device) {
  std::string key;
  if (i.is_send()) {
    key = message_latency(i, unit, device);
  } else if (unit == "xmx") {
    const unsigned rows = i.dpas.repeat_count;
    key = rows == 1 ? "latency.dpas.rc1" : rows == 2 ? "latency.dpas.rc2" : "latency.dpas.rc8";
  } else if (unit == "em") {
    key = with_width("latency.math", i.exec_size, device);
  } else if (unit == "branch") {
    key = "latency.branch";
  } else if (unit == "gateway") {
    key = "latency.barrier";
  } else if (unit == "fpu" || unit == "int") {
    const bool to_arf = i.cond_mod != isa::FlagMod::None || i.dst.file == isa::RegFile::Address;
    const bool to_acc = i.dst.file == isa::RegFile::Acc;
    key = to_arf ? "latency.arf" : with_width(to_acc ? "latency.alu_to_acc" : "latency.alu", i.exec_size, device);
  }
  return device.parameters.contains(key) ? key : std::string();
}

nlohmann::ordered_json isa_json(const machine::Kernel& kernel, const BuiltKernel& built, const std::string& source_name,
                                const device::Device& device) {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  const isa::Program& program = *kernel.program;
  const auto instructions = program.instructions();
  for (size_t i = 0; i < instructions.size(); ++i) {
    const Instruction& inst = instructions[i];
    const std::string unit = unit_of(program, i);
    Json row = {{"pc", inst.pc},
                {"text", trimmed(program.text(inst.pc))},
                {"class", class_of(counters_of(program, i))},
                {"unit", unit},
                {"exec", inst.exec_size},
                {"offset", inst.channel_offset},
                {"no_mask", inst.no_mask}};
    const std::string place = built.lines->find(built.kernel.name, inst.pc);
    if (const size_t colon = place.rfind(':'); colon != std::string::npos) {
      const std::string file = std::filesystem::path(place.substr(0, colon)).filename();
      row["line"] = std::stoi(place.substr(colon + 1));
      if (file != source_name) {
        row["file"] = file;
        // The innermost call in the source shown: the line that this piece of a header belongs to.
        for (const std::string& call : built.calls->find(built.kernel.name, inst.pc, place)) {
          const size_t at = call.rfind(':');
          if (std::filesystem::path(call.substr(0, at)).filename() != source_name) continue;
          row["call"] = std::stoi(call.substr(at + 1));
          break;
        }
      }
    }
    if (const std::string key = latency_key(inst, unit, device); !key.empty()) row["latency"] = key;
    if (inst.is_send()) row["message"] = isa::describe(inst.msg);
    if (inst.jip >= 0) row["jip"] = program.index_of(static_cast<uint32_t>(inst.jip));
    if (inst.uip >= 0) row["uip"] = program.index_of(static_cast<uint32_t>(inst.uip));
    list.push_back(std::move(row));
  }
  return list;
}

}  // namespace xeforge::lab::pages
