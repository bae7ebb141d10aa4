// SPDX-License-Identifier: Apache-2.0
//
// The extended-math pipe. Xe documents error bounds (1..4 ulp), not bits: results here are the
// host's correctly rounded or 1-ulp functions, inside those bounds.
#include <cmath>

#include "machine/exec/alu.h"
#include "machine/exec/library_parts.h"

namespace xeforge::machine::XEFORGE_EXEC_NS {
namespace {

using isa::MathFn;

template <class T, MathFn fn>
T unary(T x) {
  if constexpr (fn == MathFn::Inv)
    return T(1) / x;
  else if constexpr (fn == MathFn::Log)
    return std::log2(x);
  else if constexpr (fn == MathFn::Exp)
    return std::exp2(x);
  else if constexpr (fn == MathFn::Sqt)
    return std::sqrt(x);
  else if constexpr (fn == MathFn::Rsqt)
    return static_cast<T>(1.0 / std::sqrt(static_cast<double>(x)));
  else if constexpr (fn == MathFn::Sin)
    return std::sin(x);
  else
    return std::cos(x);
}

template <class T, MathFn fn>
void unary_math(Thread& t, const Uop& u) {
  const uint32_t mask = lane_mask(t, u);
  if (mask == 0) return;
  T a[kMaxLanes], r[kMaxLanes];
  fetch<T, 0>(t, u, u.src[0], a);
  for (int i = 0; i < u.exec_size; ++i) r[i] = (mask >> i) & 1u ? unary<T, fn>(a[i]) : T(0);
  put<T, 0>(t, u, r, mask);
}

template <class T, MathFn fn>
void binary_math(Thread& t, const Uop& u) {
  const uint32_t mask = lane_mask(t, u);
  if (mask == 0) return;
  T a[kMaxLanes], b[kMaxLanes], r[kMaxLanes];
  fetch<T, 0>(t, u, u.src[0], a);
  fetch<T, 0>(t, u, u.src[1], b);
  for (int i = 0; i < u.exec_size; ++i)
    r[i] = !((mask >> i) & 1u) ? T(0)
           : fn == MathFn::Pow ? static_cast<T>(std::pow(std::fabs(a[i]), b[i]))
                               : a[i] / b[i];
  put<T, 0>(t, u, r, mask);
}

/// Integer division: quotient and/or remainder; by zero all ones / the numerator, as the EU's
/// integer divide returns.
template <MathFn fn>
void integer_divide(Thread& t, const Uop& u) {
  const uint32_t mask = lane_mask(t, u);
  if (mask == 0) return;
  int64_t a[kMaxLanes], b[kMaxLanes], q[kMaxLanes], m[kMaxLanes];
  fetch<int64_t, 0>(t, u, u.src[0], a);
  fetch<int64_t, 0>(t, u, u.src[1], b);
  for (int i = 0; i < u.exec_size; ++i) {
    q[i] = b[i] == 0 ? -1 : a[i] / b[i];
    m[i] = b[i] == 0 ? a[i] : a[i] % b[i];
  }
  put<int64_t, 0>(t, u, fn == MathFn::Irem ? m : q, mask);
  if constexpr (fn == MathFn::Idiv) {  // remainder goes to the register after the quotient
    const uint32_t rem = u.dst.offset + u.grf_bytes * ((u.exec_size * 4u + u.grf_bytes - 1u) / u.grf_bytes);
    for (int i = 0; i < u.exec_size; ++i)
      if ((mask >> i) & 1u) {
        const auto v = static_cast<uint32_t>(m[i]);
        std::memcpy(t.at(rem + static_cast<uint32_t>(i) * 4u), &v, 4);
      }
  }
}

/// Operands whose quotient or intermediate steps leave the normal range take the early out: the
/// final result is returned and the flag set, as math.invm / rsqtm {eo} do for special operands.
template <class T>
bool needs_early_out(T a, T b) {
  constexpr int kSafe = __is_same(T, float) ? 60 : 500;
  if (!std::isnormal(a) || !std::isnormal(b)) return true;
  return std::abs(std::ilogb(a)) > kSafe || std::abs(std::ilogb(b)) > kSafe;
}

template <class T, MathFn fn>
void macro_start(Thread& t, const Uop& u) {
  const uint32_t mask = lane_mask(t, u);
  if (mask == 0) return;
  T a[kMaxLanes], b[kMaxLanes], r[kMaxLanes];
  fetch<T, 0>(t, u, u.src[0], a);
  if constexpr (fn == MathFn::Invm) fetch<T, 0>(t, u, u.src[1], b);
  uint32_t early = 0;
  for (int i = 0; i < u.exec_size; ++i) {
    if constexpr (fn == MathFn::Invm) {
      const bool eo = needs_early_out(a[i], b[i]);
      r[i] = eo ? a[i] / b[i] : T(1) / b[i];
      early |= static_cast<uint32_t>(eo) << i;
    } else {
      const bool eo = !(a[i] > T(0)) || needs_early_out(a[i], a[i]);
      r[i] = eo ? static_cast<T>(std::sqrt(a[i])) : static_cast<T>(1.0 / std::sqrt(static_cast<double>(a[i])));
      early |= static_cast<uint32_t>(eo) << i;
    }
  }
  set_flags(t, u, early, mask);
  put<T, 0>(t, u, r, mask);
}

template <class T>
Handler handler_for(MathFn fn) {
  switch (fn) {
    case MathFn::Inv:
      return unary_math<T, MathFn::Inv>;
    case MathFn::Log:
      return unary_math<T, MathFn::Log>;
    case MathFn::Exp:
      return unary_math<T, MathFn::Exp>;
    case MathFn::Sqt:
      return unary_math<T, MathFn::Sqt>;
    case MathFn::Rsqt:
      return unary_math<T, MathFn::Rsqt>;
    case MathFn::Sin:
      return unary_math<T, MathFn::Sin>;
    case MathFn::Cos:
      return unary_math<T, MathFn::Cos>;
    case MathFn::Fdiv:
      return binary_math<T, MathFn::Fdiv>;
    case MathFn::Pow:
      return binary_math<T, MathFn::Pow>;
    case MathFn::Invm:
      return macro_start<T, MathFn::Invm>;
    case MathFn::Rsqtm:
      return macro_start<T, MathFn::Rsqtm>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler math_handler(MathFn fn, ExecType type) {
  switch (fn) {
    case MathFn::Idiv:
      return type == ExecType::I64 ? integer_divide<MathFn::Idiv> : nullptr;
    case MathFn::Iqot:
      return type == ExecType::I64 ? integer_divide<MathFn::Iqot> : nullptr;
    case MathFn::Irem:
      return type == ExecType::I64 ? integer_divide<MathFn::Irem> : nullptr;
    default:
      return type == ExecType::F64 ? handler_for<double>(fn) : type == ExecType::F32 ? handler_for<float>(fn) : nullptr;
  }
}

}  // namespace xeforge::machine::XEFORGE_EXEC_NS
