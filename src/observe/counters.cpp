// SPDX-License-Identifier: Apache-2.0
#include "observe/counters.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "isa/opcode.h"

namespace xeforge::observe {
namespace {

using isa::Instruction;
using isa::Message;
using isa::MessageKind;
using isa::OpClass;
using isa::Opcode;
using isa::Sfid;

// The pipe follows the execution type, which the sources decide (PRM volume 7, "Execution Data Type");
// without sources it is the destination's.
bool executes_as_float(const Instruction& instruction) {
  bool any_source = false;
  for (unsigned i = 0; i < instruction.num_src; ++i) {
    const isa::Operand& source = instruction.src[i];
    if (source.exists() && !source.is_null()) {
      any_source = true;
      if (isa::is_float(source.type) || source.type == isa::DataType::VF) {
        return true;
      }
    }
  }
  return !any_source && isa::is_float(instruction.dst.type);
}

uint64_t Counters::*class_of(const Instruction& instruction) {
  switch (isa::info(instruction.op).cls) {
    case OpClass::Mov:
      return &Counters::mov;
    case OpClass::Alu:
    case OpClass::Logic:
    case OpClass::Compare:
      return executes_as_float(instruction) ? &Counters::alu_float : &Counters::alu_int;
    case OpClass::Math:
      return &Counters::math;
    case OpClass::Dpas:
      return &Counters::dpas;
    case OpClass::Send:
      return &Counters::send;
    case OpClass::Sync:
      return &Counters::sync;
    case OpClass::Control:
      return &Counters::control;
    case OpClass::Other:
      return &Counters::other;
  }
  return &Counters::other;
}

enum class Space { None, Global, Slm, Scratch };

Space space_of(const Message& m) {
  if (m.kind == MessageKind::ScratchBlockRead || m.kind == MessageKind::ScratchBlockWrite ||
      m.model == isa::AddressModel::Ss) {
    return Space::Scratch;
  }
  constexpr uint8_t kSlmSurface = 0xFE;  // legacy data ports reach local memory through this binding table index
  const bool legacy = m.sfid == Sfid::Dc0 || m.sfid == Sfid::Dc1;
  if (m.sfid == Sfid::Slm || (legacy && m.model == isa::AddressModel::Bti && m.bti == kSlmSurface)) {
    return Space::Slm;
  }
  return Space::Global;
}

enum class Access { None, Load, Store, Atomic, Fence };

Access access_of(MessageKind kind) {
  switch (kind) {
    case MessageKind::Load:
    case MessageKind::LoadCmask:
    case MessageKind::LoadBlock2d:
    case MessageKind::OwordBlockRead:
    case MessageKind::AlignedOwordBlockRead:
    case MessageKind::ScratchBlockRead:
    case MessageKind::DwordScatteredRead:
    case MessageKind::ByteScatteredRead:
    case MessageKind::QwordScatteredRead:
    case MessageKind::UntypedSurfaceRead:
    case MessageKind::A64BlockRead:
    case MessageKind::A64ScatteredRead:
    case MessageKind::A64UntypedRead:
      return Access::Load;
    case MessageKind::Store:
    case MessageKind::StoreCmask:
    case MessageKind::StoreBlock2d:
    case MessageKind::OwordBlockWrite:
    case MessageKind::ScratchBlockWrite:
    case MessageKind::DwordScatteredWrite:
    case MessageKind::ByteScatteredWrite:
    case MessageKind::QwordScatteredWrite:
    case MessageKind::UntypedSurfaceWrite:
    case MessageKind::A64BlockWrite:
    case MessageKind::A64ScatteredWrite:
    case MessageKind::A64UntypedWrite:
      return Access::Store;
    case MessageKind::Atomic:
    case MessageKind::UntypedAtomic:
    case MessageKind::A64UntypedAtomic:
      return Access::Atomic;
    case MessageKind::Fence:
    case MessageKind::LegacyMemoryFence:
      return Access::Fence;
    case MessageKind::Unknown:
    case MessageKind::BarrierSignal:
    case MessageKind::NamedBarrierSignal:
    case MessageKind::EndOfThread:
      return Access::None;
  }
  return Access::None;
}

uint64_t Counters::*memory_counter(const Message& m) {
  const Access access = access_of(m.kind);
  if (access == Access::None) {
    return nullptr;
  }
  if (access == Access::Fence) {
    return &Counters::fences;
  }
  if (access == Access::Atomic) {
    return &Counters::atomics;
  }
  if (m.is_prefetch()) {
    return &Counters::prefetches;
  }
  switch (space_of(m)) {
    case Space::Scratch:
      return &Counters::scratch;
    case Space::Slm:
      return access == Access::Load ? &Counters::slm_loads : &Counters::slm_stores;
    case Space::Global:
      return access == Access::Load ? &Counters::global_loads : &Counters::global_stores;
    case Space::None:
      break;
  }
  return nullptr;
}

bool same_place(const isa::Operand& a, const isa::Operand& b) {
  return a.file == b.file && a.reg == b.reg && a.sub_bytes == b.sub_bytes;
}

// IGC puts `dpas rD null rX rX {Atomic}` in front of `dpas rD rD B A` on DG2 (createADummyDpasRSWAInst): a dpas with a
// null accumulator whose next instruction is one of the same shape and destination that accumulates.
bool is_dummy_dpas(const isa::Program& program, std::size_t index) {
  const auto instructions = program.instructions();
  const Instruction& self = instructions[index];
  if (program.platform() != isa::Platform::XeHpg || (self.op != Opcode::Dpas && self.op != Opcode::Dpasw) ||
      !self.atomic || !self.src[0].is_null() || index + 1 >= instructions.size()) {
    return false;
  }
  const Instruction& next = instructions[index + 1];
  return next.op == self.op && !next.src[0].is_null() && next.dpas.systolic_depth == self.dpas.systolic_depth &&
         next.dpas.repeat_count == self.dpas.repeat_count && next.exec_size == self.exec_size &&
         same_place(next.dst, self.dst);
}

// Passes through a pipe that is one register wide: the widest of destination and sources decides (library-kernels.md
// section 3).
uint64_t passes(const Instruction& instruction, unsigned grf_bytes) {
  unsigned element = instruction.dst.exists() ? isa::bytes_of(instruction.dst.type) : 0;
  for (unsigned i = 0; i < instruction.num_src; ++i) {
    const isa::Operand& source = instruction.src[i];
    const bool sized = source.exists() && !source.is_null() && source.kind != isa::OperandKind::Immediate;
    if (sized) element = std::max<unsigned>(element, isa::bytes_of(source.type));
  }
  return std::max<uint64_t>(1, (uint64_t{element} * instruction.exec_size + grf_bytes - 1) / grf_bytes);
}

void add_slots(const Instruction& instruction, unsigned grf_bytes, uint64_t times, Counters& total) {
  switch (isa::info(instruction.op).cls) {
    case OpClass::Mov:
    case OpClass::Alu:
    case OpClass::Logic:
    case OpClass::Compare:
      (executes_as_float(instruction) ? total.alu0_slots : total.alu1_slots) += times * passes(instruction, grf_bytes);
      return;
    case OpClass::Math:
      total.alu0_slots += times * passes(instruction, grf_bytes);
      return;
    case OpClass::Dpas:
      // 16 for 8 rows: measured (library-kernels.md section 4).
      total.xmx_slots += times * 2 * instruction.dpas.repeat_count;
      return;
    default:
      return;
  }
}

}  // namespace

Counters& Counters::operator+=(const Counters& o) {
  for (const CounterRow& row : counter_table()) {
    this->*row.field += o.*row.field;
  }
  return *this;
}

Counters count(const isa::Program& program, const machine::ExecutionCounts& executed) {
  const auto instructions = program.instructions();
  // A launch that failed before its first group has no counts at all.
  if (!executed.executed.empty() && executed.executed.size() != instructions.size()) {
    throw std::invalid_argument("counters: " + std::to_string(executed.executed.size()) + " counts for " +
                                std::to_string(instructions.size()) + " instructions");
  }
  Counters total;
  for (std::size_t i = 0; i < executed.executed.size(); ++i) {
    const uint64_t times = executed.executed[i];
    if (times == 0) {
      continue;
    }
    const Instruction& instruction = instructions[i];
    total.instructions += times;
    total.*class_of(instruction) += times;
    add_slots(instruction, isa::grf_bytes(program.platform()), times, total);
    if (is_dummy_dpas(program, i)) {
      total.dpas_dummy += times;
    }
    if (!instruction.is_send()) {
      continue;
    }
    const Message& m = instruction.msg;
    total.send_payload_grf += times * (m.src0_len + m.src1_len);
    total.send_return_grf += times * m.dst_len;
    total.send_slots += times * (m.src0_len + m.src1_len);
    if (m.kind == MessageKind::BarrierSignal || m.kind == MessageKind::NamedBarrierSignal) {
      total.barriers += times;
      total.send_slots += times;
    }
    if (uint64_t Counters::*counter = memory_counter(m)) {
      total.*counter += times;
    }
  }
  return total;
}

const std::vector<CounterRow>& counter_table() {
  static const std::vector<CounterRow> table{
      {"instructions", &Counters::instructions, "instructions executed by hardware threads, whatever their masks"},
      {"send", &Counters::send, "messages to memory, local memory and the gateway, the end of a thread included"},
      {"dpas", &Counters::dpas, "dpas and dpasw"},
      {"alu_int", &Counters::alu_int, "arithmetic, logic and comparison with an integer execution type"},
      {"alu_float", &Counters::alu_float, "arithmetic and comparison with a float execution type"},
      {"mov", &Counters::mov, "mov and movi of all types"},
      {"math", &Counters::math, "extended math: inverse, square root, exponential, division"},
      {"sync", &Counters::sync, "sync.*: waits for the scoreboard, memory and barriers"},
      {"control", &Counters::control, "branches, joins, calls and returns"},
      {"other", &Counters::other, "nop and what fits no other class"},
      {"barriers", &Counters::barriers, "barrier signals: one for each hardware thread and barrier"},
      {"send_payload_grf", &Counters::send_payload_grf, "registers that messages read as payload (mlen + ex_mlen)"},
      {"send_return_grf", &Counters::send_return_grf, "registers that messages write (rlen)"},
      {"alu0_slots", &Counters::alu0_slots, "execution slots of the float pipe, extended math included (metric ALU0)"},
      {"alu1_slots", &Counters::alu1_slots, "execution slots of the integer pipe (metric ALU1)"},
      {"xmx_slots", &Counters::xmx_slots, "execution slots of the matrix engine, 2 for each row (metric XMX)"},
      {"send_slots", &Counters::send_slots, "payload registers plus one for each barrier, as the metric SEND measures"},
      {"dpas_dummy", &Counters::dpas_dummy,
       "of dpas: those that the compiler inserts for DG2's read suppression; they compute nothing"},
      {"global_loads", &Counters::global_loads, "load messages to global memory, prefetches excluded"},
      {"global_stores", &Counters::global_stores, "store messages to global memory"},
      {"slm_loads", &Counters::slm_loads, "load messages to shared local memory"},
      {"slm_stores", &Counters::slm_stores, "store messages to shared local memory"},
      {"atomics", &Counters::atomics, "atomic messages to global and local memory"},
      {"fences", &Counters::fences, "memory fence messages"},
      {"prefetches", &Counters::prefetches, "loads without a destination"},
      {"scratch", &Counters::scratch, "messages to scratch memory: spills, stack and private arrays"},
  };
  return table;
}

}  // namespace xeforge::observe
