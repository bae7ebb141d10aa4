// SPDX-License-Identifier: Apache-2.0
//
// Region gather and scatter with conversion, one function per (execution type, element type).
#include <cmath>

#include "machine/exec/library_parts.h"
#include "machine/exec/operands.h"

namespace xeforge::machine::XEFORGE_EXEC_NS {
namespace {

using isa::DataType;

/// Byte address of an indirect operand's first element: a0 word plus immediate. `extent` bytes
/// from there must lie in the GRF.
uint32_t indirect_origin(const Thread& t, const Uop& u, uint8_t addr_subreg, uint32_t immediate, uint32_t extent) {
  uint16_t a;
  std::memcpy(&a, t.at(regspace::kAddress + addr_subreg * 2u), 2);
  const uint32_t origin = (static_cast<uint32_t>(a) + immediate) & 0xFFFFu;
  if (origin + extent > regspace::kGrfBytes)
    raise_fault(FaultKind::RegisterOutOfBounds, u.pc, -1, "register-indirect access beyond the register file");
  return origin;
}

template <int kCount>
struct Count {
  constexpr operator int() const { return kCount; }
};

template <class S>
S read(const Thread& t, uint32_t offset) {
  S s;
  std::memcpy(&s, t.at(offset), sizeof s);
  return s;
}

/// Calls `f` with the number of channels, as a constant where halves of dwords are unpacked all the time (16-bit and
/// narrower sources of the usual SIMD widths): a loop of known length is a few vector instructions.
template <class S, class F>
void with_count(int n, F&& f) {
  if constexpr (sizeof(S) <= 2) {
    if (n == 8) return f(Count<8>{});
    if (n == 16) return f(Count<16>{});
    if (n == 32) return f(Count<32>{});
  }
  f(n);
}

template <class T, class S, class N>
[[gnu::always_inline]] inline void load_each(const Thread& t, uint32_t origin, T* out, N count) {
  const int n = count;
  S raw[kMaxLanes];
  std::memcpy(raw, t.at(origin), sizeof(S) * static_cast<unsigned>(n));
  for (int i = 0; i < n; ++i) out[i] = element<T>(raw[i]);
}

/// A fixed stride vectorises best as the low halves of whole units. The last high half may lie outside the operand,
/// never outside Thread::regs, where kNull follows everything that has a register number.
template <class T, class S, class N>
[[gnu::always_inline]] inline void load_every_other(const Thread& t, uint32_t origin, T* out, N count) {
  const int n = count;
  if constexpr (sizeof(S) == 2) {
    uint32_t raw[kMaxLanes];
    std::memcpy(raw, t.at(origin), sizeof(uint32_t) * static_cast<unsigned>(n));
    for (int i = 0; i < n; ++i) out[i] = element<T>(bits_as<S>(static_cast<uint16_t>(raw[i])));
  } else {
    S raw[2 * kMaxLanes];
    std::memcpy(raw, t.at(origin), sizeof(S) * static_cast<unsigned>(2 * n - 1));
    for (int i = 0; i < n; ++i) out[i] = element<T>(raw[2 * i]);
  }
}

template <class T, class S>
void load_elements(const Thread& t, const Uop& u, const SrcOperand& s, void* out_void) {
  T* out = static_cast<T*>(out_void);
  const int n = u.exec_size;
  if (s.indirect && s.vxh) {
    for (int i = 0; i < n; ++i) {
      const auto sub = static_cast<uint8_t>(s.addr_subreg + i / s.width);
      const uint32_t inner = static_cast<uint32_t>(i % s.width) * s.h_bytes;
      out[i] = element<T>(read<S>(t, indirect_origin(t, u, sub, s.offset, inner + sizeof(S)) + inner));
    }
    return;
  }
  uint32_t origin = s.offset;
  if (s.indirect) {
    const uint32_t last = static_cast<uint32_t>(n - 1);
    const uint32_t extent = s.region_1d ? last * static_cast<uint32_t>(s.stride)
                                        : (last / s.width) * s.v_bytes + (s.width - 1u) * s.h_bytes;
    origin = indirect_origin(t, u, s.addr_subreg, s.offset, extent + static_cast<uint32_t>(sizeof(S)));
  }
  if (s.region_1d) {
    if (s.stride == static_cast<int32_t>(sizeof(S))) {
      with_count<S>(n, [&](auto count) { load_each<T, S>(t, origin, out, count); });
    } else if (s.stride == static_cast<int32_t>(2 * sizeof(S)) && n >= 4) {
      with_count<S>(n, [&](auto count) { load_every_other<T, S>(t, origin, out, count); });
    } else {
      for (int i = 0; i < n; ++i) out[i] = element<T>(read<S>(t, origin + static_cast<uint32_t>(i * s.stride)));
    }
    return;
  }
  uint32_t row = origin;
  for (int i = 0; i < n; row += s.v_bytes)
    for (int j = 0; j < s.width && i < n; ++j, ++i)
      out[i] = element<T>(read<S>(t, row + static_cast<uint32_t>(j) * s.h_bytes));
}

/// Packed-vector immediates: 8 signed (V) or unsigned (UV) nibbles, or 4 bytes of restricted
/// 8-bit floats (VF: sign, 3 exponent bits, 4 mantissa bits).
template <class T>
void load_v(const Thread&, const Uop& u, const SrcOperand& s, void* out_void) {
  T* out = static_cast<T*>(out_void);
  for (int i = 0; i < u.exec_size; ++i) {
    const auto nibble = static_cast<int32_t>((s.value >> (4 * (i % 8))) & 15u);
    out[i] = static_cast<T>(nibble >= 8 ? nibble - 16 : nibble);
  }
}
template <class T>
void load_uv(const Thread&, const Uop& u, const SrcOperand& s, void* out_void) {
  T* out = static_cast<T*>(out_void);
  for (int i = 0; i < u.exec_size; ++i) out[i] = static_cast<T>((s.value >> (4 * (i % 8))) & 15u);
}
template <class T>
void load_vf(const Thread&, const Uop& u, const SrcOperand& s, void* out_void) {
  T* out = static_cast<T*>(out_void);
  for (int i = 0; i < u.exec_size; ++i) {
    const auto byte = static_cast<uint32_t>((s.value >> (8 * (i % 4))) & 0xFFu);
    const uint32_t sign = (byte & 0x80u) << 24;
    const uint32_t rest = byte & 0x7Fu;
    out[i] =
        static_cast<T>(bits_as<float>(rest == 0 ? sign : sign | ((((rest >> 4) + 124u) << 23) | ((rest & 15u) << 19))));
  }
}

template <class T>
LoadFn load_for(DataType s) {
  switch (s) {
    case DataType::UB:
    case DataType::U8:
      return load_elements<T, uint8_t>;
    case DataType::B:
    case DataType::S8:
      return load_elements<T, int8_t>;
    case DataType::UW:
      return load_elements<T, uint16_t>;
    case DataType::W:
      return load_elements<T, int16_t>;
    case DataType::UD:
      return load_elements<T, uint32_t>;
    case DataType::D:
      return load_elements<T, int32_t>;
    case DataType::UQ:
      return load_elements<T, uint64_t>;
    case DataType::Q:
      return load_elements<T, int64_t>;
    case DataType::V:
      return load_v<T>;
    case DataType::UV:
      return load_uv<T>;
    default:
      break;
  }
  if constexpr (kIsFloat<T>) {
    switch (s) {
      case DataType::HF:
        return load_elements<T, Half>;
      case DataType::BF:
        return load_elements<T, Bf16>;
      case DataType::F:
        return load_elements<T, float>;
      case DataType::DF:
        return load_elements<T, double>;
      case DataType::TF32:
        return load_elements<T, Tf32>;
      case DataType::VF:
        return load_vf<T>;
      default:
        break;
    }
  }
  return nullptr;
}

template <class S>
LoadFn raw_load_for(DataType s) {
  switch (s) {
    case DataType::V:
      return load_v<S>;
    case DataType::UV:
      return load_uv<S>;
    default:
      return load_elements<S, S>;
  }
}

/// U32/U64 serve raw copies of any type of that width and unsigned arithmetic on narrower ones.
template <class T>
LoadFn unsigned_load_for(DataType s) {
  return isa::bytes_of(s) == sizeof(T) ? raw_load_for<T>(s) : load_for<T>(s);
}

/// Rounds to an integral value as cr0.0 asks: bit 12 = follow the rounding mode, else truncate
/// (library-kernels.md section 2, item 6). The host rounding mode already is the thread's.
template <class F>
F integral(const Thread& t, F v) {
  uint32_t cr0;
  std::memcpy(&cr0, t.at(regspace::kControl), 4);
  return cr0 & 0x1000u ? std::nearbyint(v) : std::trunc(v);
}

template <class D, class T, bool Saturate>
D to_dst(const Thread& t, T v) {
  if constexpr (kIsFloat<T>) {
    if constexpr (kIsFloatDst<D>) {
      if constexpr (Saturate) v = !(v > T(0)) ? T(0) : v > T(1) ? T(1) : v;  // NaN saturates to 0
      if constexpr (__is_same(D, Half))
        return Half{float_to_half(static_cast<float>(v))};
      else if constexpr (__is_same(D, Bf16))
        return Bf16{float_to_bf16(static_cast<float>(v))};
      else if constexpr (__is_same(D, Tf32)) {
        const uint32_t b = bits_as<uint32_t>(static_cast<float>(v));
        const bool special = (b & 0x7F800000u) == 0x7F800000u;
        return Tf32{special ? b : (b + 0xFFFu + ((b >> 13) & 1u)) & 0xFFFFE000u};
      } else
        return static_cast<D>(v);
    } else {
      return clamp_to_int<D>(integral(t, v));
    }
  } else {
    if constexpr (__is_same(D, Half))
      return Half{float_to_half(static_cast<float>(v))};
    else if constexpr (__is_same(D, Bf16))
      return Bf16{float_to_bf16(static_cast<float>(v))};
    else if constexpr (__is_same(D, Tf32))
      return Tf32{bits_as<uint32_t>(static_cast<float>(v))};
    else if constexpr (kIsFloat<D>)
      return static_cast<D>(v);
    else if constexpr (Saturate) {
      if constexpr (__is_same(T, uint64_t))
        return static_cast<D>(
            v > static_cast<uint64_t>(IntLimits<D>::hi) && sizeof(D) < 8 ? static_cast<uint64_t>(IntLimits<D>::hi) : v);
      else {
        const auto w = static_cast<int64_t>(v);
        return static_cast<D>(w < IntLimits<D>::lo ? IntLimits<D>::lo : w > IntLimits<D>::hi ? IntLimits<D>::hi : w);
      }
    } else
      return static_cast<D>(v);
  }
}

template <class T, class D, bool Saturate>
void store_elements(Thread& t, const Uop& u, const void* in_void, uint32_t mask) {
  const T* in = static_cast<const T*>(in_void);
  const int n = u.exec_size;
  uint32_t origin = u.dst.offset;
  if (u.dst.indirect)
    origin = indirect_origin(t, u, u.dst.addr_subreg, origin,
                             static_cast<uint32_t>((n - 1) * u.dst.stride) + static_cast<uint32_t>(sizeof(D)));
  if (u.dst.stride == static_cast<int32_t>(sizeof(D))) {
    D out[kMaxLanes];
    std::byte* p = t.at(origin);
    if (mask != u.lanes) std::memcpy(out, p, sizeof(D) * static_cast<unsigned>(n));
    for (int i = 0; i < n; ++i)
      if ((mask >> i) & 1u) out[i] = to_dst<D, T, Saturate>(t, in[i]);
    std::memcpy(p, out, sizeof(D) * static_cast<unsigned>(n));
    return;
  }
  for (int i = 0; i < n; ++i) {
    if (!((mask >> i) & 1u)) continue;
    const D d = to_dst<D, T, Saturate>(t, in[i]);
    std::memcpy(t.at(origin + static_cast<uint32_t>(i * u.dst.stride)), &d, sizeof d);
  }
}

void store_nowhere(Thread&, const Uop&, const void*, uint32_t) {}

template <class T, bool Saturate>
StoreFn store_for(DataType d) {
  switch (d) {
    case DataType::UB:
      return store_elements<T, uint8_t, Saturate>;
    case DataType::B:
      return store_elements<T, int8_t, Saturate>;
    case DataType::UW:
      return store_elements<T, uint16_t, Saturate>;
    case DataType::W:
      return store_elements<T, int16_t, Saturate>;
    case DataType::UD:
      return store_elements<T, uint32_t, Saturate>;
    case DataType::D:
      return store_elements<T, int32_t, Saturate>;
    case DataType::UQ:
      return store_elements<T, uint64_t, Saturate>;
    case DataType::Q:
      return store_elements<T, int64_t, Saturate>;
    case DataType::HF:
      return store_elements<T, Half, Saturate>;
    case DataType::BF:
      return store_elements<T, Bf16, Saturate>;
    case DataType::F:
      return store_elements<T, float, Saturate>;
    case DataType::DF:
      return store_elements<T, double, Saturate>;
    case DataType::TF32:
      return store_elements<T, Tf32, Saturate>;
    case DataType::Invalid:
      return store_nowhere;  // null destination
    default:
      return nullptr;
  }
}

}  // namespace

LoadFn load_function(ExecType type, DataType source) {
  switch (type) {
    case ExecType::U8:
      return raw_load_for<uint8_t>(source);
    case ExecType::U16:
      return raw_load_for<uint16_t>(source);
    case ExecType::U32:
      return unsigned_load_for<uint32_t>(source);
    case ExecType::U64:
      return unsigned_load_for<uint64_t>(source);
    case ExecType::I32:
      return load_for<int32_t>(source);
    case ExecType::I64:
      return load_for<int64_t>(source);
    case ExecType::F32:
      return load_for<float>(source);
    case ExecType::F64:
      return load_for<double>(source);
  }
  return nullptr;
}

StoreFn store_function(ExecType type, DataType dst, bool saturate) {
  switch (type) {
    case ExecType::U8:
      return dst == DataType::Invalid ? store_nowhere : StoreFn{store_elements<uint8_t, uint8_t, false>};
    case ExecType::U16:
      return dst == DataType::Invalid ? store_nowhere : StoreFn{store_elements<uint16_t, uint16_t, false>};
    case ExecType::U32:
      return dst != DataType::Invalid && isa::bytes_of(dst) == 4 ? StoreFn{store_elements<uint32_t, uint32_t, false>}
                                                                 : store_for<uint32_t, false>(dst);
    case ExecType::U64:
      return dst != DataType::Invalid && isa::bytes_of(dst) == 8 ? StoreFn{store_elements<uint64_t, uint64_t, false>}
                                                                 : store_for<uint64_t, false>(dst);
    case ExecType::I32:
      return saturate ? store_for<int32_t, true>(dst) : store_for<int32_t, false>(dst);
    case ExecType::I64:
      return saturate ? store_for<int64_t, true>(dst) : store_for<int64_t, false>(dst);
    case ExecType::F32:
      return saturate ? store_for<float, true>(dst) : store_for<float, false>(dst);
    case ExecType::F64:
      return saturate ? store_for<double, true>(dst) : store_for<double, false>(dst);
  }
  return nullptr;
}

}  // namespace xeforge::machine::XEFORGE_EXEC_NS
