// SPDX-License-Identifier: Apache-2.0
//
// Opcodes, regions, modifiers, predication and flags from assembled text.
#include <cmath>
#include <limits>

#include "messages/bench.h"

namespace xeforge::machine::test {
namespace {

using std::vector;

/// Registers r10, r12, r14 hold the sources; r20 the result (poisoned with 0x7F).
class Alu : public ::testing::Test {
 protected:
  Bench a770{"a770"};
  Bench b580{"b580"};

  template <class T>
  vector<T> run(Bench& b, const std::string& text, size_t n, unsigned reg = 20) {
    b.run_ok(text);
    return b.get<T>(reg, n);
  }
};

constexpr uint32_t kPoison = 0x7F7F7F7Fu;

TEST_F(Alu, IntegerArithmeticWraps) {
  a770.put<int32_t>(10, {1, -1, 2147483647, -2147483647 - 1, 5, 6, 7, 8});
  a770.put<int32_t>(12, {10, 20, 1, -1, -5, 0, 100, -100});
  EXPECT_EQ(run<int32_t>(a770, "(W) add (8|M0) r20.0<1>:d r10.0<8;8,1>:d r12.0<8;8,1>:d", 8),
            (vector<int32_t>{11, 19, -2147483647 - 1, 2147483647, 0, 6, 107, -92}));
  EXPECT_EQ(run<int32_t>(a770, "(W) add (8|M0) r20.0<1>:d r10.0<8;8,1>:d -r12.0<8;8,1>:d", 8),
            (vector<int32_t>{-9, -21, 2147483646, -2147483647, 10, 6, -93, 108}));
  EXPECT_EQ(run<int32_t>(a770, "(W) add3 (8|M0) r20.0<1>:d r10.0<8;1>:d r12.0<8;1>:d r12.0<1>:d", 8)[0], 21);
  EXPECT_EQ(run<int32_t>(a770, "(W) mul (8|M0) r20.0<1>:d r10.0<8;8,1>:d 3:w", 8)[4], 15);
  EXPECT_EQ(run<int32_t>(a770, "(W) mad (8|M0) r20.0<1>:d r10.0<8;1>:d r12.0<8;1>:d r12.0<2>:w", 8)[0], 101);
}

TEST_F(Alu, SaturationClampsToTheDestinationType) {
  a770.put<int32_t>(10, {2147483647, -2147483647 - 1, 300, -5});
  EXPECT_EQ(run<int32_t>(a770, "(W) add (4|M0) (sat)r20.0<1>:d r10.0<4;4,1>:d r10.0<4;4,1>:d", 4),
            (vector<int32_t>{2147483647, -2147483647 - 1, 600, -10}));
  EXPECT_EQ(run<uint8_t>(a770, "(W) mov (4|M0) (sat)r20.0<1>:ub r10.0<4;4,1>:d", 4), (vector<uint8_t>{255, 0, 255, 0}));
  a770.put<float>(10, {-1.0F, 0.25F, 3.0F, std::numeric_limits<float>::quiet_NaN()});
  EXPECT_EQ(run<float>(a770, "(W) mov (4|M0) (sat)r20.0<1>:f r10.0<4;4,1>:f", 4),
            (vector<float>{0.0F, 0.25F, 1.0F, 0.0F}));
}

TEST_F(Alu, RegionsStridesAndBroadcast) {
  a770.put<uint32_t>(10, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
  EXPECT_EQ(run<uint32_t>(a770, "(W) mov (8|M0) r20.0<1>:ud r10.0<2;1,0>:ud", 8),
            (vector<uint32_t>{0, 2, 4, 6, 8, 10, 12, 14}));
  EXPECT_EQ(run<uint32_t>(a770, "(W) mov (8|M0) r20.0<1>:ud r10.3<0;1,0>:ud", 8), vector<uint32_t>(8, 3));
  EXPECT_EQ(run<uint32_t>(a770, "(W) mov (8|M0) r20.0<1>:ud r10.1<4;2,0>:ud", 8),
            (vector<uint32_t>{1, 1, 5, 5, 9, 9, 13, 13}));
  EXPECT_EQ(run<uint32_t>(a770, "(W) mov (8|M0) r20.0<1>:ud r10.1<1;2,0>:ud", 8),
            (vector<uint32_t>{1, 1, 2, 2, 3, 3, 4, 4}));
  a770.put<uint32_t>(20, vector<uint32_t>(8, kPoison));
  EXPECT_EQ(run<uint16_t>(a770, "(W) mov (8|M0) r20.0<2>:uw r10.0<2;1,0>:uw", 16),
            (vector<uint16_t>{0, 0x7F7F, 1, 0x7F7F, 2, 0x7F7F, 3, 0x7F7F, 4, 0x7F7F, 5, 0x7F7F, 6, 0x7F7F, 7, 0x7F7F}));
}

TEST_F(Alu, RegisterIndirectSources) {
  vector<uint32_t> v(64);
  for (uint32_t i = 0; i < 64; ++i) v[i] = 100 + i;
  a770.put(10, v);
  a770.put<uint16_t>(30, {320, 324, 352, 448, 320 + 4 * 63, 400, 404, 408});
  a770.run_ok("(W) mov (8|M0) a0.0<1>:uw r30.0<8;8,1>:uw\n(W) mov (8|M0) r20.0<1>:ud r[a0.0]<1,0>:ud");
  EXPECT_EQ(a770.get<uint32_t>(20, 8), (vector<uint32_t>{100, 101, 108, 132, 163, 120, 121, 122}));
  a770.run_ok("(W) mov (1|M0) a0.0<1>:uw 0x140:uw\n(W) mov (8|M0) r20.0<1>:ud r[a0.0,32]<8;8,1>:ud");
  EXPECT_EQ(a770.get<uint32_t>(20, 8), (vector<uint32_t>{108, 109, 110, 111, 112, 113, 114, 115}));
  a770.run_ok("(W) mov (1|M0) a0.0<1>:uw 0x280:uw\n(W) mov (4|M0) r[a0.0]<1>:ud r10.0<4;4,1>:ud");
  EXPECT_EQ(a770.get<uint32_t>(20, 4), (vector<uint32_t>{100, 101, 102, 103}));
}

TEST_F(Alu, MasksAndChannelOffsets) {
  a770.put<uint32_t>(10, {1, 2, 3, 4, 5, 6, 7, 8});
  a770.set_mask(0x0000A5F0u);
  a770.put<uint32_t>(20, vector<uint32_t>(8, kPoison));
  EXPECT_EQ(run<uint32_t>(a770, "mov (8|M0) r20.0<1>:ud r10.0<8;8,1>:ud", 8),
            (vector<uint32_t>{kPoison, kPoison, kPoison, kPoison, 5, 6, 7, 8}));
  a770.put<uint32_t>(20, vector<uint32_t>(8, kPoison));
  EXPECT_EQ(run<uint32_t>(a770, "mov (8|M8) r20.0<1>:ud r10.0<8;8,1>:ud", 8),
            (vector<uint32_t>{1, kPoison, 3, kPoison, kPoison, 6, kPoison, 8}));
}

TEST_F(Alu, CompareWritesOnlyEnabledFlagBits) {
  a770.put<int32_t>(10, {-1, 0, 1, 2, 3, 4, 5, 6});
  a770.run_ok("(W) mov (1|M0) f0.0<1>:ud 0xFFFF0000:ud");
  a770.set_mask(0x7F);
  a770.run_ok(
      "(W) mov (1|M0) f0.0<1>:ud 0xFFFF0080:ud\ncmp (8|M0) (gt)f0.0 null<1>:d r10.0<8;8,1>:d 1:w\n(W) mov (1|M0) "
      "r20.0<1>:ud f0.0<0;1,0>:ud");
  EXPECT_EQ(a770.element<uint32_t>(20, 0), 0xFFFF00F8u);
  a770.set_mask(0xFFFFFFFFu);
  a770.run_ok(
      "(W) mov (1|M0) f0.0<1>:ud 0:ud\ncmp (8|M8) (lt)f0.0 r21.0<1>:d r10.0<8;8,1>:d 1:w\n(W) mov (1|M0) r20.0<1>:ud "
      "f0.0<0;1,0>:ud");
  EXPECT_EQ(a770.element<uint32_t>(20, 0), 0x300u);
  EXPECT_EQ(a770.get<int32_t>(21, 3), (vector<int32_t>{-1, -1, 0}));
  // Unsigned, and mixed signedness is compared by value.
  a770.put<uint32_t>(12, {0xFFFFFFFFu, 1, 0, 5, 0, 0, 0, 0});
  a770.run_ok(
      "(W) mov (1|M0) f0.0<1>:ud 0:ud\ncmp (4|M0) (gt)f0.0 null<1>:ud r12.0<4;4,1>:ud 1:ud\n(W) mov (1|M0) r20.0<1>:ud "
      "f0.0<0;1,0>:ud");
  EXPECT_EQ(a770.element<uint32_t>(20, 0), 0x9u);
  a770.run_ok(
      "(W) mov (1|M0) f0.0<1>:ud 0:ud\ncmp (4|M0) (gt)f0.0 null<1>:ud r12.0<4;4,1>:ud r10.0<4;4,1>:d\n(W) mov (1|M0) "
      "r20.0<1>:ud f0.0<0;1,0>:ud");
  EXPECT_EQ(a770.element<uint32_t>(20, 0), 0xBu);
}

TEST_F(Alu, ASumIsZeroInItsThirtyTwoBits) {
  a770.put<uint32_t>(10, {1, 2, 0, 0x80000001u});
  const auto flags = [&](const std::string& c, const std::string& type) {
    a770.run_ok("(W) mov (1|M0) f0.0<1>:ud 0:ud\n(W) add (4|M0) (" + c + ")f0.0 r21.0<1>:" + type +
                " r10.0<4;4,1>:" + type + " 0xFFFFFFFF:" + type + "\n(W) mov (1|M0) r20.0<1>:ud f0.0<0;1,0>:ud");
    return a770.element<uint32_t>(20, 0);
  };
  EXPECT_EQ(flags("eq", "ud"), 1u);
  EXPECT_EQ(flags("ne", "ud"), 0xEu);
  EXPECT_EQ(a770.get<uint32_t>(21, 4), (vector<uint32_t>{0, 1, 0xFFFFFFFFu, 0x80000000u}));
  EXPECT_EQ(flags("eq", "d"), 1u);
  EXPECT_EQ(flags("lt", "d"), 0xCu);
}

TEST_F(Alu, RoundingWithACondition) {
  a770.put<float>(10, {-0.5F, -1.5F, 2.5F, 0.6F});
  const auto flags = [&](const std::string& op) {
    a770.run_ok("(W) mov (1|M0) f0.0<1>:ud 0:ud\n(W) " + op +
                " (4|M0) (lt)f0.0 r21.0<1>:f r10.0<4;4,1>:f\n(W) mov (1|M0) r20.0<1>:ud f0.0<0;1,0>:ud");
    return a770.element<uint32_t>(20, 0);
  };
  EXPECT_EQ(flags("rnde"), 2u);
  EXPECT_EQ(a770.get<float>(21, 4), (vector<float>{-0.0F, -2, 2, 1}));
  EXPECT_EQ(flags("rndd"), 3u);
  EXPECT_EQ(a770.get<float>(21, 4), (vector<float>{-1, -2, 2, 0}));
  EXPECT_EQ(flags("rndu"), 2u);
  EXPECT_EQ(a770.get<float>(21, 4), (vector<float>{-0.0F, -1, 3, 1}));
  EXPECT_EQ(flags("rndz"), 2u);
  EXPECT_EQ(a770.get<float>(21, 4), (vector<float>{-0.0F, -1, 2, 0}));
}

TEST_F(Alu, FloatComparesAndNaN) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  a770.put<float>(10, {1, nan, 3, -0.0F});
  a770.put<float>(12, {2, 1, nan, 0.0F});
  const auto flags = [&](const std::string& c) {
    a770.run_ok("(W) mov (1|M0) f0.0<1>:ud 0:ud\n(W) cmp (4|M0) (" + c +
                ")f0.0 null<1>:f r10.0<4;4,1>:f r12.0<4;4,1>:f\n(W) mov (1|M0) r20.0<1>:ud f0.0<0;1,0>:ud");
    return a770.element<uint32_t>(20, 0);
  };
  EXPECT_EQ(flags("lt"), 1u);
  EXPECT_EQ(flags("eq"), 8u);
  EXPECT_EQ(flags("ne"), 7u);
  EXPECT_EQ(flags("ge"), 8u);
  EXPECT_EQ(run<float>(a770, "(W) sel (4|M0) (ge)f0.0 r20.0<1>:f r10.0<4;4,1>:f r12.0<4;4,1>:f", 3),
            (vector<float>{2, 1, 3}));
  EXPECT_EQ(run<float>(a770, "(W) sel (4|M0) (lt)f0.0 r20.0<1>:f r10.0<4;4,1>:f r12.0<4;4,1>:f", 3),
            (vector<float>{1, 1, 3}));
}

TEST_F(Alu, PredicatesHorizontalAndInverse) {
  a770.put<uint32_t>(10, {1, 2, 3, 4, 5, 6, 7, 8});
  const auto masked = [&](const std::string& pred, uint32_t flag) {
    a770.put<uint32_t>(20, vector<uint32_t>(8, 0));
    a770.run_ok("(W) mov (1|M0) f0.0<1>:ud " + std::to_string(flag) + ":ud\n(W&" + pred +
                ") mov (8|M0) r20.0<1>:ud r10.0<8;8,1>:ud");
    uint32_t m = 0;
    for (uint32_t i = 0; i < 8; ++i) m |= (a770.element<uint32_t>(20, i) != 0 ? 1u : 0u) << i;
    return m;
  };
  EXPECT_EQ(masked("f0.0", 0x5A), 0x5Au);
  EXPECT_EQ(masked("~f0.0", 0x5A), 0xA5u);
  EXPECT_EQ(masked("f0.0.any4h", 0x10), 0xF0u);
  EXPECT_EQ(masked("f0.0.all4h", 0x1F), 0x0Fu);
  EXPECT_EQ(masked("f0.0.any8h", 0x80), 0xFFu);
  EXPECT_EQ(masked("~f0.0.any8h", 0x80), 0u);
  EXPECT_EQ(masked("f0.0.all2h", 0x3D), 0x3Cu);
}

TEST_F(Alu, SelectByPredicateWritesAllEnabledChannels) {
  a770.put<uint32_t>(10, {1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(run<uint32_t>(
                a770, "(W) mov (1|M0) f0.0<1>:ud 0x0F:ud\n(W&f0.0) sel (8|M0) r20.0<1>:ud r10.0<8;8,1>:ud 0x9:ud", 8),
            (vector<uint32_t>{1, 2, 3, 4, 9, 9, 9, 9}));
  EXPECT_EQ(run<uint32_t>(a770, "(W&~f0.0) sel (8|M0) r20.0<1>:ud r10.0<8;8,1>:ud 0x9:ud", 8),
            (vector<uint32_t>{9, 9, 9, 9, 5, 6, 7, 8}));
}

TEST_F(Alu, ConditionModifiersOnArithmeticUseTheExactResult) {
  a770.put<int32_t>(10, {2147483647, -5, 5, 0});
  const auto flags = [&](const std::string& c) {
    a770.run_ok("(W) mov (1|M0) f0.0<1>:ud 0:ud\n(W) add (4|M0) (" + c +
                ")f0.0 r20.0<1>:d r10.0<4;4,1>:d r10.0<4;4,1>:d\n(W) mov (1|M0) r22.0<1>:ud f0.0<0;1,0>:ud");
    return a770.element<uint32_t>(22, 0);
  };
  EXPECT_EQ(flags("ov"), 1u);
  EXPECT_EQ(flags("gt"), 5u);
  EXPECT_EQ(flags("eq"), 8u);
  a770.put<uint32_t>(10, {0xF0, 0x0F, 0, 0xFF});
  a770.run_ok(
      "(W) mov (1|M0) f0.0<1>:ud 0:ud\n(W) and (4|M0) (ne)f0.0 null<1>:ud r10.0<4;4,1>:ud 0xF0:uw\n(W) mov (1|M0) "
      "r22.0<1>:ud f0.0<0;1,0>:ud");
  EXPECT_EQ(a770.element<uint32_t>(22, 0), 9u);
}

TEST_F(Alu, LogicShiftsAndBits) {
  a770.put<uint32_t>(10, {0x80000001u, 0x0000FF00u, 0, 0xFFFFFFFFu});
  EXPECT_EQ(run<uint32_t>(a770, "(W) not (4|M0) r20.0<1>:ud r10.0<4;4,1>:ud", 4),
            (vector<uint32_t>{0x7FFFFFFEu, 0xFFFF00FFu, ~0u, 0}));
  EXPECT_EQ(run<uint32_t>(a770, "(W) and (4|M0) r20.0<1>:ud r10.0<4;4,1>:ud ~r10.0<4;4,1>:ud", 4),
            vector<uint32_t>(4, 0));
  EXPECT_EQ(run<uint32_t>(a770, "(W) shl (4|M0) r20.0<1>:ud r10.0<4;4,1>:ud 33:uw", 4),
            (vector<uint32_t>{2, 0x1FE00, 0, 0xFFFFFFFEu}));
  EXPECT_EQ(run<uint32_t>(a770, "(W) shr (4|M0) r20.0<1>:ud r10.0<4;4,1>:ud 4:uw", 4),
            (vector<uint32_t>{0x08000000u, 0xFF0, 0, 0x0FFFFFFFu}));
  EXPECT_EQ(run<int32_t>(a770, "(W) asr (4|M0) r20.0<1>:d r10.0<4;4,1>:d 4:uw", 4),
            (vector<int32_t>{-134217728, 0xFF0, 0, -1}));
  EXPECT_EQ(run<uint32_t>(a770, "(W) rol (4|M0) r20.0<1>:ud r10.0<4;4,1>:ud 4:uw", 4)[0], 0x18u);
  EXPECT_EQ(run<uint32_t>(a770, "(W) ror (4|M0) r20.0<1>:ud r10.0<4;4,1>:ud 4:uw", 4)[0], 0x18000000u);
  EXPECT_EQ(run<uint32_t>(a770, "(W) cbit (4|M0) r20.0<1>:ud r10.0<4;4,1>:ud", 4), (vector<uint32_t>{2, 8, 0, 32}));
  EXPECT_EQ(run<uint32_t>(a770, "(W) lzd (4|M0) r20.0<1>:ud r10.0<4;4,1>:ud", 4), (vector<uint32_t>{0, 16, 32, 0}));
  EXPECT_EQ(run<uint32_t>(a770, "(W) fbl (4|M0) r20.0<1>:ud r10.0<4;4,1>:ud", 4), (vector<uint32_t>{0, 8, ~0u, 0}));
  EXPECT_EQ(run<uint32_t>(a770, "(W) fbh (4|M0) r20.0<1>:ud r10.0<4;4,1>:ud", 4), (vector<uint32_t>{0, 16, ~0u, 0}));
  EXPECT_EQ(run<uint32_t>(a770, "(W) fbh (4|M0) r20.0<1>:d r10.0<4;4,1>:d", 4), (vector<uint32_t>{1, 16, ~0u, ~0u}));
  EXPECT_EQ(run<uint32_t>(a770, "(W) bfrev (4|M0) r20.0<1>:ud r10.0<4;4,1>:ud", 4),
            (vector<uint32_t>{0x80000001u, 0x00FF0000u, 0, ~0u}));
}

TEST_F(Alu, BitFieldsAndBooleanFunctions) {
  a770.put<uint32_t>(10, vector<uint32_t>(8, 8));  // width
  a770.put<uint32_t>(12, vector<uint32_t>(8, 4));  // offset
  a770.put<uint32_t>(14, vector<uint32_t>(8, 0xABCDEF12u));
  EXPECT_EQ(run<uint32_t>(a770, "(W) bfe (8|M0) r20.0<1>:ud r10.0<8;1>:ud r12.0<8;1>:ud r14.0<1>:ud", 1)[0], 0xF1u);
  EXPECT_EQ(run<int32_t>(a770, "(W) bfe (8|M0) r20.0<1>:d r10.0<8;1>:d r12.0<8;1>:d r14.0<1>:d", 1)[0], -15);
  EXPECT_EQ(run<uint32_t>(a770, "(W) bfi1 (8|M0) r20.0<1>:ud r10.0<8;8,1>:ud r12.0<8;8,1>:ud", 1)[0], 0xFF0u);
  // The insert is shifted up to the lowest bit of the mask.
  a770.put<uint32_t>(10, vector<uint32_t>(8, 0xFF0));
  a770.put<uint32_t>(12, vector<uint32_t>(8, 0x55));
  EXPECT_EQ(run<uint32_t>(a770, "(W) bfi2 (8|M0) r20.0<1>:ud r10.0<8;1>:ud r12.0<8;1>:ud r14.0<1>:ud", 1)[0],
            0xABCDE552u);
  a770.put<uint32_t>(10, vector<uint32_t>(8, 0xAA));
  a770.put<uint32_t>(12, vector<uint32_t>(8, 0xCC));
  a770.put<uint32_t>(14, vector<uint32_t>(8, 0xF0));
  // With these inputs the low byte of the result is the truth table itself.
  for (const unsigned lut : {0x80u, 0xFEu, 0x96u, 0xCAu, 0x1Bu}) {
    char form[128];
    std::snprintf(form, sizeof form, "(W) bfn.0x%02X (8|M0) r20.0<1>:ud r10.0<8;1>:ud r12.0<8;1>:ud r14.0<1>:ud", lut);
    EXPECT_EQ(run<uint32_t>(a770, form, 1)[0] & 0xFFu, lut);
  }
}

TEST_F(Alu, ThirtyTwoBitMultiplyThroughTheAccumulator) {
  const vector<int32_t> a = {123456789, -123456789, 2147483647, -2147483647 - 1, 65536, 3, -1, 0x12345678};
  const vector<int32_t> b = {987654321, 987654321, 2147483647, -1, 65536, -7, -1, 0x0BCDEF01};
  for (const std::string device : {"a770", "b580"}) {
    Bench& bench = device == "a770" ? a770 : b580;
    bench.put(10, a);
    bench.put(12, b);
    const std::string region = "r12.0<2;1,0>:uw";
    const std::string low = device == "a770" ? "(W) mach (8|M0) r20.0<1>:d r10.0<8;8,1>:d r12.0<8;8,1>:d"
                                             : "(W) macl (8|M0) r20.0<1>:d r10.0<8;8,1>:d r12.0<8;8,1>:d";
    const std::string high = device == "a770" ? "(W) mach (8|M0) r22.0<1>:d r10.0<8;8,1>:d r12.0<8;8,1>:d {AccWrEn}"
                                              : "(W) mach (8|M0) r22.0<1>:d r10.0<8;8,1>:d r12.0<8;8,1>:d";
    bench.run_ok("(W) mul (8|M0) acc0.0<1>:d r10.0<8;8,1>:d " + region + "\n" + low +
                 "\n(W) mul (8|M0) acc0.0<1>:d r10.0<8;8,1>:d " + region + "\n" + high);
    for (unsigned i = 0; i < 8; ++i) {
      const int64_t product = int64_t{a[i]} * b[i];
      EXPECT_EQ(bench.element<int32_t>(20, i), static_cast<int32_t>(product)) << device << " lane " << i;
      EXPECT_EQ(bench.element<int32_t>(22, i), static_cast<int32_t>(product >> 32)) << device << " lane " << i;
    }
  }
}

TEST_F(Alu, UnsignedHighMultiplyAndImplicitAccumulatorPosition) {
  a770.put<uint32_t>(10, {0xFFFFFFFFu, 0x80000000u, 7, 9});
  a770.put<uint32_t>(12, {0xFFFFFFFFu, 0xFFFFFFFFu, 5, 11});
  a770.run_ok(
      "(W) mul (4|M0) acc0.0<1>:ud r10.0<4;4,1>:ud r12.0<2;1,0>:uw\n(W) mach (4|M0) r20.0<1>:ud r10.0<4;4,1>:ud "
      "r12.0<4;4,1>:ud {AccWrEn}");
  EXPECT_EQ(a770.get<uint32_t>(20, 4), (vector<uint32_t>{0xFFFFFFFEu, 0x7FFFFFFFu, 0, 0}));
  // The accumulator position follows the destination's sub-register.
  a770.run_ok(
      "(W) mul (1|M0) acc0.2<1>:ud r10.2<0;1,0>:ud r12.4<0;1,0>:uw\n(W) mach (1|M0) r20.2<1>:ud r10.2<0;1,0>:ud "
      "r12.2<0;1,0>:ud");
  EXPECT_EQ(a770.element<uint32_t>(20, 2), 35u);
}

TEST_F(Alu, CarryAndBorrowGoToTheAccumulator) {
  a770.put<uint32_t>(10, {0xFFFFFFFFu, 1, 0x80000000u, 0});
  a770.put<uint32_t>(12, {1, 1, 0x80000000u, 1});
  a770.run_ok(
      "(W) addc (4|M0) r20.0<1>:ud r10.0<4;4,1>:ud r12.0<4;4,1>:ud {AccWrEn}\n(W) mov (4|M0) r22.0<1>:ud "
      "acc0.0<4;4,1>:ud");
  EXPECT_EQ(a770.get<uint32_t>(20, 4), (vector<uint32_t>{0, 2, 0, 1}));
  EXPECT_EQ(a770.get<uint32_t>(22, 4), (vector<uint32_t>{1, 0, 1, 0}));
  a770.run_ok(
      "(W) subb (4|M0) r20.0<1>:ud r10.0<4;4,1>:ud r12.0<4;4,1>:ud {AccWrEn}\n(W) mov (4|M0) r22.0<1>:ud "
      "acc0.0<4;4,1>:ud");
  EXPECT_EQ(a770.get<uint32_t>(20, 4), (vector<uint32_t>{0xFFFFFFFEu, 0, 0, 0xFFFFFFFFu}));
  EXPECT_EQ(a770.get<uint32_t>(22, 4), (vector<uint32_t>{0, 0, 0, 1}));
}

TEST_F(Alu, ConversionsRoundAndClamp) {
  a770.put<float>(10, {1.9F, -1.9F, 3e9F, -3e9F, std::numeric_limits<float>::quiet_NaN(), 0.5F, -0.5F, 2.5F});
  EXPECT_EQ(run<int32_t>(a770, "(W) mov (8|M0) r20.0<1>:d r10.0<8;8,1>:f", 8),
            (vector<int32_t>{1, -1, 2147483647, -2147483647 - 1, 0, 0, 0, 2}));
  EXPECT_EQ(run<uint32_t>(a770, "(W) mov (8|M0) r20.0<1>:ud r10.0<8;8,1>:f", 4),
            (vector<uint32_t>{1, 0, 3000000000u, 0}));
  // cr0.0 bit 12: conversions follow the rounding mode, here nearest even.
  a770.run_ok(
      "(W) mov (1|M0) cr0.0<1>:ud 0x1000:ud\n(W) mov (8|M0) r20.0<1>:d r10.0<8;8,1>:f\n(W) mov (1|M0) cr0.0<1>:ud "
      "0x0:ud");
  EXPECT_EQ(a770.get<int32_t>(20, 8), (vector<int32_t>{2, -2, 2147483647, -2147483647 - 1, 0, 0, 0, 2}));
  a770.put<int32_t>(10, {1, -1, 16777217, -2147483647 - 1});
  EXPECT_EQ(run<float>(a770, "(W) mov (4|M0) r20.0<1>:f r10.0<4;4,1>:d", 4),
            (vector<float>{1, -1, 16777216.0F, -2147483648.0F}));
  a770.put<uint32_t>(10, {0xFFFFFFFFu, 1, 2, 3});
  EXPECT_EQ(run<float>(a770, "(W) mov (4|M0) r20.0<1>:f r10.0<4;4,1>:ud", 1)[0], 4294967296.0F);
  // Half and bf16, both ways, ties to even.
  a770.put<float>(10, {1.0F, 65520.0F, 1.00048828125F, 5.9604644775390625e-08F});
  EXPECT_EQ(run<uint16_t>(a770, "(W) mov (4|M0) r20.0<1>:hf r10.0<4;4,1>:f", 4),
            (vector<uint16_t>{0x3C00, 0x7C00, 0x3C00, 0x0001}));
  EXPECT_EQ(run<float>(a770, "(W) mov (4|M0) r22.0<1>:f r20.0<4;4,1>:hf", 4, 22),
            (vector<float>{1.0F, std::numeric_limits<float>::infinity(), 1.0F, 5.9604644775390625e-08F}));
  a770.put<float>(10, {1.0F, 1.00390625F, 1.01171875F, -2.0F, 0, 0, 0, 0});
  EXPECT_EQ(run<uint16_t>(a770, "(W) mov (8|M0) r20.0<1>:bf r10.0<8;8,1>:f", 4),
            (vector<uint16_t>{0x3F80, 0x3F80, 0x3F82, 0xC000}));
}

TEST_F(Alu, QwordsAndDoublesAreConvertedNotCopied) {
  b580.put<uint64_t>(10, {0, 3, 0xFFFFFFFFFFFFF800u, 0x8000000000000000u});
  EXPECT_EQ(run<double>(b580, "(W) mov (4|M0) r20.0<1>:df r10.0<1;1,0>:uq", 4),
            (vector<double>{0, 3, 18446744073709549568.0, 9223372036854775808.0}));
  EXPECT_EQ(run<double>(b580, "(W) mov (4|M0) r20.0<1>:df r10.0<1;1,0>:q", 4),
            (vector<double>{0, 3, -2048, -9223372036854775808.0}));
  EXPECT_EQ(run<float>(b580, "(W) mov (4|M0) r20.0<2>:f r10.0<1;1,0>:uq", 5)[4], 18446744073709551616.0F);
  b580.put<double>(10, {2.9, -1.5, 1.8446744073709550e19, 1e30});
  EXPECT_EQ(run<uint64_t>(b580, "(W) mov (4|M0) r20.0<1>:uq r10.0<1;1,0>:df", 4),
            (vector<uint64_t>{2, 0, 18446744073709549568u, UINT64_MAX}));
  EXPECT_EQ(run<int64_t>(b580, "(W) mov (4|M0) r20.0<1>:q r10.0<1;1,0>:df", 4),
            (vector<int64_t>{2, -1, INT64_MAX, INT64_MAX}));
}

TEST_F(Alu, SameTypeMovesKeepDenormalsAndNaNPayloads) {
  a770.put<uint32_t>(10, {0x00000100u, 0x7FA00001u, 0x80000001u, 0xFFC00000u});
  EXPECT_EQ(run<uint32_t>(a770, "(W) mov (4|M0) r20.0<1>:f r10.0<4;4,1>:f", 4),
            (vector<uint32_t>{0x00000100u, 0x7FA00001u, 0x80000001u, 0xFFC00000u}));
  EXPECT_EQ(run<uint32_t>(a770, "(W) mov (1|M0) r20.0<1>:f 3.58732e-43:f", 1)[0], 0x100u);
}

TEST_F(Alu, PackedVectorImmediates) {
  EXPECT_EQ(run<uint16_t>(a770, "(W) mov (8|M0) r20.0<1>:uw 0x76543210:uv", 8),
            (vector<uint16_t>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(run<int32_t>(a770, "(W) mov (8|M0) r20.0<1>:d 0xFEDC3210:v", 8),
            (vector<int32_t>{0, 1, 2, 3, -4, -3, -2, -1}));
  EXPECT_EQ(run<float>(a770, "(W) mov (4|M0) r20.0<1>:f 0x40302000:vf", 4), (vector<float>{0, 0.5F, 1.0F, 2.0F}));
}

TEST_F(Alu, MadIsFusedAndMathIsAccurate) {
  const float a = 1.0F + std::ldexp(1.0F, -12);
  a770.put<float>(10, vector<float>(8, -1.0F));
  a770.put<float>(12, vector<float>(8, a));
  EXPECT_EQ(run<float>(a770, "(W) mad (8|M0) r20.0<1>:f r10.0<8;1>:f r12.0<8;1>:f r12.0<1>:f", 1)[0],
            std::fma(a, a, -1.0F));
  a770.put<float>(10, {4, 0.25F, 2, 100, 1, 3, 8, 0.5F});
  const auto math = [&](const std::string& fn) {
    return run<float>(a770, "(W) math." + fn + " (8|M0) r20.0<1>:f r10.0<8;8,1>:f", 8);
  };
  EXPECT_FLOAT_EQ(math("inv")[0], 0.25F);
  EXPECT_FLOAT_EQ(math("sqt")[3], 10.0F);
  EXPECT_FLOAT_EQ(math("rsqt")[1], 2.0F);
  EXPECT_FLOAT_EQ(math("log")[6], 3.0F);
  EXPECT_FLOAT_EQ(math("exp")[5], 8.0F);
  EXPECT_FLOAT_EQ(math("sin")[4], std::sin(1.0F));
}

TEST_F(Alu, QwordArithmeticOnXe2) {
  b580.put<int64_t>(10, {0x1FFFFFFFFLL, -5, 1LL << 40, 7});
  b580.put<int64_t>(12, {1, 10, 1, -7});
  EXPECT_EQ(run<int64_t>(b580, "(W) add (4|M0) r20.0<1>:q r10.0<1;1,0>:q r12.0<1;1,0>:q", 4),
            (vector<int64_t>{0x200000000LL, 5, (1LL << 40) + 1, 0}));
  EXPECT_EQ(run<int64_t>(b580, "(W) shl (4|M0) r20.0<1>:q r10.0<1;1,0>:q 4:uw", 4),
            (vector<int64_t>{0x1FFFFFFFF0LL, -80, 1LL << 44, 112}));
}

TEST_F(Alu, Dp4aAndAverage) {
  a770.put<uint32_t>(10, vector<uint32_t>(8, 100));
  a770.put<uint32_t>(12, vector<uint32_t>(8, 0xFF020304u));  // -1,2,3,4 or 255,2,3,4
  a770.put<uint32_t>(14, vector<uint32_t>(8, 0x01010101u));
  EXPECT_EQ(run<int32_t>(a770, "(W) dp4a (8|M0) r20.0<1>:d r10.0<8;1>:d r12.0<8;1>:d r14.0<1>:d", 1)[0], 108);
  EXPECT_EQ(run<uint32_t>(a770, "(W) dp4a (8|M0) r20.0<1>:ud r10.0<8;1>:ud r12.0<8;1>:ud r14.0<1>:ud", 1)[0], 364u);
  a770.put<int32_t>(10, {3, -3, 2147483647, 0});
  a770.put<int32_t>(12, {4, -4, 2147483647, 1});
  EXPECT_EQ(run<int32_t>(a770, "(W) avg (4|M0) r20.0<1>:d r10.0<4;4,1>:d r12.0<4;4,1>:d", 4),
            (vector<int32_t>{4, -3, 2147483647, 1}));
}

TEST_F(Alu, SelIntoTheAccumulatorAndWithSaturation) {
  // Both take the general form of the opcode.
  for (Bench* b : {&a770, &b580}) {
    b->put<int32_t>(10, {1, -2, 300, -400, 5, 6, 7, 8});
    b->set_mask(0x7F);
    b->run_ok(
        "(W) mov (1|M0) f0.0<1>:ud 0x35:ud\n(W) mov (8|M0) acc0.0<1>:d -1:w\n"
        "(f0.0) sel (8|M0) acc0.0<1>:d r10.0<8;8,1>:d 9:w\n(W) mov (8|M0) r20.0<1>:d acc0.0<8;8,1>:d");
    EXPECT_EQ(b->get<int32_t>(20, 8), (vector<int32_t>{1, 9, 300, 9, 5, 6, 9, -1}));
    // What sel wrote is what mac adds to.
    b->run_ok("(f0.0) sel (8|M0) acc0.0<1>:d r10.0<8;8,1>:d 9:w\n(W) mac (8|M0) r20.0<1>:d r10.0<8;8,1>:d 2:w");
    EXPECT_EQ(b->get<int32_t>(20, 7), (vector<int32_t>{3, 5, 900, -791, 15, 18, 23}));
    b->set_mask(0xFFFFFFFFu);
    b->run_ok("(~f0.0) sel (8|M0) (sat)r20.0<1>:ub r10.0<8;8,1>:d 1000:w");
    EXPECT_EQ(b->get<uint8_t>(20, 8), (vector<uint8_t>{255, 0, 255, 0, 255, 255, 7, 8}));
  }
}

TEST_F(Alu, EveryIntegerOpcodeMayWriteTheAccumulator) {
  const auto through = [&](Bench& b, const std::string& instruction, const std::string& type = "ud") {
    b.run_ok("(W) mov (8|M0) acc0.0<1>:d -1:w\n" + instruction + "\n(W) mov (8|M0) r20.0<1>:" + type +
             " acc0.0<8;8,1>:" + type);
    return b.get<uint32_t>(20, 2);
  };
  for (Bench* b : {&a770, &b580}) {
    b->put<uint32_t>(10, {0x80000001u, 0x00F0u, 3, 4, 5, 6, 7, 8});
    b->put<uint32_t>(12, {4, 8, 1, 2, 3, 4, 5, 6});
    EXPECT_EQ(through(*b, "(W) rol (8|M0) acc0.0<1>:ud r10.0<8;8,1>:ud r12.0<8;8,1>:ud"),
              (vector<uint32_t>{0x00000018u, 0xF000u}));
    EXPECT_EQ(through(*b, "(W) ror (8|M0) acc0.0<1>:ud r10.0<8;8,1>:ud 4:uw"), (vector<uint32_t>{0x18000000u, 0x0Fu}));
    EXPECT_EQ(through(*b, "(W) bfrev (8|M0) acc0.0<1>:ud r10.0<8;8,1>:ud"),
              (vector<uint32_t>{0x80000001u, 0x0F000000u}));
    EXPECT_EQ(through(*b, "(W) lzd (8|M0) acc0.0<1>:ud r10.0<8;8,1>:ud"), (vector<uint32_t>{0, 24}));
    EXPECT_EQ(through(*b, "(W) fbl (8|M0) acc0.0<1>:ud r10.0<8;8,1>:ud"), (vector<uint32_t>{0, 4}));
    EXPECT_EQ(through(*b, "(W) cbit (8|M0) acc0.0<1>:ud r10.0<8;8,1>:ud"), (vector<uint32_t>{2, 4}));
    EXPECT_EQ(through(*b, "(W) bfi1 (8|M0) acc0.0<1>:ud r12.0<8;8,1>:ud 2:w"), (vector<uint32_t>{0x3Cu, 0x3FCu}));
    EXPECT_EQ(through(*b, "(W) cmp (8|M0) (gt)f0.0 acc0.0<1>:ud r10.0<8;8,1>:ud 256:w"),
              (vector<uint32_t>{0xFFFFFFFFu, 0}));
    // The wide view of the accumulator, to which mac adds, follows.
    b->run_ok("(W) rol (8|M0) acc0.0<1>:d r12.0<8;8,1>:ud 28:uw\n(W) mac (8|M0) r20.0<1>:d r12.0<8;8,1>:d 2:w");
    EXPECT_EQ(b->get<uint32_t>(20, 2), (vector<uint32_t>{0x40000008u, 0x80000010u}));
  }
}

TEST_F(Alu, CselChoosesByTheThirdSource) {
  a770.put<float>(10, {1, 2, 3, 4, 5, 6, 7, 8});
  a770.put<float>(12, {-1, -2, -3, -4, -5, -6, -7, -8});
  a770.put<float>(14, {0, 1, -1, 0, 2, -2, 0, 3});
  EXPECT_EQ(run<float>(a770, "(W) csel (8|M0) (gt)f0.0 r20.0<1>:f r10.0<8;1>:f r12.0<8;1>:f r14.0<1>:f", 8),
            (vector<float>{-1, 2, -3, -4, 5, -6, -7, 8}));
}

TEST_F(Alu, IntegersInAccumulatorsOtherThanTheFirst) {
  a770.put<uint32_t>(10, {1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(
      run<uint32_t>(
          a770, "(W) add (8|M0) acc2.0<1>:ud r10.0<1;1,0>:ud 10:uw\n(W) shl (8|M0) r20.0<1>:ud acc2.0<1;1,0>:ud 1:uw",
          8),
      (vector<uint32_t>{22, 24, 26, 28, 30, 32, 34, 36}));
}

}  // namespace
}  // namespace xeforge::machine::test
