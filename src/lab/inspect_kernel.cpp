// SPDX-License-Identifier: Apache-2.0
#include "lab/inspect_kernel.h"

#include <algorithm>
#include <map>

namespace xeforge::lab {

namespace {

using isa::Instruction;
using isa::Opcode;

/// Pc of the earliest target that lies at or before the instruction; -1 if it only goes forward.
int32_t backward_target(const Instruction& instruction) {
  // A call goes back to an earlier function, not to the head of a loop.
  if (instruction.op == Opcode::Call || instruction.op == Opcode::Calla || instruction.op == Opcode::Ret) return -1;
  int32_t target = -1;
  for (const int32_t to : {instruction.jip, instruction.uip})
    if (to >= 0 && to <= static_cast<int32_t>(instruction.pc) && (target < 0 || to < target)) target = to;
  return target;
}

observe::Counters mix_of(const isa::Program& program, size_t begin, size_t end) {
  machine::ExecutionCounts once;
  once.executed.assign(program.instructions().size(), 0);
  std::fill(once.executed.begin() + static_cast<std::ptrdiff_t>(begin),
            once.executed.begin() + static_cast<std::ptrdiff_t>(end), 1);
  return observe::count(program, once);
}

void nest(std::vector<Loop>& loops) {
  const auto contains = [](const Loop& outer, const Loop& inner) {
    return &outer != &inner && outer.begin <= inner.begin && inner.end <= outer.end;
  };
  for (Loop& loop : loops)
    for (const Loop& other : loops) {
      if (contains(other, loop)) ++loop.depth;
      if (contains(loop, other)) loop.innermost = false;
    }
}

/// Messages that differ only in where they look are one kind.
isa::Message without_offsets(isa::Message message) {
  message.scratch_offset = 0;
  message.immediate_offset = 0;
  message.block2d_x = message.block2d_y = 0;
  return message;
}

std::vector<MessageRow> messages_of(const KernelView& view) {
  std::map<std::string, MessageRow> rows;
  const auto instructions = view.program.instructions();
  for (size_t i = 0; i < instructions.size(); ++i) {
    if (!instructions[i].is_send()) continue;
    const isa::Message message = without_offsets(instructions[i].msg);
    MessageRow& row = rows[isa::describe(message)];
    ++row.count;
    if (view.depth_of(i) > 0) ++row.in_loops;
    row.payload_grf = message.src0_len + message.src1_len;
    row.return_grf = message.dst_len;
  }
  std::vector<MessageRow> sorted;
  for (auto& [text, row] : rows) {
    row.text = text;
    sorted.push_back(row);
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const MessageRow& a, const MessageRow& b) {
    return a.in_loops != b.in_loops ? a.in_loops > b.in_loops : a.count > b.count;
  });
  return sorted;
}

std::vector<std::string> warnings_of(const KernelView& view) {
  std::vector<std::string> warnings;
  for (const Loop& loop : view.loops)
    if (loop.innermost && loop.mix.scratch > 0)
      warnings.push_back("the loop at pc " + std::to_string(loop.first_pc) + " accesses scratch memory " +
                         std::to_string(loop.mix.scratch) + " times a trip: values do not fit into " +
                         std::to_string(view.kernel.grf_count) + " registers");
  if (view.kernel.has_stack_calls)
    warnings.emplace_back("stack calls: functions are called at run time instead of being inlined");
  return warnings;
}

}  // namespace

std::vector<Loop> find_loops(const isa::Program& program) {
  const auto instructions = program.instructions();
  std::map<int32_t, size_t> end_of_head;  // several ways back to one head are one loop
  for (size_t i = 0; i < instructions.size(); ++i)
    if (const int32_t target = backward_target(instructions[i]);
        target >= 0 && program.index_of(static_cast<uint32_t>(target)) >= 0)
      end_of_head[target] = i + 1;
  std::vector<Loop> loops;
  for (const auto& [head, end] : end_of_head) {
    Loop loop;
    loop.first_pc = static_cast<uint32_t>(head);
    loop.begin = static_cast<size_t>(program.index_of(loop.first_pc));
    loop.end = end;
    loop.last_pc = instructions[end - 1].pc;
    loop.mix = mix_of(program, loop.begin, loop.end);
    loops.push_back(loop);
  }
  nest(loops);
  return loops;
}

unsigned KernelView::depth_of(size_t instruction) const {
  unsigned depth = 0;
  for (const Loop& loop : loops) depth += instruction >= loop.begin && instruction < loop.end ? 1 : 0;
  return depth;
}

KernelView view_kernel(const binary::Kernel& kernel, const device::Device& device) {
  std::vector<uint32_t> entries{0};
  for (const unsigned entry :
       {kernel.offset_to_skip_per_thread_data_load, kernel.offset_to_skip_cross_thread_data_load})
    if (entry != 0) entries.push_back(entry);
  KernelView view{kernel, isa::decode(device.platform, kernel.code, entries), {}, {}, {}, {}};
  view.loops = find_loops(view.program);
  view.mix = mix_of(view.program, 0, view.program.instructions().size());
  view.messages = messages_of(view);
  view.warnings = warnings_of(view);
  return view;
}

std::string short_name(const std::string& kernel_name) {
  constexpr std::string_view kPrefix = "__sycl_kernel_";
  return kernel_name.starts_with(kPrefix) ? kernel_name.substr(kPrefix.size()) : kernel_name;
}

}  // namespace xeforge::lab
