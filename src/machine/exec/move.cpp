// SPDX-License-Identifier: Apache-2.0
//
// mov and the opcodes with operand rules of their own: movi, csel, bfn, dp4a, madm, srnd.
#include "machine/exec/alu.h"
#include "machine/exec/library_parts.h"

namespace xeforge::machine::XEFORGE_EXEC_NS {
namespace {

using isa::Opcode;

template <class T, int N>
void move(Thread& t, const Uop& u) {
  const uint32_t mask = lane_mask(t, u);
  if (mask == 0) return;
  T r[N ? N : kMaxLanes];
  fetch<T, N>(t, u, u.src[0], r);
  put<T, N>(t, u, r, mask);
}

template <class T>
Handler move_for_size(unsigned n) {
  switch (n) {
    case 1:
      return move<T, 1>;
    case 4:
      return move<T, 4>;
    case 8:
      return move<T, 8>;
    case 16:
      return move<T, 16>;
    case 32:
      return move<T, 32>;
    default:
      return move<T, 0>;
  }
}

/// movi: the register comes from a0.n alone, the sub-register of channel i from a0.(n+i)
/// (library-kernels.md section 2, item 12).
template <class T>
void move_indexed(Thread& t, const Uop& u) {
  const uint32_t mask = lane_mask(t, u);
  if (mask == 0) return;
  T r[kMaxLanes];
  const SrcOperand& s = u.src[0];
  const auto address_word = [&](uint32_t i) {
    uint16_t a;
    std::memcpy(&a, t.at(regspace::kAddress + (s.addr_subreg + i) * 2u), 2);
    return static_cast<uint32_t>(a) + s.offset;
  };
  const uint32_t grf = u.grf_bytes;
  const uint32_t base = address_word(0) / grf * grf;
  if (base + grf > regspace::kGrfBytes)
    raise_fault(FaultKind::RegisterOutOfBounds, u.pc, -1, "movi addresses a register beyond the register file");
  for (uint32_t i = 0; i < u.exec_size; ++i) {
    const uint32_t sub = address_word(i) % grf & ~static_cast<uint32_t>(sizeof(T) - 1);
    std::memcpy(&r[i], t.at(base + sub), sizeof(T));
  }
  put<T, 0>(t, u, r, mask);
}

template <class T, int N>
void conditional_select(Thread& t, const Uop& u) {
  const uint32_t mask = lane_mask(t, u);
  if (mask == 0) return;
  constexpr int kMax = N ? N : kMaxLanes;
  const int n = lane_count<N>(u);
  T a[kMax], b[kMax], c[kMax], r[kMax];
  fetch<T, N>(t, u, u.src[0], a);
  fetch<T, N>(t, u, u.src[1], b);
  fetch<T, N>(t, u, u.src[2], c);
  for (int i = 0; i < n; ++i) r[i] = condition(u.cond_mod, c[i], T(0)) ? a[i] : b[i];
  put<T, N>(t, u, r, mask);
}

/// Any boolean function of three inputs: bit (s2 s1 s0) of the table (visa BFN documentation).
void boolean_function(Thread& t, const Uop& u) {
  const uint32_t mask = lane_mask(t, u);
  if (mask == 0) return;
  uint32_t a[kMaxLanes], b[kMaxLanes], c[kMaxLanes], r[kMaxLanes];
  fetch<uint32_t, 0, true>(t, u, u.src[0], a);
  fetch<uint32_t, 0, true>(t, u, u.src[1], b);
  fetch<uint32_t, 0, true>(t, u, u.src[2], c);
  const unsigned lut = u.inst->bfn_lut;
  for (int i = 0; i < u.exec_size; ++i) r[i] = 0;
  for (unsigned m = 0; m < 8; ++m) {
    if (!((lut >> m) & 1u)) continue;
    const uint32_t fa = m & 1u ? 0 : ~0u, fb = m & 2u ? 0 : ~0u, fc = m & 4u ? 0 : ~0u;
    for (int i = 0; i < u.exec_size; ++i) r[i] |= (a[i] ^ fa) & (b[i] ^ fb) & (c[i] ^ fc);
  }
  if (u.cond_mod != isa::FlagMod::None) {
    uint32_t bits = 0;
    for (int i = 0; i < u.exec_size; ++i)
      bits |= static_cast<uint32_t>(condition<int64_t>(u.cond_mod,
                                                       isa::is_signed(u.inst->dst.type)
                                                           ? static_cast<int64_t>(static_cast<int32_t>(r[i]))
                                                           : static_cast<int64_t>(r[i]),
                                                       0))
              << i;
    set_flags(t, u, bits, mask);
  }
  put<uint32_t, 0>(t, u, r, mask);
}

/// dp4a: src0 + four byte products of src1 and src2; a byte is signed if its operand is :d.
void dot4_accumulate(Thread& t, const Uop& u) {
  const uint32_t mask = lane_mask(t, u);
  if (mask == 0) return;
  uint32_t x[kMaxLanes], y[kMaxLanes];
  int64_t acc[kMaxLanes];
  fetch<int64_t, 0>(t, u, u.src[0], acc);
  fetch<uint32_t, 0>(t, u, u.src[1], x);
  fetch<uint32_t, 0>(t, u, u.src[2], y);
  const bool sx = isa::is_signed(u.inst->src[1].type), sy = isa::is_signed(u.inst->src[2].type);
  for (int i = 0; i < u.exec_size; ++i)
    for (unsigned k = 0; k < 32; k += 8) {
      const auto bx = static_cast<uint8_t>(x[i] >> k), by = static_cast<uint8_t>(y[i] >> k);
      acc[i] += static_cast<int64_t>(sx ? static_cast<int8_t>(bx) : static_cast<int>(bx)) *
                (sy ? static_cast<int8_t>(by) : static_cast<int>(by));
    }
  put<int64_t, 0>(t, u, acc, mask);
}

/// madm: the steps of IEEE division and square root. The extra exponent bits of the mme registers are
/// not needed: math.invm / rsqtm take operands that would need them through the early-out flag.
template <class T>
void macro_multiply_add(Thread& t, const Uop& u) {
  const uint32_t mask = lane_mask(t, u);
  if (mask == 0) return;
  T a[kMaxLanes], b[kMaxLanes], c[kMaxLanes], r[kMaxLanes];
  fetch<T, 0>(t, u, u.src[0], a);
  fetch<T, 0>(t, u, u.src[1], b);
  fetch<T, 0>(t, u, u.src[2], c);
  for (int i = 0; i < u.exec_size; ++i)
    r[i] = __is_same(T, float) ? static_cast<T>(__builtin_fmaf(static_cast<float>(b[i]), static_cast<float>(c[i]),
                                                               static_cast<float>(a[i])))
                               : static_cast<T>(__builtin_fma(b[i], c[i], a[i]));
  put<T, 0>(t, u, r, mask);
}

template <class T>
Handler csel_for(unsigned n) {
  return n == 8    ? Handler{conditional_select<T, 8>}
         : n == 16 ? Handler{conditional_select<T, 16>}
                   : Handler{conditional_select<T, 0>};
}

}  // namespace

Handler move_handler(ExecType type, unsigned n) {
  switch (type) {
    case ExecType::U8:
      return move_for_size<uint8_t>(n);
    case ExecType::U16:
      return move_for_size<uint16_t>(n);
    case ExecType::U32:
      return move_for_size<uint32_t>(n);
    case ExecType::U64:
      return move_for_size<uint64_t>(n);
    case ExecType::I32:
      return move_for_size<int32_t>(n);
    case ExecType::I64:
      return move_for_size<int64_t>(n);
    case ExecType::F32:
      return move_for_size<float>(n);
    case ExecType::F64:
      return move_for_size<double>(n);
  }
  return nullptr;
}

Handler special_handler(Opcode op, ExecType type) {
  switch (op) {
    case Opcode::Movi:
      switch (type) {
        case ExecType::U8:
          return move_indexed<uint8_t>;
        case ExecType::U16:
          return move_indexed<uint16_t>;
        case ExecType::U32:
          return move_indexed<uint32_t>;
        case ExecType::U64:
          return move_indexed<uint64_t>;
        default:
          return nullptr;
      }
    case Opcode::Csel:
      switch (type) {
        case ExecType::I32:
          return csel_for<int32_t>(0);
        case ExecType::U32:
          return csel_for<uint32_t>(0);
        case ExecType::I64:
          return csel_for<int64_t>(0);
        case ExecType::F32:
          return csel_for<float>(0);
        case ExecType::F64:
          return csel_for<double>(0);
        default:
          return nullptr;
      }
    case Opcode::Bfn:
      return boolean_function;
    case Opcode::Dp4a:
      return dot4_accumulate;
    case Opcode::Madm:
      return type == ExecType::F64 ? Handler{macro_multiply_add<double>} : Handler{macro_multiply_add<float>};
    default:
      return nullptr;
  }
}

}  // namespace xeforge::machine::XEFORGE_EXEC_NS
