// SPDX-License-Identifier: Apache-2.0
//
// Integer and logic opcodes in the wrapping 32-bit types, the hot ones in SIMD.
#include "machine/exec/alu.h"
#include "machine/exec/library_parts.h"

namespace xeforge::machine::XEFORGE_EXEC_NS {
namespace {

using isa::Opcode;

struct OpAdd {
  static constexpr int sources = 2;
  static constexpr bool logic = false;
  template <class T>
  static T apply(T a, T b) {
    return wrap_add(a, b);
  }
};
struct OpAdd3 {
  static constexpr int sources = 3;
  static constexpr bool logic = false;
  template <class T>
  static T apply(T a, T b, T c) {
    return wrap_add(wrap_add(a, b), c);
  }
};
struct OpMul {
  static constexpr int sources = 2;
  static constexpr bool logic = false;
  template <class T>
  static T apply(T a, T b) {
    return wrap_mul(a, b);
  }
};
struct OpMad {
  static constexpr int sources = 3;
  static constexpr bool logic = false;
  template <class T>
  static T apply(T a, T b, T c) {
    return wrap_add(a, wrap_mul(b, c));
  }
};
struct OpAnd {
  static constexpr int sources = 2;
  static constexpr bool logic = true;
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct OpOr {
  static constexpr int sources = 2;
  static constexpr bool logic = true;
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct OpXor {
  static constexpr int sources = 2;
  static constexpr bool logic = true;
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};
struct OpNot {
  static constexpr int sources = 1;
  static constexpr bool logic = true;
  template <class T>
  static T apply(T a) {
    return static_cast<T>(~a);
  }
};
// Shift counts are taken modulo the execution width (PRM "shl", "shr", "asr").
struct OpShl {
  static constexpr int sources = 2;
  static constexpr bool logic = false;
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(static_cast<Wrap<T>>(a) << (static_cast<Wrap<T>>(b) & (sizeof(T) * 8 - 1)));
  }
};
struct OpShr {
  static constexpr int sources = 2;
  static constexpr bool logic = false;
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(static_cast<Wrap<T>>(a) >> (static_cast<Wrap<T>>(b) & (sizeof(T) * 8 - 1)));
  }
};
struct OpAsr {
  static constexpr int sources = 2;
  static constexpr bool logic = false;
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(a >> (static_cast<Wrap<T>>(b) & (sizeof(T) * 8 - 1)));
  }
};
struct OpRol {
  static constexpr int sources = 2;
  static constexpr bool logic = false;
  template <class T>
  static T apply(T a, T b) {
    constexpr unsigned w = sizeof(T) * 8;
    const auto s = static_cast<unsigned>(b) & (w - 1);
    const auto x = static_cast<Wrap<T>>(a);
    return static_cast<T>(s == 0 ? x : (x << s) | (x >> (w - s)));
  }
};
struct OpRor {
  static constexpr int sources = 2;
  static constexpr bool logic = false;
  template <class T>
  static T apply(T a, T b) {
    constexpr unsigned w = sizeof(T) * 8;
    const auto s = static_cast<unsigned>(b) & (w - 1);
    const auto x = static_cast<Wrap<T>>(a);
    return static_cast<T>(s == 0 ? x : (x >> s) | (x << (w - s)));
  }
};
struct OpAvg {
  static constexpr int sources = 2;
  static constexpr bool logic = false;
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>((static_cast<int64_t>(a) + static_cast<int64_t>(b) + 1) >> 1);
  }
};

