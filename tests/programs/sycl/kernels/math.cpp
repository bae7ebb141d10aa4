// SPDX-License-Identifier: Apache-2.0
//
// Compiled for float, and for double where the device has it (T, P = the prefix of the kernels' names).
#include "common.h"

using namespace sycl;

#define PASTE2(A, B) A##B
#define PASTE(A, B) PASTE2(A, B)
#define F1(NAME) CONVERT(PASTE(P, NAME), T, T, sycl::NAME(x))
#define F2(NAME) BINARY(PASTE(P, NAME), T, T, sycl::NAME(x, y))
#define F3(NAME) BINARY(PASTE(P, NAME), T, T, sycl::NAME(x, y, z))

F1(sin) F1(cos) F1(tan) F1(asin) F1(acos) F1(atan) F1(sinh) F1(cosh) F1(tanh) F1(asinh) F1(acosh) F1(atanh)
F1(sinpi) F1(cospi) F1(tanpi) F1(atanpi) F1(exp) F1(exp2) F1(exp10) F1(expm1) F1(log) F1(log2) F1(log10) F1(log1p) F1(sqrt) F1(rsqrt) F1(cbrt)
F1(erf) F1(erfc) F1(tgamma) F1(floor) F1(ceil) F1(trunc) F1(rint) F1(round) F1(fabs) F1(logb)
F2(pow) F2(atan2) F2(hypot) F2(fmod) F2(remainder) F2(fmin) F2(fmax) F2(fdim) F2(copysign) F2(nextafter)
F3(fma) F3(mad)
BINARY(PASTE(P, add), T, T, x + y)
BINARY(PASTE(P, sub), T, T, x - y)
BINARY(PASTE(P, mul), T, T, x * y)
BINARY(PASTE(P, div), T, T, x / y)
BINARY(PASTE(P, classes), T, int, sycl::isnan(x) | (sycl::isinf(x) << 1) | (sycl::isnormal(x) << 2) | (sycl::signbit(x) << 3) | (sycl::isfinite(x) << 4) | ((x < y) << 5) | ((x == y) << 6) | (sycl::isunordered(x, y) << 7))
CONVERT(PASTE(P, ilogb), T, int, sycl::ilogb(x))
BINARY(PASTE(P, ldexp), T, T, sycl::ldexp(x, static_cast<int>(y)))
BINARY(PASTE(P, smoothstep), T, T, sycl::smoothstep(T(0), T(1), x))
BINARY(PASTE(P, sign), T, T, sycl::sign(x))
BINARY(PASTE(P, mix), T, T, sycl::mix(x, y, T(0.25)))
KERNEL(1) PASTE(P, sincos)(const T* in, T* out, unsigned n) {
  if (me() >= n) return;
  T c;
  const T s = sycl::sincos(in[me()], private_ptr<T>(&c));
  out[2 * me()] = s;
  out[2 * me() + 1] = c;
}
KERNEL(1) PASTE(P, parts)(const T* in, T* out, unsigned n) {
  if (me() >= n) return;
  int e;
  T whole;
  out[4 * me()] = sycl::frexp(in[me()], private_ptr<int>(&e));
  out[4 * me() + 1] = static_cast<T>(e);
  out[4 * me() + 2] = sycl::modf(in[me()], private_ptr<T>(&whole));
  out[4 * me() + 3] = whole;
}

#ifdef WITH_NATIVE
#define N1(NAME) CONVERT(native_##NAME, float, float, sycl::native::NAME(x))
N1(sin) N1(cos) N1(tan) N1(exp) N1(exp2) N1(exp10) N1(log) N1(log2) N1(log10) N1(sqrt) N1(rsqrt) N1(recip)
BINARY(native_divide, float, float, sycl::native::divide(x, y))
BINARY(native_powr, float, float, sycl::native::powr(x, y))
#define H1(NAME) CONVERT(hp_##NAME, float, float, sycl::half_precision::NAME(x))
H1(sin) H1(cos) H1(exp) H1(exp2) H1(log) H1(log2) H1(sqrt) H1(rsqrt) H1(recip)
BINARY(hp_divide, float, float, sycl::half_precision::divide(x, y))
#endif
