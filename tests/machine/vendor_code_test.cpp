// SPDX-License-Identifier: Apache-2.0
//
// What oneDNN's and oneMKL's own kernels do and compilers' code hardly does (knowledge: library-kernels.md section 2):
// dpasw in every type, computed jumps, movi, rounding modes.
#include <array>
#include <cmath>
#include <random>

#include "messages/bench.h"

namespace xeforge::machine::test {
namespace {

using std::vector;

struct Operand {
  const char* c_type;
  const char* type;
  unsigned rows;
};

class DpaswTypes : public ::testing::TestWithParam<Operand> {};

/// A pair computes with the rows of both what one thread computes with all rows in its own registers.
TEST_P(DpaswTypes, EqualDpasOnTheRowsOfBoth) {
  const Operand& o = GetParam();
  Bench even("a770"), odd("a770"), whole_even("a770"), whole_odd("a770");
  std::mt19937 random(11);
  const bool is_float = o.c_type[0] == 'f';
  // Floats: small integers as bf16 or half, so that no sum is rounded; integers: any bits.
  const auto dword = [&]() -> uint32_t {
    if (!is_float) return static_cast<uint32_t>(random());
    constexpr std::array<uint32_t, 4> kBf16{0x0000, 0x3F80, 0xBF80, 0x4040}, kHalf{0x0000, 0x3C00, 0xBC00, 0x4200};
    const auto& values = o.type[0] == 'b' ? kBf16 : kHalf;
    return values[random() % 4] | values[random() % 4] << 16;
  };
  const auto registers = [&](unsigned count) {
    vector<uint32_t> values(count * 8);
    for (uint32_t& value : values) value = dword();
    return values;
  };
  const unsigned first = (o.rows + 1) / 2, second = o.rows - first;
  const vector<uint32_t> a_even = registers(first), a_odd = registers(first), b_even = registers(8),
                         b_odd = registers(8);
  vector<uint32_t> a_whole = a_even;
  a_whole.insert(a_whole.end(), a_odd.begin(), a_odd.begin() + second * 8);
  const vector<uint32_t> c = is_float ? vector<uint32_t>(o.rows * 8, 0x3F800000u) : vector<uint32_t>(o.rows * 8, 77u);
  const auto prepare = [&](Bench& bench, const vector<uint32_t>& a, const vector<uint32_t>& b) {
    bench.put(60, a);
    bench.put(40, b);
    bench.put(20, c);
  };
  prepare(even, a_even, b_even);
  prepare(odd, a_odd, b_odd);
  prepare(whole_even, a_whole, b_even);
  prepare(whole_odd, a_whole, b_odd);

  const std::string operands = ".8x" + std::to_string(o.rows) + " (8|M0) r80:" + o.c_type + " r20:" + o.c_type +
                               " r40:" + o.type + " r60.0:" + o.type;
  ASSERT_NO_FATAL_FAILURE(run_pair(even, odd, "(W) dpasw" + operands));
  whole_even.run_ok("(W) dpas" + operands);
  whole_odd.run_ok("(W) dpas" + operands);
  EXPECT_EQ(even.get<uint32_t>(80, o.rows * 8), whole_even.get<uint32_t>(80, o.rows * 8));
  EXPECT_EQ(odd.get<uint32_t>(80, o.rows * 8), whole_odd.get<uint32_t>(80, o.rows * 8));
  EXPECT_NE(even.get<uint32_t>(80, o.rows * 8), odd.get<uint32_t>(80, o.rows * 8));
}

INSTANTIATE_TEST_SUITE_P(All, DpaswTypes,
                         ::testing::Values(Operand{"f", "bf", 8}, Operand{"f", "bf", 5}, Operand{"f", "hf", 8},
                                           Operand{"d", "b", 8}, Operand{"d", "ub", 8}, Operand{"d", "b", 3},
                                           Operand{"d", "s4", 8}, Operand{"d", "u4", 8}, Operand{"d", "s2", 8},
                                           Operand{"d", "u2", 4}),
                         [](const auto& test) {
                           return std::string(test.param.type) + "_rc" + std::to_string(test.param.rows);
                         });

TEST(ComputedJump, IsRelativeToItself) {
  for (const char* device : {"a770", "b580"}) {
    for (int32_t entry = 0; entry < 3; ++entry) {
      Bench bench(device);
      bench.put<int32_t>(10, {16 * (entry + 1)});
      bench.run_ok(R"(
        (W) jmpi (1|M0) r10.0
        (W) jmpi (1|M0) A
        (W) jmpi (1|M0) B
        (W) jmpi (1|M0) C
A:      (W) mov (1|M0) r20.0<1>:d 100:w
        (W) jmpi (1|M0) END
B:      (W) mov (1|M0) r20.0<1>:d 101:w
        (W) jmpi (1|M0) END
C:      (W) mov (1|M0) r20.0<1>:d 102:w
END:    (W) mov (1|M0) r21.0<1>:d 1:w)");
      EXPECT_EQ(bench.element<int32_t>(20, 0), 100 + entry);
    }
  }
}

TEST(ComputedJump, ToNoInstructionIsAFault) {
  for (const int32_t target : {8, -16, 1 << 20}) {
    Bench bench("a770");
    bench.put<int32_t>(10, {target});
    bench.run_fault("(W) jmpi (1|M0) r10.0\n(W) mov (1|M0) r20.0<1>:d 1:w");
  }
}

/// The register comes from the first address alone, the place in it from the address of each channel.
TEST(MoveIndexed, TakesTheRegisterFromTheFirstAddress) {
  Bench bench("b580");
  vector<uint32_t> values(32);
  for (uint32_t i = 0; i < 32; ++i) values[i] = 100 + i;
  bench.put(10, values);
  // r11, dwords 3, 0, 15, 1; the later addresses lack the register, as in oneMKL's code.
  bench.put<uint16_t>(30, {11 * 64 + 12, 0, 60, 4, 8, 16, 20, 24});
  bench.run_ok(
      "(W) mov (8|M0) a0.0<1>:uw r30.0<1;1,0>:uw\n(W) movi (8|M0) r20.0<1>:ud r[a0.0]<8;8,1>:ud null<1;1,0>:ud\n");
  EXPECT_EQ(bench.get<uint32_t>(20, 4), (vector<uint32_t>{119, 116, 131, 117}));
}

/// cr0.0 bits 5:4: nearest even, up, down, to zero; bit 12: conversions to integers follow it, else they truncate.
TEST(RoundingModes, OfArithmeticAndConversions) {
  struct Row {
    uint32_t control;
    float sum, negative_sum;
    int32_t integer, negative_integer;
  };
  // 1 + 2^-24 lies halfway between 1 and its successor.
  const float up = std::nextafter(1.0F, 2.0F);
  for (const Row& row :
       {Row{0x1000, 1.0F, -1.0F, 2, -2}, Row{0x1010, up, -1.0F, 2, -1}, Row{0x1020, 1.0F, -up, 1, -2},
        Row{0x1030, 1.0F, -1.0F, 1, -1}, Row{0x0010, up, -1.0F, 1, -1}, Row{0x0020, 1.0F, -up, 1, -1}}) {
    Bench bench("a770");
    bench.put<float>(10, {1.0F, -1.0F, 1.5F, -1.5F});
    bench.put<float>(11, {0x1p-24F, -0x1p-24F});
    bench.put<uint32_t>(12, {row.control});
    bench.run_ok(
        "(W) mov (1|M0) cr0.0<1>:ud r12.0<0;1,0>:ud\n(W) add (2|M0) r20.0<1>:f r10.0<2;2,1>:f r11.0<2;2,1>:f\n"
        "(W) mov (2|M0) r21.0<1>:d r10.2<2;2,1>:f");
    EXPECT_EQ(bench.get<float>(20, 2), (vector<float>{row.sum, row.negative_sum})) << std::hex << row.control;
    EXPECT_EQ(bench.get<int32_t>(21, 2), (vector<int32_t>{row.integer, row.negative_integer}))
        << std::hex << row.control;
  }
}

TEST(Carry, OfASumThatNobodyKeepsGoesToTheAccumulator) {
  Bench bench("a770");
  bench.put<uint32_t>(10, {0xFFFFFFFFu, 1, 0x80000000u, 7});
  bench.put<uint32_t>(12, {1, 1, 0x80000000u, 0});
  bench.run_ok(
      "(W) addc (4|M0) null<1>:ud r10.0<4;4,1>:ud r12.0<4;4,1>:ud {AccWrEn}\n"
      "(W) mov (4|M0) r22.0<1>:ud acc0.0<4;4,1>:ud");
  EXPECT_EQ(bench.get<uint32_t>(22, 4), (vector<uint32_t>{1, 0, 1, 0}));
}

}  // namespace
}  // namespace xeforge::machine::test
