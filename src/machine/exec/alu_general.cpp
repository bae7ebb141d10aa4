// SPDX-License-Identifier: Apache-2.0
//
// The complete but slower form of the opcodes: saturation, condition modifiers, accumulator
// destinations and implicit accumulator operands, integers in 64 bits so that nothing is lost
// before the flags are taken.
#include <cmath>

#include "machine/exec/alu.h"
#include "machine/exec/library_parts.h"

namespace xeforge::machine::XEFORGE_EXEC_NS {
namespace {

using isa::DataType;
using isa::Opcode;
__extension__ typedef __int128 Int128;

bool is_wide(DataType d) { return d == DataType::Q || d == DataType::UQ; }

/// Width in which the hardware computes: 64 if any operand is a qword.
bool executes_wide(const Uop& u) {
  if (is_wide(u.inst->dst.type) && !u.inst->dst.is_null()) return true;
  for (unsigned i = 0; i < u.inst->num_src; ++i)
    if (is_wide(u.inst->src[i].type)) return true;
  return false;
}

int64_t truncated(int64_t v, DataType d) {
  switch (d) {
    case DataType::UB:
      return static_cast<uint8_t>(v);
    case DataType::B:
      return static_cast<int8_t>(v);
    case DataType::UW:
      return static_cast<uint16_t>(v);
    case DataType::W:
      return static_cast<int16_t>(v);
    case DataType::UD:
      return static_cast<uint32_t>(v);
    case DataType::D:
      return static_cast<int32_t>(v);
    default:
      return v;
  }
}

bool out_of_range(Int128 v, DataType d) {
  switch (d) {
    case DataType::UB:
      return v < 0 || v > 0xFF;
    case DataType::B:
      return v < -0x80 || v > 0x7F;
    case DataType::UW:
      return v < 0 || v > 0xFFFF;
    case DataType::W:
      return v < -0x8000 || v > 0x7FFF;
    case DataType::UD:
      return v < 0 || v > 0xFFFFFFFFLL;
    case DataType::D:
      return v < -0x80000000LL || v > 0x7FFFFFFFLL;
    case DataType::UQ:
      return v < 0 || v > static_cast<Int128>(UINT64_MAX);
    case DataType::Q:
      return v < INT64_MIN || v > INT64_MAX;
    default:
      return false;
  }
}

int64_t saturated(int64_t v, DataType d) {
  switch (d) {
    case DataType::UB:
      return v < 0 ? 0 : v > 0xFF ? 0xFF : v;
    case DataType::B:
      return v < -0x80 ? -0x80 : v > 0x7F ? 0x7F : v;
    case DataType::UW:
      return v < 0 ? 0 : v > 0xFFFF ? 0xFFFF : v;
    case DataType::W:
      return v < -0x8000 ? -0x8000 : v > 0x7FFF ? 0x7FFF : v;
    case DataType::UD:
      return v < 0 ? 0 : v > 0xFFFFFFFFLL ? 0xFFFFFFFFLL : v;
    case DataType::D:
      return v < -0x80000000LL ? -0x80000000LL : v > 0x7FFFFFFFLL ? 0x7FFFFFFFLL : v;
    default:
      return v;
  }
}

/// Accumulator lanes follow the destination: same dword position, same stride.
uint32_t acc_lane(const Uop& u, int i) {
  const uint32_t step = u.dst.stride > 4 ? static_cast<uint32_t>(u.dst.stride) / 4u : 1u;
  return (implicit_acc_position(u) + static_cast<uint32_t>(i) * step) % (regspace::kAccBytes / 4);
}

void write_acc_lane(Thread& t, uint32_t lane, int64_t v) {
  t.acc64[lane] = v;
  const auto low = static_cast<uint32_t>(v);
  std::memcpy(t.at(regspace::kAcc + lane * 4), &low, 4);
}

template <class T>
uint32_t flags_of(const Uop& u, const T* r, const Int128* exact, bool on_truncated) {
  const DataType d = u.inst->dst.type;
  // Whether a sum is zero is asked of its 32 bits: compilers count unsigned loops down with `add (ne) n:ud n:ud
  // 0xFFFFFFFF`, which never ends if the carry takes part. Its sign is that of the exact sum.
  const bool adds = u.inst->op == Opcode::Add || u.inst->op == Opcode::Add3;
  const bool zero_of_dword =
      adds && (u.cond_mod == isa::FlagMod::Eq || u.cond_mod == isa::FlagMod::Ne) && !executes_wide(u);
  uint32_t bits = 0;
  for (int i = 0; i < u.exec_size; ++i) {
    bool b;
    if (u.cond_mod == isa::FlagMod::Ov) {
      if constexpr (kIsFloat<T>)
        b = std::isinf(r[i]);
      else
        b = exact != nullptr && out_of_range(exact[i], d);
    } else if constexpr (kIsFloat<T>) {
      b = condition(u.cond_mod, u.saturate ? (r[i] > T(0) ? (r[i] > T(1) ? T(1) : r[i]) : T(0)) : r[i], T(0));
    } else {
      int64_t v = static_cast<int64_t>(r[i]);
      if (u.saturate)
        v = saturated(v, d);
      else if (on_truncated)
        v = truncated(v, d);
      else if (zero_of_dword)
        v = static_cast<int32_t>(v);
      b = condition<int64_t>(u.cond_mod, v, 0);
    }
    bits |= static_cast<uint32_t>(b) << i;
  }
  return bits;
}

/// Accumulator side effects and the destination.
template <class T>
void write_result(Thread& t, const Uop& u, const T* r, uint32_t mask) {
  if constexpr (!kIsFloat<T>) {
    const bool acc_dst = u.dst.acc && isa::bytes_of(u.dst.type) >= 4;
    if (acc_dst || u.acc_wr_en)
      for (int i = 0; i < u.exec_size; ++i)
        if ((mask >> i) & 1u) write_acc_lane(t, acc_lane(u, i), static_cast<int64_t>(r[i]));
    if (acc_dst) return;
  } else if (u.acc_wr_en && !u.dst.acc) {
    for (int i = 0; i < u.exec_size; ++i) {
      if (!((mask >> i) & 1u)) continue;
      const auto f = static_cast<float>(r[i]);
      std::memcpy(t.at(regspace::kAcc + acc_lane(u, i) * 4), &f, 4);
    }
  }
  put<T, 0>(t, u, r, mask);
}

/// Common end: flags, accumulator side effects, the destination.
template <class T>
void finish(Thread& t, const Uop& u, const T* r, uint32_t mask, const Int128* exact, bool flags_on_truncated) {
  if (u.cond_mod != isa::FlagMod::None) set_flags(t, u, flags_of(u, r, exact, flags_on_truncated), mask);
  write_result(t, u, r, mask);
}

template <class T, Opcode op>
void arithmetic(Thread& t, const Uop& u) {
  // Without a condition the predicate of sel chooses between the sources; it disables no channel.
  const bool chooses = op == Opcode::Sel && u.cond_mod == isa::FlagMod::None;
  const uint32_t mask = chooses ? (u.no_mask ? u.lanes : (t.exec_mask >> u.channel_offset) & u.lanes) : lane_mask(t, u);
  if (mask == 0) return;
  const uint32_t chosen = chooses ? predicate_mask(t, u) : 0;
  constexpr bool logic = op == Opcode::And || op == Opcode::Or || op == Opcode::Xor || op == Opcode::Not;
  constexpr bool shift = op == Opcode::Shl || op == Opcode::Shr || op == Opcode::Asr;
  constexpr bool rounds =
      op == Opcode::Rndd || op == Opcode::Rndu || op == Opcode::Rndz || op == Opcode::Rnde || op == Opcode::Frc;
  constexpr int sources = op == Opcode::Mov || op == Opcode::Not || rounds                ? 1
                          : op == Opcode::Mad || op == Opcode::Add3 || op == Opcode::Csel ? 3
                                                                                          : 2;
  T a[kMaxLanes], b[kMaxLanes], c[kMaxLanes], r[kMaxLanes];
  Int128 exact[kMaxLanes];
  fetch<T, 0, logic>(t, u, u.src[0], a);
  if constexpr (sources > 1) fetch<T, 0, logic>(t, u, u.src[1], b);
  if constexpr (sources > 2) fetch<T, 0, logic>(t, u, u.src[2], c);
  const bool wide = shift ? executes_wide(u) : true;
  bool have_exact = false;
  for (int i = 0; i < u.exec_size; ++i) {
    if constexpr (kIsFloat<T>) {
      if constexpr (op == Opcode::Mov)
        r[i] = a[i];
      else if constexpr (op == Opcode::Add)
        r[i] = a[i] + b[i];
      else if constexpr (op == Opcode::Add3)
        r[i] = a[i] + b[i] + c[i];
      else if constexpr (op == Opcode::Mul)
        r[i] = a[i] * b[i];
      else if constexpr (op == Opcode::Mad)
        r[i] = static_cast<T>(__is_same(T, float)
                                  ? static_cast<T>(__builtin_fmaf(static_cast<float>(b[i]), static_cast<float>(c[i]),
                                                                  static_cast<float>(a[i])))
                                  : static_cast<T>(__builtin_fma(b[i], c[i], a[i])));
      else if constexpr (op == Opcode::Sel)
        r[i] = (chooses ? ((chosen >> i) & 1u) != 0 : b[i] != b[i] || condition(u.cond_mod, a[i], b[i])) ? a[i] : b[i];
      else if constexpr (op == Opcode::Csel)
        r[i] = condition(u.cond_mod, c[i], T(0)) ? a[i] : b[i];
      else if constexpr (op == Opcode::Rndd)
        r[i] = std::floor(a[i]);
      else if constexpr (op == Opcode::Frc)
        r[i] = a[i] - std::floor(a[i]);
      else if constexpr (op == Opcode::Rndz)
        r[i] = std::trunc(a[i]);
      else if constexpr (op == Opcode::Rndu)
        r[i] = std::ceil(a[i]);
      else if constexpr (op == Opcode::Rnde)
        r[i] = nearest_even(a[i]);
    } else {
      if constexpr (op == Opcode::Mov) {
        exact[i] = a[i];
        have_exact = true;
      } else if constexpr (op == Opcode::Add) {
        exact[i] = static_cast<Int128>(a[i]) + b[i];
        have_exact = true;
      } else if constexpr (op == Opcode::Add3) {
        exact[i] = static_cast<Int128>(a[i]) + b[i] + c[i];
        have_exact = true;
      } else if constexpr (op == Opcode::Mul) {
        exact[i] = static_cast<Int128>(a[i]) * b[i];
        have_exact = true;
      } else if constexpr (op == Opcode::Mad) {
        exact[i] = static_cast<Int128>(b[i]) * c[i] + a[i];
        have_exact = true;
      } else if constexpr (op == Opcode::Avg) {
        exact[i] = (static_cast<Int128>(a[i]) + b[i] + 1) >> 1;
        have_exact = true;
      } else if constexpr (op == Opcode::And)
        r[i] = a[i] & b[i];
      else if constexpr (op == Opcode::Or)
        r[i] = a[i] | b[i];
      else if constexpr (op == Opcode::Xor)
        r[i] = a[i] ^ b[i];
      else if constexpr (op == Opcode::Not)
        r[i] = ~a[i];
      else if constexpr (op == Opcode::Sel)
        r[i] = (chooses ? ((chosen >> i) & 1u) != 0 : condition(u.cond_mod, a[i], b[i])) ? a[i] : b[i];
      else if constexpr (op == Opcode::Csel)
        r[i] = condition(u.cond_mod, c[i], T(0)) ? a[i] : b[i];
      else if constexpr (op == Opcode::Shl) {
        exact[i] = static_cast<Int128>(a[i]) << (static_cast<uint64_t>(b[i]) & (wide ? 63u : 31u));
        have_exact = true;
      } else if constexpr (op == Opcode::Shr)
        r[i] = static_cast<T>((wide ? static_cast<uint64_t>(a[i]) : static_cast<uint32_t>(a[i])) >>
                              (static_cast<uint64_t>(b[i]) & (wide ? 63u : 31u)));
      else if constexpr (op == Opcode::Asr)
        r[i] = a[i] >> (static_cast<uint64_t>(b[i]) & (wide ? 63u : 31u));
      if (have_exact) {
        // Saturation needs the exact value; 64 bits hold every one of <= 32-bit operands.
        const Int128 e = exact[i];
        r[i] = u.saturate ? static_cast<T>(e < INT64_MIN   ? INT64_MIN
                                           : e > INT64_MAX ? INT64_MAX
                                                           : static_cast<int64_t>(e))
                          : static_cast<T>(static_cast<uint64_t>(e));
      }
    }
  }
  if constexpr (op == Opcode::Sel || op == Opcode::Csel) {
    // Their condition modifier selects; it does not write flags.
    write_result(t, u, r, mask);
  } else {
    finish<T>(t, u, r, mask, have_exact ? exact : nullptr, logic || shift);
  }
}

/// mul into the accumulator followed by mach/macl forms a 32x32 product from 32x16 ones.
/// DG2: mach without {AccWrEn} returns the low half, with it the high half; Xe2: macl low, mach high
/// (isa.md section 3, library-kernels.md section 2 item 10).
template <bool High>
void mach(Thread& t, const Uop& u) {
  const uint32_t mask = lane_mask(t, u);
  if (mask == 0) return;
  int64_t a[kMaxLanes], b[kMaxLanes], r[kMaxLanes];
  fetch<int64_t, 0>(t, u, u.src[0], a);
  fetch<int64_t, 0>(t, u, u.src[1], b);
  for (int i = 0; i < u.exec_size; ++i) {
    if (!((mask >> i) & 1u)) continue;
    const uint32_t lane = acc_lane(u, i);
    // The upper half of b with its sign; the lower half was multiplied by the preceding mul.
    const int64_t sum = t.acc64[lane] + (static_cast<int64_t>(static_cast<uint64_t>(a[i] * (b[i] >> 16)) << 16));
    r[i] = High ? sum >> 32 : static_cast<int64_t>(static_cast<uint32_t>(sum));
    if (u.acc_wr_en || !High) write_acc_lane(t, lane, sum);
  }
  if (u.cond_mod != isa::FlagMod::None) set_flags(t, u, flags_of<int64_t>(u, r, nullptr, true), mask);
  put<int64_t, 0>(t, u, r, mask);
}

/// mac: implicit accumulator as the addend.
template <class T>
void mac(Thread& t, const Uop& u) {
  const uint32_t mask = lane_mask(t, u);
  if (mask == 0) return;
  T a[kMaxLanes], b[kMaxLanes], r[kMaxLanes];
  fetch<T, 0>(t, u, u.src[0], a);
  fetch<T, 0>(t, u, u.src[1], b);
  for (int i = 0; i < u.exec_size; ++i) {
    if constexpr (kIsFloat<T>) {
      float acc;
      std::memcpy(&acc, t.at(regspace::kAcc + acc_lane(u, i) * 4), 4);
      r[i] =
          static_cast<T>(__builtin_fma(static_cast<double>(a[i]), static_cast<double>(b[i]), static_cast<double>(acc)));
    } else {
      r[i] = t.acc64[acc_lane(u, i)] + a[i] * b[i];
    }
  }
  finish<T>(t, u, r, mask, nullptr, false);
}

/// addc / subb: the carry or borrow of the unsigned 32-bit operation goes to the accumulator.
template <bool Subtract>
void carry_arithmetic(Thread& t, const Uop& u) {
  const uint32_t mask = lane_mask(t, u);
  if (mask == 0) return;
  int64_t a[kMaxLanes], b[kMaxLanes], r[kMaxLanes];
  fetch<int64_t, 0>(t, u, u.src[0], a);
  fetch<int64_t, 0>(t, u, u.src[1], b);
  for (int i = 0; i < u.exec_size; ++i) {
    if (!((mask >> i) & 1u)) continue;
    const auto x = static_cast<uint32_t>(a[i]);
    const auto y = static_cast<uint32_t>(b[i]);
    r[i] = static_cast<int64_t>(Subtract ? x - y : x + y);
    const bool carry = Subtract ? x < y : static_cast<uint32_t>(x + y) < x;
    write_acc_lane(t, acc_lane(u, i), carry);
  }
  if (u.cond_mod != isa::FlagMod::None) set_flags(t, u, flags_of<int64_t>(u, r, nullptr, true), mask);
  put<int64_t, 0>(t, u, r, mask);
}

template <class T>
Handler handler_for(Opcode op) {
  switch (op) {
    case Opcode::Mov:
      return arithmetic<T, Opcode::Mov>;
    case Opcode::Add:
      return arithmetic<T, Opcode::Add>;
    case Opcode::Add3:
      return arithmetic<T, Opcode::Add3>;
    case Opcode::Mul:
      return arithmetic<T, Opcode::Mul>;
    case Opcode::Mad:
      return arithmetic<T, Opcode::Mad>;
    case Opcode::Sel:
      return arithmetic<T, Opcode::Sel>;
    case Opcode::Csel:
      return arithmetic<T, Opcode::Csel>;
    case Opcode::Mac:
      return mac<T>;
    default:
      break;
  }
  if constexpr (kIsFloat<T>) {
    switch (op) {
      case Opcode::Rndd:
        return arithmetic<T, Opcode::Rndd>;
      case Opcode::Rndz:
        return arithmetic<T, Opcode::Rndz>;
      case Opcode::Rndu:
        return arithmetic<T, Opcode::Rndu>;
      case Opcode::Rnde:
        return arithmetic<T, Opcode::Rnde>;
      case Opcode::Frc:
        return arithmetic<T, Opcode::Frc>;
      default:
        return nullptr;
    }
  } else {
    switch (op) {
      case Opcode::And:
        return arithmetic<T, Opcode::And>;
      case Opcode::Or:
        return arithmetic<T, Opcode::Or>;
      case Opcode::Xor:
        return arithmetic<T, Opcode::Xor>;
      case Opcode::Not:
        return arithmetic<T, Opcode::Not>;
      case Opcode::Shl:
        return arithmetic<T, Opcode::Shl>;
      case Opcode::Shr:
        return arithmetic<T, Opcode::Shr>;
      case Opcode::Asr:
        return arithmetic<T, Opcode::Asr>;
      case Opcode::Avg:
        return arithmetic<T, Opcode::Avg>;
      case Opcode::Addc:
        return carry_arithmetic<false>;
      case Opcode::Subb:
        return carry_arithmetic<true>;
      case Opcode::Mach:
        return mach<true>;
      case Opcode::Macl:
        return mach<false>;
      default:
        return nullptr;
    }
  }
}

}  // namespace

Handler alu_general_handler(Opcode op, ExecType type) {
  switch (type) {
    case ExecType::I64:
      return handler_for<int64_t>(op);
    case ExecType::F32:
      return handler_for<float>(op);
    case ExecType::F64:
      return handler_for<double>(op);
    default:
      return nullptr;
  }
}

}  // namespace xeforge::machine::XEFORGE_EXEC_NS