// Bit field operations: src0 is the width, src1 the offset (PRM "bfe", "bfi1").
struct OpBfe {
  static constexpr int sources = 3;
  static constexpr bool logic = false;
  template <class T>
  static T apply(T width, T offset, T value) {
    const unsigned w = static_cast<unsigned>(width) & 31u;
    const unsigned o = static_cast<unsigned>(offset) & 31u;
    if (w == 0) return 0;
    if (w + o < 32) return static_cast<T>(static_cast<T>(static_cast<uint32_t>(value) << (32 - w - o)) >> (32 - w));
    return static_cast<T>(value >> o);
  }
};
struct OpBfi1 {
  static constexpr int sources = 2;
  static constexpr bool logic = false;
  template <class T>
  static T apply(T width, T offset) {
    return static_cast<T>(((1u << (static_cast<uint32_t>(width) & 31u)) - 1u) << (static_cast<uint32_t>(offset) & 31u));
  }
};
// src1 is shifted up to the lowest set bit of the mask (library-kernels.md section 2, item 5).
struct OpBfi2 {
  static constexpr int sources = 3;
  static constexpr bool logic = false;
  template <class T>
  static T apply(T mask, T insert, T base) {
    const auto m = static_cast<uint32_t>(mask);
    const unsigned shift = m == 0 ? 0u : static_cast<unsigned>(__builtin_ctz(m));
    return static_cast<T>((m & (static_cast<uint32_t>(insert) << shift)) | (~m & static_cast<uint32_t>(base)));
  }
};
struct OpBfrev {
  static constexpr int sources = 1;
  static constexpr bool logic = false;
  template <class T>
  static T apply(T a) {
    uint32_t x = static_cast<uint32_t>(a);
    x = ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
    x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
    x = ((x >> 4) & 0x0F0F0F0Fu) | ((x & 0x0F0F0F0Fu) << 4);
    return static_cast<T>(__builtin_bswap32(x));
  }
};
struct OpCbit {
  static constexpr int sources = 1;
  static constexpr bool logic = false;
  template <class T>
  static T apply(T a) {
    return static_cast<T>(__builtin_popcountll(static_cast<Wrap<T>>(a)));
  }
};
struct OpLzd {
  static constexpr int sources = 1;
  static constexpr bool logic = false;
  template <class T>
  static T apply(T a) {
    const auto x = static_cast<uint32_t>(a);
    return static_cast<T>(x == 0 ? 32 : __builtin_clz(x));
  }
};
// First bit that differs from the sign (signed) or first set bit (unsigned), from the top; all ones if there is none.
struct OpFbh {
  static constexpr int sources = 1;
  static constexpr bool logic = false;
  template <class T>
  static T apply(T a) {
    const auto x = static_cast<uint32_t>(__is_same(T, int32_t) && a < 0 ? ~a : a);
    return static_cast<T>(x == 0 ? ~0u : static_cast<uint32_t>(__builtin_clz(x)));
  }
};
struct OpFbl {
  static constexpr int sources = 1;
  static constexpr bool logic = false;
  template <class T>
  static T apply(T a) {
    const auto x = static_cast<uint32_t>(a);
    return static_cast<T>(x == 0 ? ~0u : static_cast<uint32_t>(__builtin_ctz(x)));
  }
};

template <class T, int N>
void compare(Thread& t, const Uop& u) {
  const uint32_t mask = lane_mask(t, u);
  if (mask == 0) return;
  constexpr int kMax = N ? N : kMaxLanes;
  const int n = lane_count<N>(u);
  T a[kMax], b[kMax], r[kMax];
  fetch<T, N>(t, u, u.src[0], a);
  fetch<T, N>(t, u, u.src[1], b);
  switch (u.cond_mod) {
    case isa::FlagMod::Eq:
      for (int i = 0; i < n; ++i) r[i] = a[i] == b[i];
      break;
    case isa::FlagMod::Ne:
      for (int i = 0; i < n; ++i) r[i] = a[i] != b[i];
      break;
    case isa::FlagMod::Gt:
      for (int i = 0; i < n; ++i) r[i] = a[i] > b[i];
      break;
    case isa::FlagMod::Ge:
      for (int i = 0; i < n; ++i) r[i] = a[i] >= b[i];
      break;
    case isa::FlagMod::Lt:
      for (int i = 0; i < n; ++i) r[i] = a[i] < b[i];
      break;
    default:
      for (int i = 0; i < n; ++i) r[i] = a[i] <= b[i];
      break;
  }
  uint32_t bits = 0;
  for (int i = 0; i < n; ++i) bits |= static_cast<uint32_t>(r[i]) << i;
  set_flags(t, u, bits, mask);
  if (!u.dst.null) {
    for (int i = 0; i < n; ++i) r[i] = negated(r[i]);
    put<T, N>(t, u, r, mask);
  }
}

