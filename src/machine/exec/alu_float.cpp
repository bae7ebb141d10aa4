// SPDX-License-Identifier: Apache-2.0
//
// Float opcodes. Half and bf16 operands compute in float: 24 bits of precision make the second
// rounding harmless for add and mul; mad on them computes in double (translate.cpp chooses).
#include <cmath>

#include "machine/exec/alu.h"
#include "machine/exec/library_parts.h"

namespace xeforge::machine::XEFORGE_EXEC_NS {
namespace {

using isa::Opcode;

inline float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }

struct OpFAdd {
  static constexpr int sources = 2;
  static constexpr bool logic = false;
  template <class T>
  static T apply(T a, T b) {
    return a + b;
  }
};
struct OpFAdd3 {
  static constexpr int sources = 3;
  static constexpr bool logic = false;
  template <class T>
  static T apply(T a, T b, T c) {
    return a + b + c;
  }
};
struct OpFMul {
  static constexpr int sources = 2;
  static constexpr bool logic = false;
  template <class T>
  static T apply(T a, T b) {
    return a * b;
  }
};
// mad is fused: one rounding (PRM "mad").
struct OpFMad {
  static constexpr int sources = 3;
  static constexpr bool logic = false;
  template <class T>
  static T apply(T a, T b, T c) {
    return fused(b, c, a);
  }
};
struct OpFrc {
  static constexpr int sources = 1;
  static constexpr bool logic = false;
  template <class T>
  static T apply(T a) {
    return a - std::floor(a);
  }
};
struct OpRndd {
  static constexpr int sources = 1;
  static constexpr bool logic = false;
  template <class T>
  static T apply(T a) {
    return std::floor(a);
  }
};
struct OpRndu {
  static constexpr int sources = 1;
  static constexpr bool logic = false;
  template <class T>
  static T apply(T a) {
    return std::ceil(a);
  }
};
struct OpRndz {
  static constexpr int sources = 1;
  static constexpr bool logic = false;
  template <class T>
  static T apply(T a) {
    return std::trunc(a);
  }
};
struct OpRnde {
  static constexpr int sources = 1;
  static constexpr bool logic = false;
  template <class T>
  static T apply(T a) {
    return nearest_even(a);
  }
};

template <class T, int N>
void compare(Thread& t, const Uop& u) {
  const uint32_t mask = lane_mask(t, u);
  if (mask == 0) return;
  constexpr int kMax = N ? N : kMaxLanes;
  const int n = lane_count<N>(u);
  T a[kMax], b[kMax];
  fetch<T, N>(t, u, u.src[0], a);
  fetch<T, N>(t, u, u.src[1], b);
  uint32_t bits = 0;
  for (int i = 0; i < n; ++i) bits |= static_cast<uint32_t>(condition(u.cond_mod, a[i], b[i])) << i;
  // cmpn.ge / .l treats a NaN in src1 as "src0 wins" (PRM "cmpn").
  if (u.inst->op == Opcode::Cmpn)
    for (int i = 0; i < n; ++i) bits |= static_cast<uint32_t>(b[i] != b[i]) << i;
  set_flags(t, u, bits, mask);
  if (!u.dst.null) {
    // All ones in the destination's width, whatever its type.
    const uint32_t size = isa::bytes_of(u.dst.type);
    for (int i = 0; i < n; ++i) {
      if (!((mask >> i) & 1u)) continue;
      const uint64_t v = (bits >> i) & 1u ? ~0ull : 0;
      std::memcpy(t.at(u.dst.offset + static_cast<uint32_t>(i * u.dst.stride)), &v, size);
    }
  }
}

/// Minimum/maximum return the operand that is not NaN (PRM "sel": IEEE rules for .l and .ge).
template <class T, int N>
void select(Thread& t, const Uop& u) {
  constexpr int kMax = N ? N : kMaxLanes;
  const int n = lane_count<N>(u);
  const uint32_t enabled = u.no_mask ? u.lanes : (t.exec_mask >> u.channel_offset) & u.lanes;
  if (enabled == 0) return;
  T a[kMax], b[kMax], r[kMax];
  fetch<T, N>(t, u, u.src[0], a);
  fetch<T, N>(t, u, u.src[1], b);
  if (u.cond_mod != isa::FlagMod::None) {
    for (int i = 0; i < n; ++i) r[i] = b[i] != b[i] || condition(u.cond_mod, a[i], b[i]) ? a[i] : b[i];
    put<T, N>(t, u, r, lane_mask(t, u));
    return;
  }
  const uint32_t chosen = predicate_mask(t, u);
  for (int i = 0; i < n; ++i) r[i] = (chosen >> i) & 1u ? a[i] : b[i];
  put<T, N>(t, u, r, enabled);
}

template <class T>
Handler handler_for(Opcode op, unsigned n) {
  switch (op) {
    case Opcode::Add:
      return alu_for_size<OpFAdd, T>(n);
    case Opcode::Add3:
      return alu_for_size<OpFAdd3, T>(n);
    case Opcode::Mul:
      return alu_for_size<OpFMul, T>(n);
    case Opcode::Mad:
      return alu_for_size<OpFMad, T>(n);
    case Opcode::Frc:
      return alu<OpFrc, T, 0>;
    case Opcode::Rndd:
      return alu<OpRndd, T, 0>;
    case Opcode::Rndu:
      return alu<OpRndu, T, 0>;
    case Opcode::Rndz:
      return alu<OpRndz, T, 0>;
    case Opcode::Rnde:
      return alu<OpRnde, T, 0>;
    case Opcode::Cmp:
    case Opcode::Cmpn:
      return n == 8    ? Handler{compare<T, 8>}
             : n == 16 ? Handler{compare<T, 16>}
             : n == 32 ? Handler{compare<T, 32>}
                       : Handler{compare<T, 0>};
    case Opcode::Sel:
      return n == 8    ? Handler{select<T, 8>}
             : n == 16 ? Handler{select<T, 16>}
             : n == 32 ? Handler{select<T, 32>}
                       : Handler{select<T, 0>};
    default:
      return nullptr;
  }
}

}  // namespace

Handler alu_float_handler(Opcode op, ExecType type, unsigned n) {
  return type == ExecType::F64   ? handler_for<double>(op, n)
         : type == ExecType::F32 ? handler_for<float>(op, n)
                                 : nullptr;
}

}  // namespace xeforge::machine::XEFORGE_EXEC_NS
