// SPDX-License-Identifier: Apache-2.0
//
// dpas against a plain triple loop: integer-valued inputs make every type exact.
#include <random>

#include "messages/bench.h"

namespace xeforge::machine::test {
namespace {

using std::vector;

uint16_t bf16(int v) {
  const auto f = static_cast<float>(v);
  uint32_t bits;
  std::memcpy(&bits, &f, 4);
  return static_cast<uint16_t>(bits >> 16);
}
uint16_t half(int v) {  // small integers only
  if (v == 0) return 0;
  const unsigned magnitude = static_cast<unsigned>(v < 0 ? -v : v);
  const unsigned e = 31u - static_cast<unsigned>(__builtin_clz(magnitude));
  return static_cast<uint16_t>((v < 0 ? 0x8000u : 0u) | ((e + 15u) << 10) | ((magnitude << (10 - e)) & 0x3FFu));
}

struct Case {
  const char* device;
  const char* type;  // operand type text of A and B
  const char* c_type;
  unsigned bits;
  bool is_signed;
  unsigned rows;
  bool accumulate;
};

class Dpas : public ::testing::TestWithParam<Case> {};

TEST_P(Dpas, MatchesTheTripleLoop) {
  const Case& c = GetParam();
  Bench bench(c.device);
  const unsigned n = c.device == std::string("a770") ? 8 : 16;
  const unsigned k = 8 * (32 / c.bits);
  const unsigned grf = bench.grf_bytes();
  std::mt19937 random(7);
  const bool is_float = c.c_type[0] == 'f';
  const int lo = is_float ? -8 : c.is_signed ? -(1 << (c.bits - 1)) : 0;
  const int hi = is_float ? 8 : c.is_signed ? (1 << (c.bits - 1)) - 1 : (1 << c.bits) - 1;
  std::uniform_int_distribution<int> value(lo, hi);
  vector<int> a(c.rows * k), b(k * n), acc(c.rows * n);
  for (int& v : a) v = value(random);
  for (int& v : b) v = value(random);
  for (int& v : acc) v = value(random) * 3;

  const auto encode = [&](int v) -> uint32_t {
    const std::string t = c.type;
    if (t == "bf") return bf16(v);
    if (t == "hf") return half(v);
    if (t == "tf32") {
      const auto f = static_cast<float>(v);
      uint32_t bits;
      std::memcpy(&bits, &f, 4);
      return bits;
    }
    return static_cast<uint32_t>(v) & ((1u << c.bits) - 1u);
  };
  const unsigned per_dword = 32 / c.bits;
  vector<uint32_t> b_regs(8 * n), a_regs(c.rows * 8);
  for (unsigned kk = 0; kk < k; ++kk) {
    for (unsigned j = 0; j < n; ++j)
      b_regs[kk / per_dword * n + j] |= encode(b[kk * n + j]) << (kk % per_dword * c.bits);
    for (unsigned r = 0; r < c.rows; ++r)
      a_regs[r * 8 + kk / per_dword] |= encode(a[r * k + kk]) << (kk % per_dword * c.bits);
  }
  bench.put(40, b_regs);
  bench.put(60, a_regs);
  if (is_float) {
    vector<float> f(acc.begin(), acc.end());
    bench.put(20, f);
  } else {
    bench.put(20, acc);
  }
  const std::string src0 = c.accumulate ? std::string("r20:") + c.c_type : std::string("null:") + c.c_type;
  const std::string text = "(W) dpas.8x" + std::to_string(c.rows) + " (" + std::to_string(n) + "|M0) r80:" + c.c_type +
                           " " + src0 + " r40:" + c.type + " r60.0:" + c.type;
  bench.run_ok(text);
  for (unsigned r = 0; r < c.rows; ++r)
    for (unsigned j = 0; j < n; ++j) {
      int want = c.accumulate ? acc[r * n + j] : 0;
      for (unsigned kk = 0; kk < k; ++kk) want += a[r * k + kk] * b[kk * n + j];
      const unsigned at = r * n + j;
      if (is_float)
        ASSERT_EQ(bench.element<float>(80, at), static_cast<float>(want)) << text << " row " << r << " column " << j;
      else
        ASSERT_EQ(bench.element<int32_t>(80, at), want) << text << " row " << r << " column " << j;
    }
  // Nothing behind the last row is touched.
  EXPECT_EQ(bench.element<uint32_t>(80, c.rows * n), 0x7F7F7F7Fu) << grf;
}

INSTANTIATE_TEST_SUITE_P(
    Types, Dpas,
    ::testing::Values(Case{"a770", "bf", "f", 16, true, 8, true}, Case{"a770", "bf", "f", 16, true, 8, false},
                      Case{"a770", "bf", "f", 16, true, 1, true}, Case{"a770", "bf", "f", 16, true, 3, true},
                      Case{"a770", "hf", "f", 16, true, 8, true}, Case{"a770", "b", "d", 8, true, 8, true},
                      Case{"a770", "ub", "d", 8, false, 8, true}, Case{"a770", "s4", "d", 4, true, 8, true},
                      Case{"a770", "u4", "d", 4, false, 5, false}, Case{"b580", "bf", "f", 16, true, 8, true},
                      Case{"b580", "hf", "f", 16, true, 4, true}, Case{"b580", "b", "d", 8, true, 8, true},
                      Case{"b580", "tf32", "f", 32, true, 8, true}),
    [](const auto& test) {
      const Case& c = test.param;
      return std::string(c.device) + "_" + c.type + "_rc" + std::to_string(c.rows) + (c.accumulate ? "_acc" : "_null");
    });

TEST(DpasMacro, DummyInFrontOfAnAccumulatingDpasHasNoEffect) {
  Bench bench("a770");
  bench.put(40, vector<uint32_t>(64, 0x3F803F80u));  // ones
  bench.put(60, vector<uint32_t>(64, 0x3F803F80u));
  bench.put(20, vector<float>(64, 5.0F));
  bench.run_ok(R"(
    (W) dpas.8x8 (8|M0) r20:f null:f r60:bf r60.0:bf {Atomic}
    (W) dpas.8x8 (8|M0) r20:f r20:f r40:bf r60.0:bf)");
  EXPECT_EQ(bench.get<float>(20, 64), vector<float>(64, 21.0F));
}

TEST(DpasMacro, DummyInFrontOfAnAccumulatingDpaswHasNoEffect) {
  Bench even("a770"), odd("a770");
  for (Bench* bench : {&even, &odd}) {
    bench->put(40, vector<uint32_t>(64, 0x3F803F80u));  // ones
    bench->put(60, vector<uint32_t>(32, 0x3F803F80u));
    bench->put(20, vector<float>(64, 5.0F));
  }
  ASSERT_NO_FATAL_FAILURE(run_pair(even, odd, R"(
    (W) dpasw.8x8 (8|M0) r20:f null:f r20:bf r20.0:bf {Atomic}
    (W) dpasw.8x8 (8|M0) r20:f r20:f r40:bf r60.0:bf)"));
  for (Bench* bench : {&even, &odd}) EXPECT_EQ(bench->get<float>(20, 64), vector<float>(64, 21.0F));
}

TEST(Dpasw, BothThreadsOfAPairSupplyHalfOfTheRows) {
  Bench even("a770"), odd("a770");
  // Rows 0..3 of A come from the even thread, 4..7 from the odd one, each from its own r60.
  vector<uint32_t> a_even(32), a_odd(32);
  for (unsigned r = 0; r < 4; ++r)
    for (unsigned d = 0; d < 8; ++d) {
      a_even[r * 8 + d] = uint32_t{bf16(static_cast<int>(r) + 1)} * 0x10001u;
      a_odd[r * 8 + d] = uint32_t{bf16(static_cast<int>(r) + 5)} * 0x10001u;
    }
  even.put(60, a_even);
  odd.put(60, a_odd);
  even.put(40, vector<uint32_t>(64, uint32_t{bf16(1)} * 0x10001u));
  odd.put(40, vector<uint32_t>(64, uint32_t{bf16(2)} * 0x10001u));
  ASSERT_NO_FATAL_FAILURE(run_pair(even, odd, "(W) dpasw.8x8 (8|M0) r80:f null:f r40:bf r60.0:bf"));
  for (unsigned r = 0; r < 8; ++r) {
    EXPECT_EQ(even.element<float>(80, r * 8), 16.0F * static_cast<float>(r + 1));
    EXPECT_EQ(odd.element<float>(80, r * 8 + 7), 32.0F * static_cast<float>(r + 1));
  }
}

}  // namespace
}  // namespace xeforge::machine::test
