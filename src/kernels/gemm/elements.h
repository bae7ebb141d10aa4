// SPDX-License-Identifier: Apache-2.0
//
// Elements of any type as floats, one per work-item: reading, writing, rounding.
#pragma once

#include "kernels/gemm/arguments.h"
#include "kernels/kernel.h"

namespace xeforge::kernels {

#ifdef __SYCL_DEVICE_ONLY__
template <class T>
using Global = __attribute__((opencl_global)) T;
#else
template <class T>
using Global = T;
#endif

/// The element `index` of memory that begins at `address`.
template <class T>
inline T read(uint64_t address, int64_t index) {
  return reinterpret_cast<Global<const T>*>(address)[index];
}
template <class T>
inline void write(uint64_t address, int64_t index, T value) {
  reinterpret_cast<Global<T>*>(address)[index] = value;
}

inline float factor(uint64_t at, float value) { return at == 0 ? value : read<float>(at, 0); }

/// Where matrix `batch` begins: by its distance, or from an array of addresses.
inline uint64_t matrix(uint64_t base, bool pointers, int64_t batch, int64_t bytes) {
  return pointers ? read<uint64_t>(base, batch) : base + batch * bytes;
}

inline int64_t bytes_of(uint32_t type) {
  return type <= uint32_t(Code::F16) ? 2 : type == uint32_t(Code::F32) || type == uint32_t(Code::S32) ? 4 : 1;
}

/// Nearest, ties to even; a NaN stays one.
inline uint16_t bf16_bits(float value) {
  const uint32_t bits = sycl::bit_cast<uint32_t>(value);
  return value != value ? (bits >> 16) | 0x40 : (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16;
}

inline uint32_t tf32_bits(uint32_t bits) {
  const bool finite = (bits & 0x7F800000) != 0x7F800000;
  return finite ? (bits + 0xFFF + ((bits >> 13) & 1)) & ~0x1FFFu : bits;
}

/// Nearest, ties to even, at the ends of the range where it is beyond them; NaN gives 0.
inline int32_t rounded(float value, float low, float high) {
  if (value != value) return 0;
  // 2^31 is no int32; the next smaller float is.
  if (value >= 2147483648.0f && high > 2147483520.0f) return 2147483647;
  return static_cast<int32_t>(sycl::rint(value < low ? low : value > high ? high : value));
}

inline float read_float(uint32_t type, uint64_t address, int64_t index) {
  switch (Code(type)) {
    case Code::Bf16:
      return sycl::bit_cast<float>(uint32_t(read<uint16_t>(address, index)) << 16);
    case Code::F16:
      return static_cast<float>(read<sycl::half>(address, index));
    case Code::F32:
      return read<float>(address, index);
    case Code::S8:
      return static_cast<float>(read<int8_t>(address, index));
    case Code::U8:
      return static_cast<float>(read<uint8_t>(address, index));
    default:
      return static_cast<float>(read<int32_t>(address, index));
  }
}

inline void write_float(uint32_t type, uint64_t address, int64_t index, float value) {
  switch (Code(type)) {
    case Code::Bf16:
      write<uint16_t>(address, index, bf16_bits(value));
      break;
    case Code::F16:
      write<sycl::half>(address, index, static_cast<sycl::half>(value));
      break;
    case Code::F32:
      write<float>(address, index, value);
      break;
    case Code::S8:
      write<int8_t>(address, index, rounded(value, -128, 127));
      break;
    case Code::U8:
      write<uint8_t>(address, index, rounded(value, 0, 255));
      break;
    default:
      write<int32_t>(address, index, rounded(value, -2147483648.0f, 2147483648.0f));
      break;
  }
}

}  // namespace xeforge::kernels