/// sel: with a condition modifier minimum/maximum, else the predicate chooses per channel.
template <class T, int N>
void select(Thread& t, const Uop& u) {
  const uint32_t enabled = u.no_mask ? u.lanes : (t.exec_mask >> u.channel_offset) & u.lanes;
  if (enabled == 0) return;
  constexpr int kMax = N ? N : kMaxLanes;
  const int n = lane_count<N>(u);
  T a[kMax], b[kMax], r[kMax];
  fetch<T, N>(t, u, u.src[0], a);
  fetch<T, N>(t, u, u.src[1], b);
  if (u.cond_mod != isa::FlagMod::None) {
    for (int i = 0; i < n; ++i) r[i] = condition(u.cond_mod, a[i], b[i]) ? a[i] : b[i];
    put<T, N>(t, u, r, lane_mask(t, u));
    return;
  }
  const uint32_t chosen = predicate_mask(t, u);
  for (int i = 0; i < n; ++i) r[i] = (chosen >> i) & 1u ? a[i] : b[i];
  put<T, N>(t, u, r, enabled);
}

template <class T>
Handler compare_for_size(unsigned n) {
  switch (n) {
    case 1:
      return compare<T, 1>;
    case 8:
      return compare<T, 8>;
    case 16:
      return compare<T, 16>;
    case 32:
      return compare<T, 32>;
    default:
      return compare<T, 0>;
  }
}
template <class T>
Handler select_for_size(unsigned n) {
  switch (n) {
    case 1:
      return select<T, 1>;
    case 8:
      return select<T, 8>;
    case 16:
      return select<T, 16>;
    case 32:
      return select<T, 32>;
    default:
      return select<T, 0>;
  }
}

template <class T>
Handler handler_for(Opcode op, unsigned n) {
  switch (op) {
    case Opcode::Add:
      return alu_for_size<OpAdd, T>(n);
    case Opcode::Add3:
      return alu_for_size<OpAdd3, T>(n);
    case Opcode::Mul:
      return alu_for_size<OpMul, T>(n);
    case Opcode::Mad:
      return alu_for_size<OpMad, T>(n);
    case Opcode::And:
      return alu_for_size<OpAnd, T>(n);
    case Opcode::Or:
      return alu_for_size<OpOr, T>(n);
    case Opcode::Xor:
      return alu_for_size<OpXor, T>(n);
    case Opcode::Not:
      return alu_for_size<OpNot, T>(n);
    case Opcode::Shl:
      return alu_for_size<OpShl, T>(n);
    case Opcode::Shr:
      return alu_for_size<OpShr, T>(n);
    case Opcode::Asr:
      return alu_for_size<OpAsr, T>(n);
    case Opcode::Rol:
      return alu_for_size<OpRol, T>(n);
    case Opcode::Ror:
      return alu_for_size<OpRor, T>(n);
    case Opcode::Cmp:
      return compare_for_size<T>(n);
    case Opcode::Sel:
      return select_for_size<T>(n);
    default:
      break;
  }
  if constexpr (sizeof(T) == 4) {
    switch (op) {
      case Opcode::Avg:
        return alu<OpAvg, T, 0>;
      case Opcode::Bfe:
        return alu<OpBfe, T, 0>;
      case Opcode::Bfi1:
        return alu<OpBfi1, T, 0>;
      case Opcode::Bfi2:
        return alu<OpBfi2, T, 0>;
      case Opcode::Bfrev:
        return alu<OpBfrev, T, 0>;
      case Opcode::Cbit:
        return alu<OpCbit, T, 0>;
      case Opcode::Lzd:
        return alu<OpLzd, T, 0>;
      case Opcode::Fbh:
        return alu<OpFbh, T, 0>;
      case Opcode::Fbl:
        return alu<OpFbl, T, 0>;
      default:
        break;
    }
  }
  return nullptr;
}

}  // namespace

Handler alu_int_handler(Opcode op, ExecType type, unsigned n) {
  switch (type) {
    case ExecType::U16:
      return op == Opcode::Rol   ? Handler{alu<OpRol, uint16_t, 0>}
             : op == Opcode::Ror ? Handler{alu<OpRor, uint16_t, 0>}
                                 : nullptr;
    case ExecType::I32:
      return handler_for<int32_t>(op, n);
    case ExecType::U32:
      return handler_for<uint32_t>(op, n);
    case ExecType::I64:
      return handler_for<int64_t>(op, 0);
    case ExecType::U64:
      return handler_for<uint64_t>(op, 0);
    default:
      return nullptr;
  }
}

}  // namespace xeforge::machine::XEFORGE_EXEC_NS
