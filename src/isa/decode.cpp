// SPDX-License-Identifier: Apache-2.0
#include "isa/decode.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <utility>

#include "isa/iga_view.h"
#include "isa/instruction_decoder.h"

namespace xeforge::isa {
namespace {

constexpr uint32_t kAlignment = 8;  // a compacted instruction
constexpr size_t kLargestInstruction = 16;

std::string position(uint32_t pc) { return std::to_string(pc); }

// What lies behind an instruction that is not a branch target.
bool falls_through(const Instruction& i) {
  switch (i.op) {
    case Opcode::Jmpi:
    case Opcode::Goto:
    case Opcode::Brd:
    case Opcode::Brc:
    case Opcode::Ret:
      return i.pred != PredCtrl::None;
    default:
      return !i.end_of_thread;
  }
}

class Walker {
 public:
  Walker(Platform platform, std::span<const std::byte> code) : platform_(platform), code_(code) {}

  void enter(uint32_t pc, const std::string& from) {
    if (pc % kAlignment != 0 || pc >= code_.size()) {
      throw DecodeError(pc, from + " leads to " + position(pc) + ", which is no place in the code of " +
                                std::to_string(code_.size()) + " bytes");
    }
    if (!found_.contains(pc)) work_.push_back(pc);
  }

  std::vector<Instruction> run() {
    while (!work_.empty()) {
      const uint32_t pc = work_.front();
      work_.pop_front();
      follow(pc);
    }
    std::vector<Instruction> result;
    result.reserve(found_.size());
    for (auto& [pc, instruction] : found_) {
      if (!result.empty() && result.back().pc + result.back().size > pc) {
        throw DecodeError(
            pc, "a branch leads to " + position(pc) + ", inside of the instruction at " + position(result.back().pc));
      }
      result.push_back(instruction);
    }
    return result;
  }

 private:
  // Straight on from `pc` until something ends the path; branch targets become work.
  void follow(uint32_t pc) {
    while (!found_.contains(pc)) {
      if (pc >= code_.size()) throw DecodeError(pc, "the code ends at " + position(pc) + " without an end of thread");
      const IgaView& view = view_of(pc);
      const Instruction instruction = decode_instruction(view, pc);
      found_.emplace(pc, instruction);
      const std::string from = "the instruction at " + position(pc) + " '" + std::string(name_of(instruction.op)) + "'";
      if (instruction.jip >= 0 || instruction.uip >= 0 || instruction.num_src == 0) branch(instruction, from);
      const uint32_t next = pc + instruction.size;
      if (instruction.op == Opcode::Jmpi && instruction.num_src != 0) follow_jump_table(view, next);
      if (!falls_through(instruction)) return;
      pc = next;
    }
  }

  void branch(const Instruction& i, const std::string& from) {
    if (info(i.op).cls != OpClass::Control) return;
    // -1 is "no target" only where the format has none; a target before the code is an error.
    if (i.num_src != 0) return;
    if (i.op != Opcode::Ret) enter(static_cast<uint32_t>(i.jip), from);
    const bool has_uip = i.op == Opcode::If || i.op == Opcode::Else || i.op == Opcode::Goto || i.op == Opcode::Brc ||
                         i.op == Opcode::Break || i.op == Opcode::Continue || i.op == Opcode::Halt;
    if (has_uip) enter(static_cast<uint32_t>(i.uip), from);
  }

  // The targets of an indirect jmpi (a computed jump into a row of jmpi, as the vendor's GEMM kernels have them) are
  // not in the code: everything up to the last end of thread may be one.
  void follow_jump_table(const IgaView& view, uint32_t begin) {
    uint32_t end = begin;
    for (uint32_t pc = begin; view.size_at(pc) != 0 && view.error_at(pc).empty(); pc += view.size_at(pc)) {
      if (kv_get_opcode(view.handle(), view.local(pc)) == static_cast<uint32_t>(iga::Op::ILLEGAL)) break;
      if (kv_has_inst_opt(view.handle(), view.local(pc), static_cast<uint32_t>(iga::InstOpt::EOT))) {
        end = pc + view.size_at(pc);
      }
    }
    for (uint32_t pc = begin; pc < end; pc += view.size_at(pc)) enter(pc, "a computed jump");
  }

  const IgaView& view_of(uint32_t pc) {
    for (const auto& view : views_) {
      if (view->size_at(pc) != 0) return *view;
    }
    if (code_.size() - pc < kAlignment)
      throw DecodeError(pc, "the code ends inside of the instruction at " + position(pc));
    try {
      // Decoded in a row from the first position asked for: code behind data that is out of step gets a row of its own.
      views_.push_back(std::make_unique<IgaView>(platform_, code_.subspan(pc), pc));
    } catch (const std::runtime_error& error) {
      throw DecodeError(pc, "cannot decode the code from " + position(pc) + ": " + error.what());
    }
    if (views_.back()->size_at(pc) == 0)
      throw DecodeError(pc, "the code ends inside of the instruction at " + position(pc));
    return *views_.back();
  }

  Platform platform_;
  std::span<const std::byte> code_;
  std::vector<std::unique_ptr<IgaView>> views_;
  std::map<uint32_t, Instruction> found_;
  std::deque<uint32_t> work_;
};

}  // namespace

Program::Program(Platform platform, std::vector<std::byte> code, std::vector<Instruction> instructions)
    : platform_(platform),
      code_(std::move(code)),
      instructions_(std::move(instructions)),
      index_by_pc_(code_.size() / kAlignment + 1, -1) {
  for (size_t i = 0; i < instructions_.size(); ++i) {
    index_by_pc_.at(instructions_[i].pc / kAlignment) = static_cast<int32_t>(i);
  }
}

int32_t Program::index_of(uint32_t pc) const {
  const uint32_t slot = pc / kAlignment;
  return pc % kAlignment == 0 && slot < index_by_pc_.size() ? index_by_pc_[slot] : -1;
}

std::string Program::text(uint32_t pc) const {
  if (pc % kAlignment != 0 || pc >= code_.size() || code_.size() - pc < kAlignment) return {};
  const auto size = std::min(code_.size() - pc, kLargestInstruction);
  return IgaView(platform_, std::span(code_).subspan(pc, size), pc).text(pc);
}

Program decode(Platform platform, std::span<const std::byte> code, std::span<const uint32_t> entry_points) {
  Walker walker(platform, code);
  if (entry_points.empty()) walker.enter(0, "the kernel's beginning");
  for (const uint32_t entry : entry_points) walker.enter(entry, "an entry point");
  auto instructions = walker.run();
  return {platform, {code.begin(), code.end()}, std::move(instructions)};
}

}  // namespace xeforge::isa
