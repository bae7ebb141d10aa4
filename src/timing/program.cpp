// SPDX-License-Identifier: Apache-2.0
#include "timing/program.h"

#include <algorithm>

namespace xeforge::timing {
namespace {

using isa::Instruction;
using isa::OpClass;
using isa::Opcode;

bool is_wide(isa::DataType type) {
  return type == isa::DataType::Q || type == isa::DataType::UQ || type == isa::DataType::DF;
}

// The pipe follows the execution type, which the sources decide (PRM volume 7, "Execution Data Type").
Pipe pipe_of(const Instruction& i) {
  bool any = false, is_float = false, wide = i.dst.exists() && !i.dst.is_null() && is_wide(i.dst.type);
  for (unsigned s = 0; s < i.num_src; ++s) {
    const isa::Operand& source = i.src[s];
    if (!source.exists() || source.is_null()) continue;
    any = true;
    is_float |= isa::is_float(source.type) || source.type == isa::DataType::VF;
    wide |= is_wide(source.type);
  }
  if (!any) is_float = i.dst.exists() && isa::is_float(i.dst.type);
  if (wide) return Pipe::Long;
  return is_float ? Pipe::Float : Pipe::Int;
}

/// Registers that the widest operand covers: an engine is one register wide.
double passes(const Instruction& i, unsigned grf_bytes) {
  unsigned element = i.dst.exists() ? isa::bytes_of(i.dst.type) : 0;
  for (unsigned s = 0; s < i.num_src; ++s) {
    const isa::Operand& source = i.src[s];
    if (source.exists() && !source.is_null() && source.kind != isa::OperandKind::Immediate)
      element = std::max(element, isa::bytes_of(source.type));
  }
  return std::max(1U, (element * i.exec_size + grf_bytes - 1) / grf_bytes);
}

bool multiplies_dwords(const Instruction& i) {
  switch (i.op) {
    case Opcode::Mul:
    case Opcode::Mach:
    case Opcode::Macl:
    case Opcode::Mad:
      break;
    default:
      return false;
  }
  unsigned wide = 0;
  for (unsigned s = 0; s < i.num_src; ++s) {
    if (i.src[s].exists() && !isa::is_float(i.src[s].type) && isa::bytes_of(i.src[s].type) >= 4) ++wide;
  }
  return wide >= 2;
}

double by_width(unsigned exec_size, unsigned native, double one, double two, double four) {
  // IGC's rows are for SIMD8, 16 and 32; on engines of 16 lanes the first two are one pass.
  if (native == 16) return exec_size <= 16 ? two : four;
  return exec_size <= 8 ? one : exec_size <= 16 ? two : four;
}

/// Tokens of a sync.allrd or sync.allwr: an immediate has a bit for each, without one it is all (PRM volume 7, "sync").
uint32_t tokens_of(const Instruction& i) {
  const bool some = i.src[0].exists() && !i.src[0].is_null() && i.src[0].kind == isa::OperandKind::Immediate;
  return some ? static_cast<uint32_t>(i.src[0].imm) : UINT32_MAX;
}

TimedOp make(const Instruction& i, const Parameters& p) {
  TimedOp op;
  op.dist_pipe = i.swsb.dist_pipe;
  op.dist = i.swsb.dist;
  op.token_kind = i.swsb.token_kind;
  op.token = i.swsb.token;
  op.next = op.taken = std::max(kTicksPerClock, ticks(p.thread_issue));
  const double alu_latency = by_width(i.exec_size, p.simd_width, p.alu8, p.alu16, p.alu32);
  switch (isa::info(i.op).cls) {
    case OpClass::Mov:
    case OpClass::Alu:
    case OpClass::Logic:
    case OpClass::Compare: {
      op.pipe = pipe_of(i);
      op.port = op.pipe == Pipe::Float ? Port::Float : Port::Int;
      const double one = op.port == Port::Float ? p.float_pass : p.int_pass;
      const double n = passes(i, p.grf_bytes);
      op.occupancy = ticks(n * one * (multiplies_dwords(i) ? p.mul32_factor : 1));
      // The table's latencies are those of an engine that takes a pass a clock.
      op.latency = ticks(alu_latency) + std::max<Ticks>(0, op.occupancy - ticks(n));
      break;
    }
    case OpClass::Math: {
      op.port = Port::Math;
      op.occupancy = ticks(passes(i, p.grf_bytes) * p.math_factor);
      op.latency = ticks(by_width(i.exec_size, p.simd_width, p.math8, p.math16, p.math32));
      if (op.token_kind != isa::SwsbToken::Set) op.pipe = Pipe::Math;
      break;
    }
    case OpClass::Dpas: {
      op.port = Port::Matrix;
      const unsigned rows = i.dpas.repeat_count;
      op.occupancy = ticks(p.dpas8x8 * rows / 8.0);
      op.latency = ticks(rows <= 1   ? p.dpas1
                         : rows == 2 ? p.dpas2
                                     : p.dpas8) +
                   std::max<Ticks>(0, op.occupancy - ticks(2.0 * rows));
      op.holds_matrix = i.atomic && p.atomic_dpas_locks != 0;
      break;
    }
    case OpClass::Send:
      op.port = Port::Send;
      op.occupancy = ticks(p.send_issue);
      op.ends_thread = i.end_of_thread || i.msg.end_of_thread || i.msg.kind == isa::MessageKind::EndOfThread;
      op.transposed = i.msg.transposed;
      op.narrow = !i.msg.transposed && isa::memory_bytes(i.msg.data_size) < 4;
      op.bypasses_l1 = i.msg.l1 == isa::CachePolicy::Uncached || i.msg.l1 == isa::CachePolicy::Streaming;
      op.payload = static_cast<uint8_t>(i.msg.src0_len + i.msg.src1_len);
      op.returned = i.msg.dst_len;
      if (i.msg.kind == isa::MessageKind::Store)
        op.stored = static_cast<uint16_t>(i.msg.vector_size * isa::memory_bytes(i.msg.data_size));
      break;
    case OpClass::Sync:
      op.port = Port::Control;
      switch (i.sync_fn) {
        case isa::SyncFn::Allrd:
          op.sync = SyncKind::AllRead;
          op.tokens = tokens_of(i);
          break;
        case isa::SyncFn::Allwr:
          op.sync = SyncKind::AllWritten;
          op.tokens = tokens_of(i);
          break;
        case isa::SyncFn::Bar:
          op.sync = SyncKind::Barrier;
          // IGC writes `sync.bar null` for Xe-HPG and `sync.bar 0` for Xe2.
          op.null_barrier = !i.src[0].exists() || i.src[0].is_null() ||
                            (i.src[0].kind == isa::OperandKind::Immediate && i.src[0].imm == 0);
          break;
        default:
          op.sync = SyncKind::Plain;
          break;
      }
      break;
    case OpClass::Control:
      op.port = Port::Control;
      op.taken = std::max(op.next, ticks(p.branch));
      break;
    case OpClass::Other:
      op.port = Port::Control;
      break;
  }
  return op;
}

}  // namespace

TimedProgram::TimedProgram(const isa::Program& program, const Parameters& parameters) {
  for (const Instruction& i : program.instructions()) ops_.push_back(make(i, parameters));
}

}  // namespace xeforge::timing
