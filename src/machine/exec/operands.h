// SPDX-License-Identifier: Apache-2.0
//
// Fetching sources and writing destinations. The fast cases (contiguous, uniform, immediate of
// the execution type) are inlined into every handler; the rest goes through the load/store
// functions that translate() chose for the type.
#pragma once

#include "machine/exec/exec.h"
#include "machine/exec/number.h"

namespace xeforge::machine::XEFORGE_EXEC_NS {

inline constexpr int kMaxLanes = 32;

inline uint32_t read_u32(const Thread& t, uint32_t offset) {
  uint32_t v;
  std::memcpy(&v, t.at(offset), 4);
  return v;
}

/// Channels to act on; the common unpredicated cases inline, the others out of line.
inline uint32_t lane_mask(const Thread& t, const Uop& u) {
  if (u.pred == isa::PredCtrl::None) return u.no_mask ? u.lanes : (t.exec_mask >> u.channel_offset) & u.lanes;
  return channel_mask(t, u);
}

template <class T>
inline T negated(T v) {
  if constexpr (kIsFloat<T>)
    return -v;
  else if constexpr (sizeof(T) == 8)
    return static_cast<T>(0 - static_cast<uint64_t>(v));
  else
    return static_cast<T>(0 - static_cast<uint32_t>(v));
}

template <class T>
inline T magnitude(T v) {
  if constexpr (__is_same(T, float))
    return bits_as<float>(bits_as<uint32_t>(v) & 0x7FFFFFFFu);
  else if constexpr (__is_same(T, double))
    return bits_as<double>(bits_as<uint64_t>(v) & 0x7FFFFFFFFFFFFFFFull);
  else
    return v < T(0) ? negated(v) : v;
}

/// Lane count: the template parameter, or the uop's execution size when it is 0.
template <int N>
inline int lane_count(const Uop& u) {
  return N ? N : u.exec_size;
}

/// Logic says whether `negate` means bitwise not.
template <class T, int N, bool Logic = false>
[[gnu::always_inline]] inline void fetch(const Thread& t, const Uop& u, const SrcOperand& s, T* out) {
  const int n = lane_count<N>(u);
  switch (s.fetch) {
    case Fetch::Contiguous:
      std::memcpy(out, t.at(s.offset), sizeof(T) * static_cast<unsigned>(n));
      break;
    case Fetch::Uniform: {
      T v;
      std::memcpy(&v, t.at(s.offset), sizeof v);
      for (int i = 0; i < n; ++i) out[i] = v;
      break;
    }
    case Fetch::Immediate: {
      T v;
      std::memcpy(&v, &s.value, sizeof v);
      for (int i = 0; i < n; ++i) out[i] = v;
      break;
    }
    case Fetch::Convert:
      s.load(t, u, s, out);
      break;
  }
  if (s.absolute)
    for (int i = 0; i < n; ++i) out[i] = magnitude(out[i]);
  if (s.negate) {
    if constexpr (Logic)
      for (int i = 0; i < n; ++i) out[i] = static_cast<T>(~out[i]);
    else
      for (int i = 0; i < n; ++i) out[i] = negated(out[i]);
  }
}

template <class T, int N>
[[gnu::always_inline]] inline void put(Thread& t, const Uop& u, const T* in, uint32_t mask) {
  const int n = lane_count<N>(u);
  if (!u.dst.contiguous) {
    u.dst.store(t, u, in, mask);
    return;
  }
  std::byte* p = t.at(u.dst.offset);
  if (mask == u.lanes) {
    std::memcpy(p, in, sizeof(T) * static_cast<unsigned>(n));
    return;
  }
  T old[N ? N : kMaxLanes];
  std::memcpy(old, p, sizeof(T) * static_cast<unsigned>(n));
  for (int i = 0; i < n; ++i) old[i] = (mask >> i) & 1u ? in[i] : old[i];
  std::memcpy(p, old, sizeof(T) * static_cast<unsigned>(n));
}

}  // namespace xeforge::machine::XEFORGE_EXEC_NS
