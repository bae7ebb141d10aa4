// SPDX-License-Identifier: Apache-2.0
//
// dpas: D = C + A x B on the systolic array. src1 = B (depth d: one register row of N dwords),
// src2 = A (row r: systolic depth dwords), 8 deep, N = 8 on Xe-HPG and 16 on Xe2. The order
// documented in visa DPAS.md is kept: for each row, depth after depth, element after element,
// accumulated in f32. Rounding inside a depth is not documented: fused steps are assumed.
#include "machine/exec/dpas_operands.h"
#include "machine/exec/library_parts.h"
#include "machine/exec/operands.h"

namespace xeforge::machine::XEFORGE_EXEC_NS {
namespace {

using isa::DataType;

constexpr int kDepth = 8;
constexpr int kMaxRows = 8;

/// Sources are gathered before anything is written: the destination may overlap them.
struct Tile {
  const std::byte* b;
  const std::byte* a;  // rows of 32 bytes
};

template <DataType type>
inline float low_element(uint32_t w) {
  if constexpr (type == DataType::BF)
    return bits_as<float>(w << 16);
  else
    return half_to_float(static_cast<uint16_t>(w));
}
template <DataType type>
inline float high_element(uint32_t w) {
  if constexpr (type == DataType::BF)
    return bits_as<float>(w & 0xFFFF0000u);
  else
    return half_to_float(static_cast<uint16_t>(w >> 16));
}

template <DataType type, int N>
inline void accumulate16(float (&acc)[kMaxRows][N], const Tile& tile, int rows) {
  float b[2 * kDepth][N];
  for (int d = 0; d < kDepth; ++d) {
    uint32_t w[N];
    std::memcpy(w, tile.b + d * N * 4, sizeof w);
    for (int n = 0; n < N; ++n) b[2 * d][n] = low_element<type>(w[n]);
    for (int n = 0; n < N; ++n) b[2 * d + 1][n] = high_element<type>(w[n]);
  }
  for (int r = 0; r < rows; ++r) {
    uint32_t a[kDepth];
    std::memcpy(a, tile.a + r * kDepth * 4, sizeof a);
    for (int d = 0; d < kDepth; ++d) {
      const float lo = low_element<type>(a[d]);
      const float hi = high_element<type>(a[d]);
      for (int n = 0; n < N; ++n) acc[r][n] = __builtin_fmaf(b[2 * d][n], lo, acc[r][n]);
      for (int n = 0; n < N; ++n) acc[r][n] = __builtin_fmaf(b[2 * d + 1][n], hi, acc[r][n]);
    }
  }
}

template <int N>
inline void accumulate_tf32(float (&acc)[kMaxRows][N], const Tile& tile, int rows) {
  for (int r = 0; r < rows; ++r)
    for (int d = 0; d < kDepth; ++d) {
      uint32_t a;
      std::memcpy(&a, tile.a + (r * kDepth + d) * 4, 4);
      uint32_t w[N];
      std::memcpy(w, tile.b + d * N * 4, sizeof w);
      for (int n = 0; n < N; ++n)
        acc[r][n] = __builtin_fmaf(element<float>(Tf32{w[n]}), element<float>(Tf32{a}), acc[r][n]);
    }
}

template <DataType type, int N>
void dpas_float(Thread& t, const Uop& u) {
  const int rows = u.inst->dpas.repeat_count;
  float acc[kMaxRows][N];
  const Tile tile{t.at(u.src[1].offset), t.at(u.src[2].offset)};
  if (u.inst->src[0].is_null()) {
    for (int r = 0; r < rows; ++r)
      for (int n = 0; n < N; ++n) acc[r][n] = 0.0F;
  } else {
    load_rows<N>(t, u.src[0].offset, u.inst->src[0].type, rows, acc);
  }
  if constexpr (type == DataType::TF32)
    accumulate_tf32<N>(acc, tile, rows);
  else
    accumulate16<type, N>(acc, tile, rows);
  store_rows<N>(t, u.dst.offset, u.inst->dst.type, rows, acc);
}

/// Signed or unsigned 8/4/2-bit elements. A depth step multiplies as many elements per dword as
/// the wider operand has; both operands have the same width here (translate refuses the rest).
template <int N>
void dpas_int(Thread& t, const Uop& u) {
  const int rows = u.inst->dpas.repeat_count;
  const unsigned bits = isa::bits_of(u.inst->src[1].type);
  const bool sb = isa::is_signed(u.inst->src[1].type);
  const bool sa = isa::is_signed(u.inst->src[2].type);
  const unsigned per_dword = 32 / bits;
  int32_t acc[kMaxRows][N] = {};
  if (!u.inst->src[0].is_null())
    for (int r = 0; r < rows; ++r)
      std::memcpy(acc[r], t.at(u.src[0].offset + static_cast<uint32_t>(r * N * 4)), sizeof acc[r]);
  const auto pick = [bits](uint32_t w, unsigned i, bool is_signed_element) {
    const uint32_t v = w << (32 - bits * (i + 1));
    return is_signed_element ? static_cast<int32_t>(v) >> (32 - bits) : static_cast<int32_t>(v >> (32 - bits));
  };
  int32_t b[kDepth * 16][N];
  for (int d = 0; d < kDepth; ++d) {
    uint32_t w[N];
    std::memcpy(w, t.at(u.src[1].offset + static_cast<uint32_t>(d * N * 4)), sizeof w);
    for (unsigned i = 0; i < per_dword; ++i)
      for (int n = 0; n < N; ++n) b[static_cast<unsigned>(d) * per_dword + i][n] = pick(w[n], i, sb);
  }
  const bool wraps = !u.saturate;
  for (int r = 0; r < rows; ++r) {
    int64_t wide[N];
    for (int n = 0; n < N; ++n)
      wide[n] = isa::is_signed(u.inst->dst.type) ? int64_t{acc[r][n]} : int64_t{static_cast<uint32_t>(acc[r][n])};
    for (int d = 0; d < kDepth; ++d) {
      uint32_t w;
      std::memcpy(&w, t.at(u.src[2].offset + static_cast<uint32_t>((r * kDepth + d) * 4)), 4);
      for (unsigned i = 0; i < per_dword; ++i) {
        const int32_t a = pick(w, i, sa);
        const int32_t* row = b[static_cast<unsigned>(d) * per_dword + i];
        if (wraps)
          for (int n = 0; n < N; ++n)
            acc[r][n] = static_cast<int32_t>(static_cast<uint32_t>(acc[r][n]) + static_cast<uint32_t>(a * row[n]));
        else
          for (int n = 0; n < N; ++n) wide[n] += a * row[n];
      }
    }
    if (!wraps) {
      const bool s = isa::is_signed(u.inst->dst.type);
      for (int n = 0; n < N; ++n) {
        const int64_t lo = s ? INT32_MIN : 0, hi = s ? INT32_MAX : int64_t{UINT32_MAX};
        acc[r][n] = static_cast<int32_t>(wide[n] < lo ? lo : wide[n] > hi ? hi : wide[n]);
      }
    }
  }
  for (int r = 0; r < rows; ++r)
    std::memcpy(t.at(u.dst.offset + static_cast<uint32_t>(r * N * 4)), acc[r], sizeof acc[r]);
}

template <int N>
Handler handler_for(const isa::Instruction& inst) {
  const DataType b = inst.src[1].type;
  if (b != inst.src[2].type && isa::bits_of(b) != isa::bits_of(inst.src[2].type)) return nullptr;
  switch (b) {
    case DataType::BF:
      return dpas_float<DataType::BF, N>;
    case DataType::HF:
      return dpas_float<DataType::HF, N>;
    case DataType::TF32:
      return dpas_float<DataType::TF32, N>;
    case DataType::U8:
    case DataType::S8:
    case DataType::U4:
    case DataType::S4:
    case DataType::U2:
    case DataType::S2:
    case DataType::UB:
    case DataType::B:
      return dpas_int<N>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler dpas_handler(const isa::Instruction& inst, unsigned n) {
  if (inst.dpas.systolic_depth != kDepth || inst.dpas.repeat_count < 1 || inst.dpas.repeat_count > kMaxRows)
    return nullptr;
  return n == 8 ? handler_for<8>(inst) : n == 16 ? handler_for<16>(inst) : nullptr;
}

}  // namespace xeforge::machine::XEFORGE_EXEC_NS
