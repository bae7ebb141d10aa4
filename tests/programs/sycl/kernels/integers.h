// SPDX-License-Identifier: Apache-2.0
//
// One kernel per operation and type, written by macros: out[i] = f(a[i], b[i], c[i]).
#include "common.h"

using namespace sycl;

#define OP(NAME, T, R, EXPRESSION)                                         \
  KERNEL(1) NAME(const T* a, const T* b, const T* c, R* out, unsigned n) { \
    const unsigned i = me();                                               \
    if (i >= n) return;                                                    \
    const T x = a[i], y = b[i], z = c[i];                                  \
    out[i] = EXPRESSION;                                                   \
  }

// What C++ does with integers. Divisors are never zero, shifts stay inside the type (the host sees to it).
#define ARITHMETIC(N, T)                                                        \
  OP(N##_add, T, T, x + y)                                                      \
  OP(N##_sub, T, T, x - y)                                                      \
  OP(N##_mul, T, T, x* y)                                                       \
  OP(N##_div, T, T, x / y)                                                      \
  OP(N##_mod, T, T, x % y)                                                      \
  OP(N##_shl, T, T, x << (z & (sizeof(T) * 8 - 1)))                             \
  OP(N##_shr, T, T, x >> (z & (sizeof(T) * 8 - 1)))                             \
  OP(N##_logic, T, T, (x & ~y) ^ (z | x))                                       \
  OP(N##_neg, T, T, -x)                                                         \
  OP(N##_less, T, unsigned char, x < y)                                         \
  OP(N##_equal, T, unsigned char, (x == y) | ((x >= z) << 1) | ((x != z) << 2)) \
  OP(N##_div3, T, T, x / 3)                                                     \
  OP(N##_mod10, T, T, x % 10)                                                   \
  OP(N##_choose, T, T, x > y ? z : static_cast<T>(x - z))                       \
  OP(N##_mad, T, T, x* y + z)
// The integer functions of SYCL.
#define FUNCTIONS(N, T)                                                 \
  OP(N##_abs_diff, T, T, abs_diff(x, y))                                \
  OP(N##_add_sat, T, T, add_sat(x, y))                                  \
  OP(N##_sub_sat, T, T, sub_sat(x, y))                                  \
  OP(N##_hadd, T, T, hadd(x, y))                                        \
  OP(N##_rhadd, T, T, rhadd(x, y))                                      \
  OP(N##_mul_hi, T, T, mul_hi(x, y))                                    \
  OP(N##_mad_hi, T, T, mad_hi(x, y, z))                                 \
  OP(N##_mad_sat, T, T, mad_sat(x, y, z))                               \
  OP(N##_clz, T, T, clz(x))                                             \
  OP(N##_ctz, T, T, ctz(x))                                             \
  OP(N##_popcount, T, T, popcount(x))                                   \
  OP(N##_rotate, T, T, rotate(x, z))                                    \
  OP(N##_min, T, T, sycl::min(x, y))                                    \
  OP(N##_max, T, T, sycl::max(x, y))                                    \
  OP(N##_clamp, T, T, sycl::clamp(x, sycl::min(y, z), sycl::max(y, z))) \
  OP(N##_bitselect, T, T, bitselect(x, y, z))

ARITHMETIC(i8, signed char)
ARITHMETIC(u8, unsigned char)
ARITHMETIC(i16, short)
ARITHMETIC(u16, unsigned short)
ARITHMETIC(i32, int)
ARITHMETIC(u32, unsigned)
ARITHMETIC(i64, long)
ARITHMETIC(u64, unsigned long)
FUNCTIONS(i8, signed char)
FUNCTIONS(u8, unsigned char)
FUNCTIONS(i16, short)
FUNCTIONS(u16, unsigned short)
FUNCTIONS(i32, int)
FUNCTIONS(u32, unsigned)
FUNCTIONS(i64, long)
FUNCTIONS(u64, unsigned long)

OP(i32_mul24, int, int, mul24(x >> 8, y >> 8))
OP(i32_mad24, int, int, mad24(x >> 8, y >> 8, z))
OP(u32_wide, unsigned, unsigned long, static_cast<unsigned long>(x) * y)
OP(i32_wide, int, long, static_cast<long>(x) * y + z)
OP(u32_upsample, unsigned, unsigned long, upsample(x, y))
OP(i32_narrow, int, signed char, static_cast<signed char>(x + y))
OP(i64_narrow, long, short, static_cast<short>(x* y))
OP(i64_to_32, long, int, static_cast<int>(x >> 16))

// Vectors of integers.
KERNEL(1) vectors(const int* a, const int* b, const int* c, int* out, unsigned n) {
  const unsigned i = me();
  if (4 * i + 3 >= n) return;
  const auto* va = reinterpret_cast<const vec<int, 4>*>(a);
  const auto* vb = reinterpret_cast<const vec<int, 4>*>(b);
  const vec<int, 4> x = va[i], y = vb[i], reversed = x.swizzle<3, 2, 1, 0>();
  reinterpret_cast<vec<int, 4>*>(out)[i] = reversed * y + (x < y) - vec<int, 4>(c[i]);
}

// A 128-bit product of two 64-bit numbers, by halves; and a hash of many rounds.
KERNEL(1)
product128(const unsigned long* a, const unsigned long* b, const unsigned long* c, unsigned long* out, unsigned n) {
  const unsigned i = me();
  if (i >= n) return;
  const unsigned __int128 p = static_cast<unsigned __int128>(a[i]) * b[i];
  out[2 * i] = static_cast<unsigned long>(p);
  out[2 * i + 1] = static_cast<unsigned long>(p >> 64);
}
KERNEL(1) hash(const unsigned long* a, const unsigned long* b, const unsigned long* c, unsigned long* out, unsigned n) {
  const unsigned i = me();
  if (i >= n) return;
  unsigned long h = a[i];
  for (unsigned r = 0; r < 20; ++r) {
    h ^= h >> 33;
    h *= 0xff51afd7ed558ccdUL + b[i];
    h = rotate(h, 27UL) - c[i] / (h | 1);
  }
  out[i] = h;
}
