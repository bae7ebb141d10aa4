// SPDX-License-Identifier: Apache-2.0
//
// Element types of registers and their conversions. Only free functions and PODs in the target
// namespace: nothing here may be shared between the differently compiled copies.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__F16C__)
#include <immintrin.h>
#endif

#ifndef XEFORGE_EXEC_NS
#define XEFORGE_EXEC_NS exec_default
#endif

namespace xeforge::machine::XEFORGE_EXEC_NS {

struct Half {
  uint16_t bits;
};
struct Bf16 {
  uint16_t bits;
};
struct Tf32 {
  uint32_t bits;
};

template <class To, class From>
inline To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

inline float bf16_to_float(uint16_t h) { return bits_as<float>(static_cast<uint32_t>(h) << 16); }

/// Round to nearest even; NaN stays NaN (quiet).
inline uint16_t float_to_bf16(float f) {
  const uint32_t u = bits_as<uint32_t>(f);
  const uint32_t rounded = (u + 0x7FFFu + ((u >> 16) & 1u)) >> 16;
  const uint32_t nan = (u >> 16) | 0x40u;
  return static_cast<uint16_t>((u & 0x7FFFFFFFu) > 0x7F800000u ? nan : rounded);
}

inline float half_to_float(uint16_t h) {
#if defined(__F16C__)
  return _cvtsh_ss(h);
#else
  const uint32_t sign = static_cast<uint32_t>(h & 0x8000u) << 16;
  const uint32_t exponent = (h >> 10) & 31u;
  const uint32_t mantissa = h & 0x3FFu;
  if (exponent == 31) return bits_as<float>(sign | 0x7F800000u | (mantissa << 13) | (mantissa ? 0x400000u : 0u));
  if (exponent != 0) return bits_as<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
  const float magnitude = static_cast<float>(mantissa) * 5.9604644775390625e-08F;  // 2^-24
  return bits_as<float>(sign | bits_as<uint32_t>(magnitude));
#endif
}

/// Rounds as the host's rounding mode says, which is the thread's (interpreter.cpp).
inline uint16_t float_to_half(float f) {
#if defined(__F16C__)
  return static_cast<uint16_t>(_cvtss_sh(f, _MM_FROUND_CUR_DIRECTION));
#else
  const uint32_t u = bits_as<uint32_t>(f);
  const uint32_t sign = (u >> 16) & 0x8000u;
  const uint32_t magnitude = u & 0x7FFFFFFFu;
  if (magnitude > 0x7F800000u) return static_cast<uint16_t>(sign | 0x7E00u | ((magnitude >> 13) & 0x3FFu));
  if (magnitude == 0x7F800000u) return static_cast<uint16_t>(sign | 0x7C00u);
  // A number of f's sign, 2^13 times its power of two: their sum ends at the last bit of a half, so that the host's
  // addition rounds there. Halves below 2^-14 all end at the same bit.
  const uint32_t exponent = magnitude >> 23 < 113u ? 113u : magnitude >> 23;
  if (exponent < 143u) {
    const float shift = bits_as<float>((u & 0x80000000u) | ((exponent + 13u) << 23));
    const float rounded = (f + shift) - shift;
    const uint32_t bits = bits_as<uint32_t>(rounded) & 0x7FFFFFFFu;
    if (bits < 0x38800000u)
      return static_cast<uint16_t>(sign | static_cast<uint32_t>(bits_as<float>(bits) * 16777216.0F));  // 2^24
    if (bits < 0x47800000u) return static_cast<uint16_t>(sign | ((bits - 0x38000000u) >> 13));
  }
  // Too large for a half: whether that is infinity or the largest half is what the host does with a sum too large for a
  // float.
  const float largest = bits_as<float>((u & 0x80000000u) | 0x7F7FFFFFu);
  const bool infinite = (bits_as<uint32_t>(largest + largest) & 0x7FFFFFFFu) == 0x7F800000u;
  return static_cast<uint16_t>(sign | (infinite ? 0x7C00u : 0x7BFFu));
#endif
}

/// Widening read of one register element into the execution type.
template <class T, class S>
inline T element(S s) {
  if constexpr (__is_same(S, Half))
    return static_cast<T>(half_to_float(s.bits));
  else if constexpr (__is_same(S, Bf16))
    return static_cast<T>(bf16_to_float(s.bits));
  else if constexpr (__is_same(S, Tf32))
    return static_cast<T>(bits_as<float>(s.bits & 0xFFFFE000u));
  else
    return static_cast<T>(s);
}

template <class I>
struct IntLimits;
template <>
struct IntLimits<uint8_t> {
  static constexpr int64_t lo = 0, hi = 0xFF;
};
template <>
struct IntLimits<int8_t> {
  static constexpr int64_t lo = -0x80, hi = 0x7F;
};
template <>
struct IntLimits<uint16_t> {
  static constexpr int64_t lo = 0, hi = 0xFFFF;
};
template <>
struct IntLimits<int16_t> {
  static constexpr int64_t lo = -0x8000, hi = 0x7FFF;
};
template <>
struct IntLimits<uint32_t> {
  static constexpr int64_t lo = 0, hi = 0xFFFFFFFFLL;
};
template <>
struct IntLimits<int32_t> {
  static constexpr int64_t lo = -0x80000000LL, hi = 0x7FFFFFFFLL;
};
template <>
struct IntLimits<int64_t> {
  static constexpr int64_t lo = INT64_MIN, hi = INT64_MAX;
};
template <>
struct IntLimits<uint64_t> {
  static constexpr int64_t lo = 0, hi = INT64_MAX;
};

template <class T>
inline constexpr bool kIsFloat = __is_same(T, float) || __is_same(T, double);
template <class D>
inline constexpr bool kIsFloatDst = kIsFloat<D> || __is_same(D, Half) || __is_same(D, Bf16) || __is_same(D, Tf32);

/// Float to integer always clamps on Xe; NaN gives 0 (PRM "Float to Integer" conversion table).
/// `v` is already rounded to an integral value.
template <class I, class F>
inline I clamp_to_int(F v) {
  if (!(v == v)) return 0;  // NOLINT(misc-redundant-expression): false for NaN
  if constexpr (__is_same(I, uint64_t)) {
    if (v <= F(0)) return 0;
    if (v >= F(18446744073709551616.0)) return UINT64_MAX;
    return static_cast<uint64_t>(v);
  } else if constexpr (__is_same(I, int64_t)) {
    if (v >= F(9223372036854775808.0)) return INT64_MAX;
    if (v < F(-9223372036854775808.0)) return INT64_MIN;
    return static_cast<int64_t>(v);
  } else {
    const double d = static_cast<double>(v);
    const double clamped = d < static_cast<double>(IntLimits<I>::lo)   ? static_cast<double>(IntLimits<I>::lo)
                           : d > static_cast<double>(IntLimits<I>::hi) ? static_cast<double>(IntLimits<I>::hi)
                                                                       : d;
    return static_cast<I>(static_cast<int64_t>(clamped));
  }
}

}  // namespace xeforge::machine::XEFORGE_EXEC_NS
