// SPDX-License-Identifier: Apache-2.0
#include "common.h"

using namespace sycl;

#define WITH_MODE(FROM, F, TO, T, MODE) \
  CONVERT(F##_to_##T##_##MODE, FROM, TO, (vec<FROM, 1>(x).convert<TO, rounding_mode::MODE>()[0]))
#define ALL_MODES(FROM, F, TO, T) \
  WITH_MODE(FROM, F, TO, T, rte)  \
  WITH_MODE(FROM, F, TO, T, rtz)  \
  WITH_MODE(FROM, F, TO, T, rtp)  \
  WITH_MODE(FROM, F, TO, T, rtn)

ALL_MODES(float, float, half, half)
ALL_MODES(float, float, int, int)
ALL_MODES(float, float, unsigned, uint)
ALL_MODES(float, float, short, short)
ALL_MODES(float, float, signed char, char)
ALL_MODES(float, float, long, long)
ALL_MODES(half, half, int, int)
// From integers, SYCL's headers know one rounding only.
WITH_MODE(int, int, float, float, rte)
WITH_MODE(unsigned, uint, float, float, rte)
WITH_MODE(long, long, float, float, rte)
WITH_MODE(unsigned long, ulong, float, float, rte)
WITH_MODE(int, int, half, half, rte)

CONVERT(half_to_float, half, float, static_cast<float>(x))
CONVERT(float_to_half, float, half, static_cast<half>(x))
CONVERT(float_to_int, float, int, static_cast<int>(x))
CONVERT(float_to_uint, float, unsigned, static_cast<unsigned>(x))
CONVERT(float_to_ulong, float, unsigned long, static_cast<unsigned long>(x))
CONVERT(uchar_to_float, unsigned char, float, static_cast<float>(x))
CONVERT(char_to_half, signed char, half, static_cast<half>(x))
CONVERT(short_to_float, short, float, static_cast<float>(x))
CONVERT(ushort_to_half, unsigned short, half, static_cast<half>(x))
CONVERT(bits_of_float, float, unsigned, bit_cast<unsigned>(x))
CONVERT(float_of_bits, unsigned, float, bit_cast<float>(x))

// Arithmetic in 16 bits.
BINARY(half_add, half, half, x + y)
BINARY(half_sub, half, half, x - y)
BINARY(half_mul, half, half, x* y)
BINARY(half_div, half, half, x / y)
BINARY(half_fma, half, half, sycl::fma(x, y, z))
BINARY(half_min, half, half, sycl::fmin(x, y))
BINARY(half_max, half, half, sycl::fmax(x, y))
BINARY(half_abs, half, half, sycl::fabs(x))
BINARY(half_neg, half, half, -x)
BINARY(half_floor, half, half, sycl::floor(x))
BINARY(half_rint, half, half, sycl::rint(x))
BINARY(half_sqrt, half, half, sycl::sqrt(sycl::fabs(x)))
BINARY(half_exp, half, half, sycl::exp(x))
BINARY(half_log, half, half, sycl::log(sycl::fabs(x)))
BINARY(half_sin, half, half, sycl::sin(x))
BINARY(half_compare, half, unsigned char,
       (x < y) | ((x <= z) << 1) | ((x == y) << 2) | ((x != z) << 3) | (sycl::isnan(x) << 4) | (sycl::isinf(x) << 5))

// Vectors of half.
KERNEL(1) half_vectors(const half* a, const half* b, const half* c, half* out, unsigned n) {
  const unsigned i = me();
  if (8 * i + 7 >= n) return;
  const auto x = reinterpret_cast<const vec<half, 8>*>(a)[i], y = reinterpret_cast<const vec<half, 8>*>(b)[i];
  const vec<half, 8> swapped(y.hi(), y.lo());
  reinterpret_cast<vec<half, 8>*>(out)[i] = x + swapped;
}
