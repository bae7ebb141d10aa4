// SPDX-License-Identifier: Apache-2.0
//
// Atomics, LSC and legacy: the same operations, different payloads. They are atomic between host
// threads too, for groups run in parallel.
//
// Operands follow one another in the data payload; for the compare operations the first is what
// memory is compared with, the second what it becomes (IGC LSC_UNTYPED.md: "VCMP VIFEQ"; Mesa and
// the PRM's AOP_CMPWR agree). All return the old value, but for the legacy pre-decrement, which
// returns the new one. 16-bit operands lie in the low half of a dword.
#include <cmath>
#include <type_traits>

#include "machine/exec/number.h"
#include "machine/messages/choose.h"
#include "machine/messages/describe.h"
#include "machine/messages/element.h"
#include "machine/messages/window.h"

namespace xeforge::machine::messages {
namespace {

constexpr const char* kRule = "atomics need their operand's natural alignment";

/// Memory word, register element, and arithmetic type of a float view of it.
template <class WordT, class RegT, class FloatT>
struct Width {
  using Word = WordT;
  using Reg = RegT;
  using Float = FloatT;
};
using Width16 = Width<uint16_t, uint32_t, float>;
using Width32 = Width<uint32_t, uint32_t, float>;
using Width64 = Width<uint64_t, uint64_t, double>;

template <class W>
typename W::Float as_float(typename W::Word bits) {
  if constexpr (sizeof(bits) == 2) {
    return exec_default::half_to_float(bits);
  } else {
    typename W::Float f;
    std::memcpy(&f, &bits, sizeof f);
    return f;
  }
}

template <class W>
typename W::Word as_word(typename W::Float f) {
  if constexpr (sizeof(typename W::Word) == 2) {
    return exec_default::float_to_half(f);
  } else {
    typename W::Word bits;
    std::memcpy(&bits, &f, sizeof bits);
    return bits;
  }
}

/// What memory becomes. Wrapping integers; minimum and maximum of floats ignore a NaN operand, as
/// the ALU's min and max do.
template <class W, isa::AtomicOp kOp>
typename W::Word next_value(typename W::Word old, typename W::Word a, typename W::Word b) {
  using Word = typename W::Word;
  using Signed = std::make_signed_t<Word>;
  using isa::AtomicOp;
  if constexpr (kOp == AtomicOp::Inc) return static_cast<Word>(old + 1);
  if constexpr (kOp == AtomicOp::Dec || kOp == AtomicOp::Predec) return static_cast<Word>(old - 1);
  if constexpr (kOp == AtomicOp::Load) return old;
  if constexpr (kOp == AtomicOp::Store || kOp == AtomicOp::Xchg) return a;
  if constexpr (kOp == AtomicOp::Add) return static_cast<Word>(old + a);
  if constexpr (kOp == AtomicOp::Sub) return static_cast<Word>(old - a);
  if constexpr (kOp == AtomicOp::RevSub) return static_cast<Word>(a - old);
  if constexpr (kOp == AtomicOp::Smin) return static_cast<Signed>(a) < static_cast<Signed>(old) ? a : old;
  if constexpr (kOp == AtomicOp::Smax) return static_cast<Signed>(a) > static_cast<Signed>(old) ? a : old;
  if constexpr (kOp == AtomicOp::Umin) return a < old ? a : old;
  if constexpr (kOp == AtomicOp::Umax) return a > old ? a : old;
  if constexpr (kOp == AtomicOp::Cmpxchg) return old == a ? b : old;
  if constexpr (kOp == AtomicOp::And) return old & a;
  if constexpr (kOp == AtomicOp::Or) return old | a;
  if constexpr (kOp == AtomicOp::Xor) return old ^ a;
  if constexpr (kOp == AtomicOp::FAdd) return as_word<W>(as_float<W>(old) + as_float<W>(a));
  if constexpr (kOp == AtomicOp::FSub) return as_word<W>(as_float<W>(old) - as_float<W>(a));
  if constexpr (kOp == AtomicOp::FMin) return as_word<W>(std::fmin(as_float<W>(old), as_float<W>(a)));
  if constexpr (kOp == AtomicOp::FMax) return as_word<W>(std::fmax(as_float<W>(old), as_float<W>(a)));
  if constexpr (kOp == AtomicOp::FCmpxchg) return as_float<W>(old) == as_float<W>(a) ? b : old;
  return old;
}

constexpr unsigned operands(isa::AtomicOp op) {
  using isa::AtomicOp;
  switch (op) {
    case AtomicOp::Inc:
    case AtomicOp::Dec:
    case AtomicOp::Predec:
    case AtomicOp::Load:
      return 0;
    case AtomicOp::Cmpxchg:
    case AtomicOp::FCmpxchg:
      return 2;
    default:
      return 1;
  }
}

template <class W, isa::AtomicOp kOp>
typename W::Word update(std::byte* memory, typename W::Word a, typename W::Word b) {
  auto* word = reinterpret_cast<typename W::Word*>(memory);
  if constexpr (kOp == isa::AtomicOp::Load) return __atomic_load_n(word, __ATOMIC_SEQ_CST);
  if constexpr (kOp == isa::AtomicOp::Add) return __atomic_fetch_add(word, a, __ATOMIC_SEQ_CST);
  if constexpr (kOp == isa::AtomicOp::Or) return __atomic_fetch_or(word, a, __ATOMIC_SEQ_CST);
  typename W::Word old = __atomic_load_n(word, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(word, &old, next_value<W, kOp>(old, a, b), true, __ATOMIC_SEQ_CST,
                                      __ATOMIC_RELAXED)) {
  }
  return old;
}

/// Where addresses and data of the payload lie, and what the addresses mean.
struct Layout {
  unsigned count;  ///< channels executed
  uint32_t part;   ///< bytes from the first operand to the second
  uint64_t addresses[kMaxLanes];
  bool global;
  Window window;
};

void read_addresses(Layout& out, const Thread& t, uint32_t offset, unsigned bits, int32_t immediate) {
  for (unsigned i = 0; i < out.count; ++i) {
    if (bits == 64) {
      uint64_t a;
      std::memcpy(&a, t.at(offset + 8 * i), sizeof a);
      out.addresses[i] = a + static_cast<uint64_t>(static_cast<int64_t>(immediate));
    } else if (bits == 32) {
      uint32_t a;
      std::memcpy(&a, t.at(offset + 4 * i), sizeof a);
      out.addresses[i] = a + static_cast<uint32_t>(immediate);
    } else {
      uint16_t a;
      std::memcpy(&a, t.at(offset + 2 * i), sizeof a);
      out.addresses[i] = static_cast<uint32_t>(a + immediate);
    }
  }
}

void lay_out(Layout& out, const Call& c, unsigned register_bytes) {
  const isa::Message& m = c.m;
  const Uop& u = c.u;
  const bool lsc = m.kind == isa::MessageKind::Atomic;
  const unsigned channels = lsc || m.simd == 0 ? u.exec_size : m.simd;
  out.count = u.exec_size < channels ? u.exec_size : channels;
  out.part = part_bytes(u, channels, register_bytes);
  if (lsc && m.src1_len != 0 && operands(m.atomic) == 2 && m.src1_len % 2 == 0) {
    const uint32_t given = m.src1_len / 2u * u.grf_bytes;
    if (given > out.part) out.part = given;
  }
  out.global = m.model == isa::AddressModel::Flat && m.sfid != isa::Sfid::Slm;
  if (!out.global) out.window = m.sfid == isa::Sfid::Slm ? slm_window(c) : lsc ? surface_window(c) : legacy_window(c);
  read_addresses(out, c.t, u.src[0].offset + (m.header ? u.grf_bytes : 0u), m.address_bits, m.immediate_offset);
  if (!out.global && out.window.kind == WindowKind::Slm) {
    for (unsigned i = 0; i < out.count; ++i) out.addresses[i] &= kSlmAddressMask;
  }
}

template <class W, isa::AtomicOp kOp>
void atomic(Thread& t, const Uop& u, const isa::Message& m) {
  using Word = typename W::Word;
  using Reg = typename W::Reg;
  const uint32_t mask = active_channels(t, u);
  if (mask == 0) return;
  const Call c{t, u, m, Access::Atomic};
  Layout layout;
  lay_out(layout, c, sizeof(Reg));

  // Operands are read before results are written: they may share registers.
  Reg results[kMaxLanes];
  const std::byte* data = t.at(u.src[1].offset);
  uint32_t done = 0;
  for (unsigned i = 0; i < layout.count; ++i) {
    if ((mask >> i & 1u) == 0) continue;
    const uint64_t address = layout.addresses[i];
    if ((address & (sizeof(Word) - 1)) != 0) fault_misaligned(c, address, sizeof(Word), static_cast<int>(i), kRule);
    const Range range = layout.global ? allocation_at(c, address) : layout.window.range();
    done |= 1u << i;
    if (!range.holds(address, sizeof(Word))) {
      if (layout.global)
        fault_global(c, address, sizeof(Word), static_cast<int>(i));
      else
        outside_window(c, layout.window, address, sizeof(Word), static_cast<int>(i));
      results[i] = 0;
      continue;
    }
    Reg a = 0, b = 0;
    if constexpr (operands(kOp) >= 1) std::memcpy(&a, data + i * sizeof(Reg), sizeof a);
    if constexpr (operands(kOp) == 2) std::memcpy(&b, data + layout.part + i * sizeof(Reg), sizeof b);
    const Word old = update<W, kOp>(range.at(address), static_cast<Word>(a), static_cast<Word>(b));
    results[i] = kOp == isa::AtomicOp::Predec ? static_cast<Word>(old - 1) : old;
  }
  if (m.dst_len == 0 || u.dst.null) return;
  std::byte* out = t.at(u.dst.offset);
  for (uint32_t rest = done; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<unsigned>(__builtin_ctz(rest));
    std::memcpy(out + i * sizeof(Reg), &results[i], sizeof(Reg));
  }
}

template <class W>
Chosen for_operation(isa::AtomicOp op) {
  using isa::AtomicOp;
  switch (op) {
    case AtomicOp::None:
      return {};
    case AtomicOp::Inc:
      return chosen<atomic<W, AtomicOp::Inc>>();
    case AtomicOp::Dec:
      return chosen<atomic<W, AtomicOp::Dec>>();
    case AtomicOp::Load:
      return chosen<atomic<W, AtomicOp::Load>>();
    case AtomicOp::Store:
      return chosen<atomic<W, AtomicOp::Store>>();
    case AtomicOp::Add:
      return chosen<atomic<W, AtomicOp::Add>>();
    case AtomicOp::Sub:
      return chosen<atomic<W, AtomicOp::Sub>>();
    case AtomicOp::Smin:
      return chosen<atomic<W, AtomicOp::Smin>>();
    case AtomicOp::Smax:
      return chosen<atomic<W, AtomicOp::Smax>>();
    case AtomicOp::Umin:
      return chosen<atomic<W, AtomicOp::Umin>>();
    case AtomicOp::Umax:
      return chosen<atomic<W, AtomicOp::Umax>>();
    case AtomicOp::Cmpxchg:
      return chosen<atomic<W, AtomicOp::Cmpxchg>>();
    case AtomicOp::FAdd:
      return chosen<atomic<W, AtomicOp::FAdd>>();
    case AtomicOp::FSub:
      return chosen<atomic<W, AtomicOp::FSub>>();
    case AtomicOp::FMin:
      return chosen<atomic<W, AtomicOp::FMin>>();
    case AtomicOp::FMax:
      return chosen<atomic<W, AtomicOp::FMax>>();
    case AtomicOp::FCmpxchg:
      return chosen<atomic<W, AtomicOp::FCmpxchg>>();
    case AtomicOp::And:
      return chosen<atomic<W, AtomicOp::And>>();
    case AtomicOp::Or:
      return chosen<atomic<W, AtomicOp::Or>>();
    case AtomicOp::Xor:
      return chosen<atomic<W, AtomicOp::Xor>>();
    case AtomicOp::Xchg:
      return chosen<atomic<W, AtomicOp::Xchg>>();
    case AtomicOp::Predec:
      return chosen<atomic<W, AtomicOp::Predec>>();
    case AtomicOp::RevSub:
      return chosen<atomic<W, AtomicOp::RevSub>>();
  }
  return {};
}

}  // namespace

void describe_atomic(const Call& c, Footprint& out) {
  const uint32_t mask = active_channels(c.t, c.u);
  if (mask == 0) return;
  Layout layout;
  lay_out(layout, c, isa::register_bytes(c.m.data_size));
  const Window* w = layout.global ? nullptr : &layout.window;
  const uint32_t bytes = isa::memory_bytes(c.m.data_size);
  describe_space(w, out);
  for (unsigned i = 0; i < layout.count; ++i) {
    if ((mask >> i & 1u) == 0) continue;
    out.channels |= 1u << i;
    describe_range(w, layout.addresses[i], bytes, bytes, static_cast<int32_t>(i), out);
  }
}

Chosen choose_atomic(const Request& r) {
  const isa::Message& m = r.m;
  const bool lsc = m.kind == isa::MessageKind::Atomic;
  if (!lsc && m.kind != isa::MessageKind::UntypedAtomic && m.kind != isa::MessageKind::A64UntypedAtomic) return {};
  if (lsc && m.sfid != isa::Sfid::Ugm && m.sfid != isa::Sfid::UgmL && m.sfid != isa::Sfid::Slm) return {};
  switch (m.data_size) {
    case isa::DataSize::D16U32:
      return for_operation<Width16>(m.atomic);
    case isa::DataSize::D32:
      return for_operation<Width32>(m.atomic);
    case isa::DataSize::D64:
      return for_operation<Width64>(m.atomic);
    default:
      return {};
  }
}

}  // namespace xeforge::machine::messages
