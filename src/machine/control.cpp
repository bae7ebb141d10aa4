// SPDX-License-Identifier: Apache-2.0
//
// Divergent control flow. Every channel carries the pc at which it waits (Thread::wait_pc); an
// instruction that lets channels rejoin enables those that wait at its pc. This covers
// goto/join as IGC emits them and if/else/endif/while as ngen does (isa.md section 3).
#include "machine/control.h"

#include <cstring>

#include "machine/barrier.h"
#include "machine/exec/exec.h"

namespace xeforge::machine {
namespace {

using isa::Opcode;

constexpr uint32_t kNotWaiting = 0xFFFFFFFFu;

void jump_to(Thread& t, UopIndex target) { t.next = target; }

uint32_t channels_waiting_at(const Thread& t, uint32_t pc) {
  uint32_t m = 0;
  const uint32_t candidates = t.dispatch_mask & ~t.exec_mask;
  for (uint32_t rest = candidates; rest != 0; rest &= rest - 1) {
    const auto c = static_cast<uint32_t>(__builtin_ctz(rest));
    if (t.wait_pc[c] == pc) m |= 1u << c;
  }
  return m;
}

void enable_waiting_at(Thread& t, uint32_t pc) {
  const uint32_t m = channels_waiting_at(t, pc);
  for (uint32_t rest = m; rest != 0; rest &= rest - 1)
    t.wait_pc[static_cast<uint32_t>(__builtin_ctz(rest))] = kNotWaiting;
  t.exec_mask |= m;
}

void wait_at(Thread& t, uint32_t channels, uint32_t pc) {
  for (uint32_t rest = channels; rest != 0; rest &= rest - 1)
    t.wait_pc[static_cast<uint32_t>(__builtin_ctz(rest))] = pc;
  t.exec_mask &= ~channels;
}

/// Channels whose predicate holds, as positions in the thread's execution mask. A predicated
/// branch changes only the channels inside its execution size. (W) branches act on all of them.
uint32_t taken_channels(const Thread& t, const Uop& u) {
  return (channel_mask(t, u) << u.channel_offset) & t.dispatch_mask;
}
uint32_t governed_channels(const Thread& t, const Uop& u) {
  const uint32_t scope = u.lanes << u.channel_offset;
  return (u.no_mask ? t.dispatch_mask : t.exec_mask) & scope;
}

/// Whether no channel that the instruction governs goes on here. Code for one item (explicit SIMD) runs with all 32
/// channels enabled and branches with 16: the others say nothing.
bool none_left(const Thread& t, const Uop& u) { return (t.exec_mask & (u.lanes << u.channel_offset)) == 0; }

/// No channel is left here: the thread goes to JIP, where waiting channels go on.
void leave_to_jip(Thread& t, const Uop& u) {
  enable_waiting_at(t, u.pc_jip);
  jump_to(t, u.target_jip);
}

/// goto: taken channels go to UIP, the others to the next instruction. goto follows those not
/// taken and jumps to JIP if none are left; goto.b follows the taken ones.
void do_goto(Thread& t, const Uop& u) {
  const uint32_t taken = taken_channels(t, u);
  const uint32_t governed = governed_channels(t, u);
  if (u.inst->branch_ctrl) {
    if (taken == 0) return;
    wait_at(t, governed & ~taken, u.pc_next);
    t.exec_mask |= taken;
    enable_waiting_at(t, u.pc_uip);
    jump_to(t, u.target_uip);
    return;
  }
  wait_at(t, taken, u.pc_uip);
  if (none_left(t, u)) leave_to_jip(t, u);
}

void do_join(Thread& t, const Uop& u) {
  enable_waiting_at(t, u.pc);
  if (none_left(t, u) && u.pc_jip != kNotWaiting) leave_to_jip(t, u);
}

/// Channels that fail wait at JIP: the first instruction of the else part, or the endif.
void do_if(Thread& t, const Uop& u) {
  const uint32_t failing = governed_channels(t, u) & ~taken_channels(t, u);
  wait_at(t, failing, u.pc_jip);
  if (none_left(t, u)) leave_to_jip(t, u);
}

/// The channels of the first part wait at the endif; those waiting for the else part, which
/// begins right after this instruction, go on.
void do_else(Thread& t, const Uop& u) {
  wait_at(t, governed_channels(t, u), u.pc_jip);
  enable_waiting_at(t, u.pc_next);
  if (none_left(t, u)) leave_to_jip(t, u);
}

void do_endif(Thread& t, const Uop& u) {
  enable_waiting_at(t, u.pc);
  if (none_left(t, u) && u.pc_jip != kNotWaiting) leave_to_jip(t, u);
}

/// Channels whose predicate holds run the loop again; the others leave and wait behind the while.
void do_while(Thread& t, const Uop& u) {
  enable_waiting_at(t, u.pc);  // channels that met `cont`
  const uint32_t again = taken_channels(t, u);
  const uint32_t leaving = governed_channels(t, u) & ~again;
  if (again != 0) {
    wait_at(t, leaving, u.pc_next);
    jump_to(t, u.target_jip);
    return;
  }
  enable_waiting_at(t, u.pc_next);
}

const Code& code_of(const Thread& t) { return *t.worker->context->code; }

/// break: channels wait behind the while at UIP.
void do_break(Thread& t, const Uop& u) {
  const isa::Program& program = *code_of(t).program;
  const int32_t at = program.index_of(u.pc_uip);
  const uint32_t size = at < 0 ? 16u : program.instructions()[static_cast<uint32_t>(at)].size;
  wait_at(t, taken_channels(t, u), u.pc_uip + size);
  if (none_left(t, u)) leave_to_jip(t, u);
}

/// cont waits for the while at UIP, halt for the end at UIP.
void do_wait_at_uip(Thread& t, const Uop& u) {
  wait_at(t, taken_channels(t, u), u.pc_uip);
  if (none_left(t, u)) leave_to_jip(t, u);
}

void jump_to_pc(Thread& t, const Uop& u, uint32_t pc) {
  if (code_of(t).program->index_of(pc) < 0)
    raise_fault(FaultKind::UnknownInstruction, u.pc, -1, "jump to a pc where no instruction starts");
  jump_to(t, code_of(t).uop_at(pc));
}

uint32_t register_target(const Thread& t, const Uop& u) {
  uint32_t v;
  std::memcpy(&v, t.at(u.src[0].offset), 4);
  return v;
}

/// jmpi is uniform: one channel's predicate decides. A register holds a byte offset relative to
/// the instruction itself (library-kernels.md section 2, item 8).
void do_jmpi(Thread& t, const Uop& u) {
  if ((channel_mask(t, u) & 1u) == 0) return;
  if (u.inst->jip >= 0)
    jump_to(t, u.target_jip);
  else
    jump_to_pc(t, u, u.pc + register_target(t, u));
}

/// brd / brc: all channels that take it go to JIP; in machine code of our compilers the whole
/// thread does, divergence is expressed by goto/join.
void do_brd(Thread& t, const Uop& u) {
  const uint32_t taken = taken_channels(t, u);
  if (taken == 0) return;
  if (u.inst->jip >= 0) {
    wait_at(t, governed_channels(t, u) & ~taken, u.inst->uip >= 0 ? u.pc_uip : u.pc_next);
    jump_to(t, u.target_jip);
    return;
  }
  if (taken != governed_channels(t, u))
    raise_fault(FaultKind::UnsupportedOnDevice, u.pc, -1, "divergent register-indirect branch");
  jump_to_pc(t, u, u.pc + register_target(t, u));
}

/// call writes {return pc, channels of the caller}; calla takes an absolute target.
void do_call(Thread& t, const Uop& u) {
  const uint32_t taken = taken_channels(t, u);
  if (taken == 0 && !u.no_mask) return;
  const uint32_t link[2] = {u.pc_next, t.exec_mask};
  std::memcpy(t.at(u.dst.offset), link, sizeof link);
  if (!u.no_mask) {
    wait_at(t, governed_channels(t, u) & ~taken, u.pc_next);
    t.exec_mask = taken;
  }
  if (u.inst->jip >= 0)
    jump_to(t, u.target_jip);
  else
    jump_to_pc(t, u, u.inst->op == Opcode::Calla ? register_target(t, u) : u.pc + register_target(t, u));
}

void do_ret(Thread& t, const Uop& u) {
  const uint32_t taken = taken_channels(t, u);
  if (taken == 0 && !u.no_mask) return;
  uint32_t link[2];
  std::memcpy(link, t.at(u.src[0].offset), sizeof link);
  if (taken != governed_channels(t, u)) {  // the rest of the channels still runs the callee
    wait_at(t, taken, link[0]);
    return;
  }
  t.exec_mask = link[1] & t.dispatch_mask;
  for (uint32_t c = 0; c < 32; ++c)
    if ((t.exec_mask >> c) & 1u) t.wait_pc[c] = kNotWaiting;
  jump_to_pc(t, u, link[0]);
}

/// sync.bar without an operand waits for the group's barrier, which on Xe2 is barrier 0; other
/// operands (an immediate or a flag) name a named barrier, and so does 0 if the thread signalled it as one.
void do_barrier_wait(Thread& t, const Uop& u) {
  constexpr uint32_t kIdMask = 0x1F;  // 32 named barriers
  const isa::Operand& operand = u.inst->src[0];
  uint32_t id = 0;
  if (operand.exists() && !operand.is_null())
    id = static_cast<uint32_t>(operand.kind == isa::OperandKind::Immediate ? operand.imm : register_target(t, u)) &
         kIdMask;
  if (id == 0 && (t.named_signals & 1u) == 0) {
    wait_barrier(t, u.pc);
  } else {
    wait_named_barrier(t, u.pc, id);
  }
}

void do_illegal(Thread&, const Uop& u) {
  raise_fault(FaultKind::UnknownInstruction, u.pc, -1, "illegal instruction reached");
}

struct ControlRow {
  Opcode op;
  Handler fn;
};
constexpr ControlRow kControl[] = {
    {Opcode::Goto, do_goto},
    {Opcode::Join, do_join},
    {Opcode::If, do_if},
    {Opcode::Else, do_else},
    {Opcode::Endif, do_endif},
    {Opcode::While, do_while},
    {Opcode::Break, do_break},
    {Opcode::Continue, do_wait_at_uip},
    {Opcode::Halt, do_wait_at_uip},
    {Opcode::Jmpi, do_jmpi},
    {Opcode::Brd, do_brd},
    {Opcode::Brc, do_brd},
    {Opcode::Call, do_call},
    {Opcode::Calla, do_call},
    {Opcode::Ret, do_ret},
    {Opcode::Illegal, do_illegal},
};

}  // namespace

Handler control_handler(const isa::Instruction& inst) {
  if (inst.op == Opcode::Sync) return inst.sync_fn == isa::SyncFn::Bar ? do_barrier_wait : nullptr;
  for (const ControlRow& row : kControl)
    if (row.op == inst.op) return row.fn;
  return nullptr;
}

bool ends_block(const isa::Instruction& inst) {
  if (inst.end_of_thread) return true;
  if (inst.is_send() && (inst.msg.end_of_thread || inst.msg.sfid == isa::Sfid::Gateway)) return true;
  return control_handler(inst) != nullptr;
}

}  // namespace xeforge::machine
