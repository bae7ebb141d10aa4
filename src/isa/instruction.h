// SPDX-License-Identifier: Apache-2.0
//
// One decoded Xe instruction as plain, immutable data. Nothing here knows how an
// instruction is executed, timed or encoded; decode.h produces these, the other rooms read them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "isa/message.h"
#include "isa/opcode.h"
#include "isa/types.h"

namespace xeforge::isa {

/// Register region `<V;W,H>` of a source, in elements; destinations use only `h`.
/// Always normalised by the decoder: a 3-source `<v;h>`/`<h>` form, an absent width or a
/// destination stride of 0 never reach a reader. Element i of a source sits at
/// `(i / w) * v + (i % w) * h` elements after the origin. For register-indirect VxH / Vx1
/// regions `vxh` is set: every w elements take the next a0 sub-register (v is then unused).
struct Region {
  uint8_t v = 0;
  uint8_t w = 1;
  uint8_t h = 0;
  bool vxh = false;

  constexpr bool is_scalar() const { return !vxh && v == 0 && h == 0; }
  /// True if elements 0..n-1 follow one another without gaps.
  constexpr bool is_contiguous(unsigned n) const {
    if (vxh) return false;
    if (n <= 1) return true;
    if (w >= n) return h == 1;
    return w == 1 ? v == 1 : (h == 1 && v == w);
  }
  constexpr bool operator==(const Region&) const = default;
};

enum class OperandKind : uint8_t { None, Direct, Indirect, Immediate };

struct Operand {
  OperandKind kind = OperandKind::None;
  RegFile file = RegFile::Null;
  DataType type = DataType::UD;
  Region region;
  uint16_t reg = 0;         ///< register number (GRF r<n>, acc<n>, f<n>, ...)
  uint16_t sub_bytes = 0;   ///< origin within the register in bytes (already scaled by the type)
  uint8_t addr_subreg = 0;  ///< indirect: first a0 word sub-register
  int16_t addr_offset = 0;  ///< indirect: immediate byte offset added to a0.n
  bool negate = false;      ///< arithmetic: -x; logic opcodes: bitwise not
  bool absolute = false;
  uint8_t mme = 0;   ///< madm / math.invm: mme register number, 8 = nomme
  uint64_t imm = 0;  ///< immediate bits, zero-extended from the type's width (V/UV/VF: 32 packed bits)

  constexpr bool exists() const { return kind != OperandKind::None; }
  constexpr bool is_null() const { return kind == OperandKind::Direct && file == RegFile::Null; }
};

enum class SwsbDist : uint8_t { None, Any, Float, Int, Long, Math, Scalar, SelfPipe };
enum class SwsbToken : uint8_t { None, Set, Src, Dst };

/// Software scoreboard annotation: in-order distance on a pipe and/or an out-of-order token.
struct Swsb {
  SwsbDist dist_pipe = SwsbDist::None;
  uint8_t dist = 0;
  SwsbToken token_kind = SwsbToken::None;
  uint8_t token = 0;
  bool no_acc_sb_set = false;  ///< Xe2 {NoAccSBSet}: no scoreboard entry for the accumulator
};

struct DpasShape {
  uint8_t systolic_depth = 0;
  uint8_t repeat_count = 0;
};

struct Instruction {
  uint32_t pc = 0;    ///< byte offset in the kernel's text section
  uint8_t size = 16;  ///< 16, or 8 when compacted
  Opcode op = Opcode::Illegal;
  uint8_t exec_size = 1;
  uint8_t channel_offset = 0;  ///< M0..M28: first channel of masks and flags
  bool no_mask = false;        ///< (W)
  PredCtrl pred = PredCtrl::None;
  bool pred_inverse = false;
  FlagMod cond_mod = FlagMod::None;
  uint8_t flag_reg = 0;  ///< f<reg>.<subreg> used by predicate and conditional modifier
  uint8_t flag_subreg = 0;
  bool saturate = false;
  bool acc_wr_en = false;  ///< {AccWrEn}
  bool atomic = false;     ///< {Atomic}
  bool end_of_thread = false;
  bool branch_ctrl = false;  ///< goto.b and friends
  bool fwd = false;

  MathFn math_fn = MathFn::None;
  SyncFn sync_fn = SyncFn::None;
  uint8_t bfn_lut = 0;
  DpasShape dpas;

  Operand dst;
  std::array<Operand, 3> src;
  uint8_t num_src = 0;

  /// Absolute byte pc of the branch targets; -1 if the instruction has none. An indirect
  /// jmpi/brc/calla keeps -1 here and the target in src[0].
  int32_t jip = -1;
  int32_t uip = -1;

  Swsb swsb;
  Message msg;  ///< valid for Send/Sendc only

  bool is_send() const { return op == Opcode::Send || op == Opcode::Sendc; }
};

}  // namespace xeforge::isa
