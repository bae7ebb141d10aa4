// SPDX-License-Identifier: Apache-2.0
//
// Compiled for float, and for double where the device has it (REAL, PREFIX = the prefix of the kernels' names).
#include "common.h"

using namespace sycl;

#define PASTE2(A, B) A##B
#define PASTE(A, B) PASTE2(A, B)
#define F1(NAME) CONVERT(PASTE(PREFIX, NAME), REAL, REAL, sycl::NAME(x))
#define F2(NAME) BINARY(PASTE(PREFIX, NAME), REAL, REAL, sycl::NAME(x, y))
#define F3(NAME) BINARY(PASTE(PREFIX, NAME), REAL, REAL, sycl::NAME(x, y, z))

// A list of macros without semicolons, which clang-format would take for one expression.
// clang-format off
F1(sin) F1(cos) F1(tan) F1(asin) F1(acos) F1(atan) F1(sinh) F1(cosh) F1(tanh) F1(asinh) F1(acosh) F1(atanh)
F1(sinpi) F1(cospi) F1(tanpi) F1(atanpi) F1(exp) F1(exp2) F1(exp10) F1(expm1) F1(log) F1(log2) F1(log10) F1(log1p)
F1(sqrt) F1(rsqrt) F1(cbrt) F1(erf) F1(erfc) F1(tgamma) F1(floor) F1(ceil) F1(trunc) F1(rint) F1(round) F1(fabs)
F1(logb) F2(pow) F2(atan2) F2(hypot) F2(fmod) F2(remainder) F2(fmin) F2(fmax) F2(fdim) F2(copysign) F2(nextafter)
F3(fma) F3(mad)
BINARY(PASTE(PREFIX, add), REAL, REAL, x + y)
BINARY(PASTE(PREFIX, sub), REAL, REAL, x - y)
BINARY(PASTE(PREFIX, mul), REAL, REAL, x * y)
BINARY(PASTE(PREFIX, div), REAL, REAL, x / y)
BINARY(PASTE(PREFIX, classes), REAL, int,
       sycl::isnan(x) | (sycl::isinf(x) << 1) | (sycl::isnormal(x) << 2) | (sycl::signbit(x) << 3) | (sycl::isfinite(x) << 4) | ((x < y) << 5) | ((x == y) << 6) |
       (sycl::isunordered(x, y) << 7))
CONVERT(PASTE(PREFIX, ilogb), REAL, int, sycl::ilogb(x))
BINARY(PASTE(PREFIX, ldexp), REAL, REAL, sycl::ldexp(x, static_cast<int>(y)))
BINARY(PASTE(PREFIX, smoothstep), REAL, REAL, sycl::smoothstep(REAL(0), REAL(1), x))
BINARY(PASTE(PREFIX, sign), REAL, REAL, sycl::sign(x))
BINARY(PASTE(PREFIX, mix), REAL, REAL, sycl::mix(x, y, REAL(0.25)))
    // clang-format on
    KERNEL(1) PASTE(PREFIX, sincos)(const REAL* in, REAL* out, unsigned n) {
  if (me() >= n) return;
  REAL c;
  const REAL s = sycl::sincos(in[me()], private_ptr<REAL>(&c));
  out[2 * me()] = s;
  out[2 * me() + 1] = c;
}
KERNEL(1) PASTE(PREFIX, parts)(const REAL* in, REAL* out, unsigned n) {
  if (me() >= n) return;
  int e;
  REAL whole;
  out[4 * me()] = sycl::frexp(in[me()], private_ptr<int>(&e));
  out[4 * me() + 1] = static_cast<REAL>(e);
  out[4 * me() + 2] = sycl::modf(in[me()], private_ptr<REAL>(&whole));
  out[4 * me() + 3] = whole;
}

#ifdef WITH_NATIVE
#define N1(NAME) CONVERT(native_##NAME, float, float, sycl::native::NAME(x))
#define H1(NAME) CONVERT(hp_##NAME, float, float, sycl::half_precision::NAME(x))
// clang-format off
N1(sin) N1(cos) N1(tan) N1(exp) N1(exp2) N1(exp10) N1(log) N1(log2) N1(log10) N1(sqrt) N1(rsqrt) N1(recip)
BINARY(native_divide, float, float, sycl::native::divide(x, y))
BINARY(native_powr, float, float, sycl::native::powr(x, y))
H1(sin) H1(cos) H1(exp) H1(exp2) H1(log) H1(log2) H1(sqrt) H1(rsqrt) H1(recip)
BINARY(hp_divide, float, float, sycl::half_precision::divide(x, y))
// clang-format on
#endif
