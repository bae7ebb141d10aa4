// SPDX-License-Identifier: Apache-2.0
//
// The shape of an ALU handler: fetch up to three sources, apply an operation lane by lane,
// write under the channel mask. Operations are functors with `sources`, `logic` and operator().
#pragma once

#include <cmath>

#include "machine/exec/operands.h"

namespace xeforge::machine::XEFORGE_EXEC_NS {

template <class Op, class T, int N>
void alu(Thread& t, const Uop& u) {
  const uint32_t mask = lane_mask(t, u);
  if (mask == 0) return;
  constexpr int kMax = N ? N : kMaxLanes;
  const int n = lane_count<N>(u);
  T a[kMax];
  T r[kMax];
  fetch<T, N, Op::logic>(t, u, u.src[0], a);
  if constexpr (Op::sources == 1) {
    for (int i = 0; i < n; ++i) r[i] = Op::template apply<T>(a[i]);
  } else {
    T b[kMax];
    fetch<T, N, Op::logic>(t, u, u.src[1], b);
    if constexpr (Op::sources == 2) {
      for (int i = 0; i < n; ++i) r[i] = Op::template apply<T>(a[i], b[i]);
    } else {
      T c[kMax];
      fetch<T, N, Op::logic>(t, u, u.src[2], c);
      for (int i = 0; i < n; ++i) r[i] = Op::template apply<T>(a[i], b[i], c[i]);
    }
  }
  put<T, N>(t, u, r, mask);
}

/// Specialised for the execution sizes compilers emit most; others take the run-time count.
template <class Op, class T>
Handler alu_for_size(unsigned exec_size) {
  switch (exec_size) {
    case 1:
      return alu<Op, T, 1>;
    case 8:
      return alu<Op, T, 8>;
    case 16:
      return alu<Op, T, 16>;
    case 32:
      return alu<Op, T, 32>;
    default:
      return alu<Op, T, 0>;
  }
}

/// Wrapping arithmetic without signed overflow.
template <class T>
struct UnsignedOf {
  using type = T;
};
template <>
struct UnsignedOf<int32_t> {
  using type = uint32_t;
};
template <>
struct UnsignedOf<int64_t> {
  using type = uint64_t;
};
template <class T>
using Wrap = typename UnsignedOf<T>::type;

template <class T>
inline T wrap_add(T a, T b) {
  return static_cast<T>(static_cast<Wrap<T>>(a) + static_cast<Wrap<T>>(b));
}
template <class T>
inline T wrap_mul(T a, T b) {
  return static_cast<T>(static_cast<Wrap<T>>(a) * static_cast<Wrap<T>>(b));
}

/// rnde, whatever the host's rounding mode is.
template <class T>
T nearest_even(T a) {
  const T r = std::trunc(a);
  const T d = std::fabs(a - r);
  if (d < T(0.5)) return r;
  const T away = r + std::copysign(T(1), a);
  if (d > T(0.5)) return away;
  return std::fmod(r, T(2)) == T(0) ? r : away;
}

/// Writes condition bits of the channels in `mask`; the others keep theirs.
inline void set_flags(Thread& t, const Uop& u, uint32_t bits, uint32_t mask) {
  uint32_t f;
  std::byte* p = t.at(u.flag_offset);
  std::memcpy(&f, p, 4);
  const unsigned shift = u.flag_shift + u.channel_offset;
  f = (f & ~(mask << shift)) | ((bits & mask) << shift);
  std::memcpy(p, &f, 4);
}

template <class T>
inline bool condition(isa::FlagMod m, T a, T b) {
  switch (m) {
    case isa::FlagMod::Eq:
      return a == b;
    case isa::FlagMod::Ne:
      return a != b;
    case isa::FlagMod::Gt:
      return a > b;
    case isa::FlagMod::Ge:
      return a >= b;
    case isa::FlagMod::Lt:
      return a < b;
    case isa::FlagMod::Le:
      return a <= b;
    case isa::FlagMod::Un:
      return a != a || b != b;
    default:
      return false;
  }
}

}  // namespace xeforge::machine::XEFORGE_EXEC_NS
