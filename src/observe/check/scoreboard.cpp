// SPDX-License-Identifier: Apache-2.0
#include "observe/check/scoreboard.h"

#include <algorithm>

namespace xeforge::observe::check {
namespace {

using isa::DataType;
using isa::Instruction;
using isa::Opcode;
using isa::Operand;
using isa::Platform;
using isa::SwsbDist;
using isa::SwsbToken;

bool is_jump(Opcode op) {
  switch (op) {
    case Opcode::Jmpi:
    case Opcode::If:
    case Opcode::Else:
    case Opcode::Endif:
    case Opcode::Break:
    case Opcode::Join:
    case Opcode::Continue:
    case Opcode::While:
    case Opcode::Brc:
    case Opcode::Brd:
    case Opcode::Goto:
    case Opcode::Call:
    case Opcode::Calla:
    case Opcode::Ret:
      return true;
    default:
      return false;
  }
}

bool is_quad(DataType t) { return t == DataType::Q || t == DataType::UQ; }
bool is_long(DataType t, Platform platform) { return t == DataType::DF || (platform == Platform::XeHpg && is_quad(t)); }

/// In-order instructions of the same pipe that have to be issued before a result is there for sure (IGC
/// SWSB_MAX_ALU_DEPENDENCE_DISTANCE and its neighbours).
uint8_t longest_latency(Pipe p) {
  switch (p) {
    case Pipe::Long:
      return 15;
    case Pipe::Math:
      return 18;
    default:
      return 10;
  }
}

void add_region(RegisterBytes& out, const Operand& o, unsigned exec_size, bool destination, unsigned grf) {
  if (o.kind != isa::OperandKind::Direct || o.file != isa::RegFile::Grf) return;
  const unsigned size = isa::bytes_of(o.type);
  const uint32_t origin = o.reg * grf + o.sub_bytes;
  for (unsigned i = 0; i < exec_size; ++i) {
    const unsigned w = std::max<unsigned>(o.region.w, 1);
    const unsigned element = destination ? i * o.region.h : i / w * o.region.v + i % w * o.region.h;
    out.add(origin + element * size, size, grf);
  }
}

void add_registers(RegisterBytes& out, const Operand& o, unsigned count, unsigned grf) {
  if (o.kind == isa::OperandKind::Direct && o.file == isa::RegFile::Grf && count != 0)
    out.add(o.reg * grf, count * grf, grf);
}

bool indirect_grf(const Operand& o) { return o.kind == isa::OperandKind::Indirect; }

void schedule_dpas(Scheduled& s, const Instruction& inst, unsigned grf) {
  const unsigned rows = inst.dpas.repeat_count, depth = inst.dpas.systolic_depth;
  const unsigned columns = grf / 4;
  const auto offset = [&](const Operand& o) { return uint32_t{o.reg} * grf + o.sub_bytes; };
  const auto add = [&](RegisterBytes& to, const Operand& o, uint32_t bytes) {
    if (o.kind == isa::OperandKind::Direct && o.file == isa::RegFile::Grf) to.add(offset(o), bytes, grf);
  };
  add(s.reads, inst.src[0], rows * columns * isa::bytes_of(inst.src[0].type));
  add(s.reads, inst.src[1], depth * grf);
  // A row of A is one dword for each step of the systolic array; dpasw: half of the rows are this thread's.
  const unsigned own_rows = inst.op == Opcode::Dpasw ? (rows + 1) / 2 : rows;
  add(s.reads, inst.src[2], own_rows * depth * 4);
  if (!s.dummy) add(s.writes, inst.dst, rows * columns * isa::bytes_of(inst.dst.type));
}

void schedule_send(Scheduled& s, const Instruction& inst, unsigned grf) {
  const isa::Message& m = inst.msg;
  if (m.desc_in_reg || m.src1_len_in_reg) {
    s.unresolved = true;
    return;
  }
  add_registers(s.reads, inst.src[0], m.src0_len, grf);
  add_registers(s.reads, inst.src[1], m.src1_len, grf);
  add_registers(s.writes, inst.dst, m.dst_len, grf);
}

}  // namespace

Pipe pipe_of(const Instruction& inst, Platform platform) {
  if (inst.is_send()) return Pipe::Send;
  switch (inst.op) {
    case Opcode::Dpas:
    case Opcode::Dpasw:
      return Pipe::Dpas;
    case Opcode::Math:
      return platform == Platform::XeHpg ? Pipe::MathToken : Pipe::Math;
    case Opcode::Sync:
    case Opcode::Nop:
    case Opcode::Illegal:
    case Opcode::Halt:
      return Pipe::None;
    default:
      break;
  }
  if (is_jump(inst.op)) return Pipe::Int;
  bool is_long_instruction = is_long(inst.dst.type, platform);
  for (unsigned i = 0; i < inst.num_src && platform == Platform::XeHpg; ++i)
    is_long_instruction |= is_long(inst.src[i].type, platform);
  if (is_long_instruction) return Pipe::Long;
  return isa::is_float(inst.dst.type) ? Pipe::Float : Pipe::Int;
}

namespace {

uint8_t bit(Pipe p) { return static_cast<uint8_t>(1u << static_cast<unsigned>(p)); }

uint8_t operand_pipes(const Instruction& inst, Pipe own, Platform platform) {
  uint8_t pipes = 0;
  for (unsigned i = 0; i < inst.num_src; ++i) {
    const Operand& o = inst.src[i];
    if (o.kind == isa::OperandKind::Immediate || o.is_null()) continue;
    pipes |= bit(is_long(o.type, platform) ? Pipe::Long : isa::is_float(o.type) ? Pipe::Float : Pipe::Int);
  }
  return pipes != 0 ? pipes : bit(own);
}

}  // namespace

void RegisterBytes::add(uint32_t offset, uint32_t count, unsigned grf_bytes) {
  while (count != 0) {
    const auto reg = static_cast<uint16_t>(offset / grf_bytes);
    const uint32_t begin = offset % grf_bytes;
    const uint32_t n = std::min(count, grf_bytes - begin);
    const uint64_t bits = (n == 64 ? ~uint64_t{0} : (uint64_t{1} << n) - 1) << begin;
    auto at = std::lower_bound(parts.begin(), parts.end(), reg, [](const Part& p, uint16_t r) { return p.reg < r; });
    if (at == parts.end() || at->reg != reg) at = parts.insert(at, {reg, 0});
    at->bytes |= bits;
    offset += n;
    count -= n;
  }
}

int overlap(const RegisterBytes& a, const RegisterBytes& b) {
  auto x = a.parts.begin();
  auto y = b.parts.begin();
  while (x != a.parts.end() && y != b.parts.end()) {
    if (x->reg == y->reg) {
      if ((x->bytes & y->bytes) != 0) return x->reg;
      ++x;
      ++y;
    } else if (x->reg < y->reg) {
      ++x;
    } else {
      ++y;
    }
  }
  return -1;
}

bool covers(const RegisterBytes& outer, const RegisterBytes& inner) {
  return std::all_of(inner.parts.begin(), inner.parts.end(), [&](const RegisterBytes::Part& part) {
    return std::any_of(outer.parts.begin(), outer.parts.end(), [&](const RegisterBytes::Part& other) {
      return other.reg == part.reg && (part.bytes & ~other.bytes) == 0;
    });
  });
}

Scheduled schedule(const Instruction& inst, Platform platform) {
  const unsigned grf = isa::grf_bytes(platform);
  Scheduled s;
  s.inst = &inst;
  s.pipe = pipe_of(inst, platform);
  if (s.pipe == Pipe::None) return s;
  if (s.pipe == Pipe::Send) {
    schedule_send(s, inst, grf);
    return s;
  }
  if (s.pipe == Pipe::Dpas) {
    s.macro = inst.atomic;
    s.dummy = inst.atomic && inst.src[0].is_null() && platform == Platform::XeHpg;
    schedule_dpas(s, inst, grf);
    return s;
  }
  s.operand_pipes = operand_pipes(inst, s.pipe, platform);
  for (unsigned i = 0; i < inst.num_src; ++i) {
    add_region(s.reads, inst.src[i], inst.exec_size, false, grf);
    s.unresolved |= indirect_grf(inst.src[i]);
  }
  add_region(s.writes, inst.dst, inst.exec_size, true, grf);
  s.unresolved |= indirect_grf(inst.dst);
  return s;
}

// A result of dpas implies those of all earlier ones: the array works in order.
void Scoreboard::retire_token(State& state, int token, bool writes) const {
  size_t last_dpas = SIZE_MAX;
  for (size_t i = 0; i < state.size(); ++i) {
    if (state[i].token == token && state[i].pipe == Pipe::Dpas) last_dpas = i;
  }
  const auto done = [&](size_t i) {
    return state[i].token == token || (last_dpas != SIZE_MAX && i <= last_dpas && state[i].pipe == Pipe::Dpas);
  };
  // A message that has read its sources comes behind all earlier ones to its unit.
  for (size_t i = 0; i < state.size(); ++i) {
    if (!done(i)) continue;
    for (size_t earlier = 0; earlier < i; ++earlier) {
      if (read_in_order(program_[state[earlier].index], program_[state[i].index])) state[earlier].read = true;
    }
  }
  size_t kept = 0;
  for (size_t i = 0; i < state.size(); ++i) {
    const bool hit = done(i);
    if (hit && writes) continue;
    Pending p = state[i];
    p.read |= hit;
    state[kept++] = p;
  }
  state.resize(kept);
}

void Scoreboard::wait(State& state, const Instruction& inst, const Scheduled& s) const {
  const isa::Swsb& w = inst.swsb;
  if (w.dist_pipe != SwsbDist::None && w.dist != 0) {
    uint8_t which = UINT8_MAX;  // all of them
    switch (w.dist_pipe) {
      case SwsbDist::Float:
        which = bit(Pipe::Float);
        break;
      case SwsbDist::Int:
        which = bit(Pipe::Int);
        break;
      case SwsbDist::Long:
        which = bit(Pipe::Long);
        break;
      case SwsbDist::Math:
        which = bit(Pipe::Math);
        break;
      case SwsbDist::SelfPipe:
        if (s.operand_pipes != 0) which = s.operand_pipes;
        break;
      default:
        break;
    }
    std::erase_if(
        state, [&](const Pending& p) { return in_order(p.pipe) && (which & bit(p.pipe)) != 0 && p.age + 1 >= w.dist; });
  }
  if (w.token_kind == SwsbToken::Dst) retire_token(state, w.token, true);
  if (w.token_kind == SwsbToken::Src) retire_token(state, w.token, false);
  // A token that is given out again waits for its former owner; within a dpas macro it is the same owner.
  if (w.token_kind == SwsbToken::Set) {
    const bool joins =
        s.pipe == Pipe::Dpas && std::all_of(state.begin(), state.end(), [token = int{w.token}](const Pending& p) {
          return p.token != token || p.pipe == Pipe::Dpas;
        });
    if (!joins) retire_token(state, w.token, true);
  }
  if (inst.op != Opcode::Sync) return;
  if (inst.sync_fn != isa::SyncFn::Allrd && inst.sync_fn != isa::SyncFn::Allwr) return;
  const bool writes = inst.sync_fn == isa::SyncFn::Allwr;
  const bool masked = inst.num_src != 0 && inst.src[0].kind == isa::OperandKind::Immediate;
  const uint64_t mask = masked ? inst.src[0].imm : ~uint64_t{0};
  for (int token = 0; token < 32; ++token) {
    if ((mask >> token & 1u) != 0) retire_token(state, token, writes);
  }
}

bool Scoreboard::read_in_order(const Scheduled& earlier, const Scheduled& later) {
  const Instruction &a = *earlier.inst, &b = *later.inst;
  if (earlier.pipe != later.pipe) return false;
  if (earlier.pipe == Pipe::Send && a.msg.sfid != b.msg.sfid) return false;
  return true;
}

void Scoreboard::jump(State& state) {
  std::erase_if(state, [](const Pending& p) { return in_order(p.pipe); });
}

void Scoreboard::issue(State& state, uint32_t index, std::vector<Hazard>& hazards) const {
  const Scheduled& s = program_[index];
  const Instruction& inst = *s.inst;
  wait(state, inst, s);
  if (s.pipe == Pipe::None) return;

  uint32_t replaced = 0;
  for (Pending& p : state) {
    const Scheduled& other = program_[p.index];
    const bool same_in_order = in_order(p.pipe) && p.pipe == s.pipe;
    // Members of a dpas macro hand results on inside the array.
    const bool both_dpas = p.pipe == Pipe::Dpas && s.pipe == Pipe::Dpas;
    int reg = both_dpas ? -1 : overlap(s.reads, other.writes);
    if (reg >= 0) hazards.push_back({Kind::ReadTooEarly, index, p.index, reg});
    if (same_in_order || both_dpas) continue;
    reg = overlap(s.writes, other.writes);
    if (reg >= 0) {
      hazards.push_back({Kind::WriteOrder, index, p.index, reg});
      // Said once: who reads the register next reads what this instruction writes.
      if (covers(s.writes, other.writes)) {
        p.pipe = Pipe::None;
        ++replaced;
      }
    }
    if (p.read) continue;
    if (read_in_order(other, s)) {
      // Whoever overwrites these registers next has to wait for this write, and with it for that read.
      p.read = !other.reads.empty() && covers(s.writes, other.reads);
      continue;
    }
    reg = overlap(s.writes, other.reads);
    if (reg >= 0) hazards.push_back({Kind::OverwrittenTooEarly, index, p.index, reg});
  }

  if (replaced != 0) std::erase_if(state, [](const Pending& p) { return p.pipe == Pipe::None; });
  Pending mine;
  mine.index = index;
  mine.pipe = s.pipe;
  if (in_order(s.pipe)) {
    std::erase_if(state, [&](Pending& p) { return p.pipe == s.pipe && ++p.age >= longest_latency(p.pipe); });
  } else if (inst.swsb.token_kind == SwsbToken::Set) {
    mine.token = static_cast<int8_t>(inst.swsb.token);
    if (s.pipe == Pipe::Dpas) {
      for (Pending& p : state) {
        if (p.pipe == Pipe::Dpas && p.token < 0) p.token = mine.token;
      }
    }
  }
  if (!s.reads.empty() || !s.writes.empty() || in_order(s.pipe)) state.push_back(mine);
}

}  // namespace xeforge::observe::check
