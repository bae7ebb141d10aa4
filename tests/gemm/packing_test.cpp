// SPDX-License-Identifier: Apache-2.0
#include "gemm/packing.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "gemm/packing_loops.h"

namespace {

using namespace xeforge::gemm;

/// Every element its own value.
std::vector<Bf16> numbered(std::size_t count) {
  std::vector<Bf16> values(count);
  std::iota(values.begin(), values.end(), Bf16{0});
  return values;
}

// The layouts again, one element at a time and straight from their definitions.
Bf16 half_of(std::uint32_t word, std::size_t half) { return static_cast<Bf16>(word >> (16 * half)); }

TEST(Packing, VnniWordsHoldTwoRows) {
  const std::size_t k = 6, n = 5;
  const auto b = numbered(k * n);
  std::vector<std::uint32_t> packed(k / 2 * n);
  pack_b_vnni(b, k, n, packed);
  for (std::size_t row = 0; row < k; ++row) {
    for (std::size_t column = 0; column < n; ++column) {
      EXPECT_EQ(half_of(packed[row / 2 * n + column], row % 2), b[row * n + column]) << row << ", " << column;
    }
  }
}

TEST(Packing, OperandsOfA) {
  const std::size_t m = 256, k = 96;
  const auto a = numbered(m * k);
  std::vector<Bf16> packed(m * k);
  pack_a_operands(a, m, k, packed);
  std::size_t at = 0;
  for (std::size_t bm = 0; bm < m / 128; ++bm) {
    for (std::size_t bk = 0; bk < k / 32; ++bk) {
      for (std::size_t t = 0; t < 8; ++t) {
        for (std::size_t o = 0; o < 4; ++o) {
          for (std::size_t rr = 0; rr < 8; ++rr) {
            for (std::size_t cc = 0; cc < 16; ++cc, ++at) {
              ASSERT_EQ(packed[at], a[(128 * bm + 16 * t + rr + 8 * (o / 2)) * k + 32 * bk + cc + 16 * (o % 2)]) << at;
            }
          }
        }
      }
    }
  }
}

TEST(Packing, OperandsOfB) {
  const std::size_t k = 64, n = 192;
  const auto b = numbered(k * n);
  std::vector<std::uint32_t> packed(k / 2 * n);
  pack_b_operands(b, k, n, packed);
  std::size_t at = 0;
  for (std::size_t bn = 0; bn < n / 64; ++bn) {
    for (std::size_t bk = 0; bk < k / 32; ++bk) {
      for (std::size_t s = 0; s < 4; ++s) {
        for (std::size_t t = 0; t < 4; ++t) {
          for (std::size_t r = 0; r < 8; ++r) {
            for (std::size_t c = 0; c < 8; ++c, ++at) {
              const std::size_t row = 2 * (16 * bk + r + 8 * (s / 2)), column = 64 * bn + 16 * t + c + 8 * (s % 2);
              ASSERT_EQ(half_of(packed[at], 0), b[row * n + column]) << at;
              ASSERT_EQ(half_of(packed[at], 1), b[(row + 1) * n + column]) << at;
            }
          }
        }
      }
    }
  }
}

TEST(Packing, MicroTilesOfA) {
  const std::size_t m = 24, k = 48;
  const auto a = numbered(m * k);
  std::vector<Bf16> packed(m * k);
  pack_a_micro_tiles(a, m, k, packed);
  for (std::size_t row = 0; row < m; ++row) {
    for (std::size_t column = 0; column < k; ++column) {
      EXPECT_EQ(packed[((row / 8 * (k / 16) + column / 16) * 8 + row % 8) * 16 + column % 16], a[row * k + column]);
    }
  }
}

/// All layouts of m x k and k x n.
void expect_back(std::size_t m, std::size_t n, std::size_t k) {
  const auto a = numbered(m * k), b = numbered(k * n);
  std::vector<Bf16> packed_a(m * k), a_again(m * k), b_again(k * n);
  std::vector<std::uint32_t> packed_b(k / 2 * n);
  pack_a_operands(a, m, k, packed_a);
  unpack_a_operands(packed_a, m, k, a_again);
  EXPECT_EQ(a_again, a);
  pack_a_micro_tiles(a, m, k, packed_a);
  unpack_a_micro_tiles(packed_a, m, k, a_again);
  EXPECT_EQ(a_again, a);
  pack_b_vnni(b, k, n, packed_b);
  unpack_b_vnni(packed_b, k, n, b_again);
  EXPECT_EQ(b_again, b);
  pack_b_operands(b, k, n, packed_b);
  unpack_b_operands(packed_b, k, n, b_again);
  EXPECT_EQ(b_again, b);
}

TEST(Packing, AndBack) { expect_back(128, 64, 64); }

// No size is a multiple of what is handled together.
TEST(Packing, OddCountsOfBlocksComeBack) { expect_back(128, std::size_t{64} * 7, std::size_t{32} * 5); }

TEST(Packing, LargeMatrixInParallelIsTheSame) {
  const std::size_t m = 1024, k = 512;
  const auto a = numbered(m * k);
  std::vector<Bf16> packed(m * k), again(m * k);
  pack_a_operands(a, m, k, packed);
  unpack_a_operands(packed, m, k, again);
  EXPECT_EQ(again, a);
}

// What the processor at hand chooses is seen in the tests above; the loops for any other must agree with it.
TEST(Packing, LoopsForAnyProcessorAreTheSame) {
  const PackingLoops &here = packing_loops(), &any = packing_baseline::loops();
  const std::size_t pitch = 80, columns = 64;
  const auto matrix = numbered(32 * pitch);
  std::vector<std::uint32_t> words(32 * pitch), words_any(words.size());
  std::vector<Bf16> back(matrix.size()), back_any(matrix.size());
  here.pack_vnni(matrix.data(), matrix.data() + pitch, words.data(), 37);
  any.pack_vnni(matrix.data(), matrix.data() + pitch, words_any.data(), 37);
  EXPECT_EQ(words, words_any);
  here.unpack_vnni(words.data(), back.data(), back.data() + pitch, 37);
  any.unpack_vnni(words.data(), back_any.data(), back_any.data() + pitch, 37);
  EXPECT_EQ(back, back_any);
  here.pack_b_operands(matrix.data(), pitch, columns / 64, words.data(), kBOperandBlock);
  any.pack_b_operands(matrix.data(), pitch, columns / 64, words_any.data(), kBOperandBlock);
  EXPECT_EQ(words, words_any);
  here.unpack_b_operands(words.data(), kBOperandBlock, columns / 64, back.data(), pitch);
  any.unpack_b_operands(words.data(), kBOperandBlock, columns / 64, back_any.data(), pitch);
  EXPECT_EQ(back, back_any);
  std::vector<Bf16> packed(2 * kAOperandBlock), packed_any(packed.size());
  here.pack_a_operands(matrix.data(), pitch, columns / 32, packed.data());
  any.pack_a_operands(matrix.data(), pitch, columns / 32, packed_any.data());
  EXPECT_EQ(packed, packed_any);
  here.unpack_a_operands(packed.data(), columns / 32, back.data(), pitch);
  any.unpack_a_operands(packed.data(), columns / 32, back_any.data(), pitch);
  EXPECT_EQ(back, back_any);
  here.pack_micro_tiles(matrix.data(), pitch, columns / 16, packed.data());
  any.pack_micro_tiles(matrix.data(), pitch, columns / 16, packed_any.data());
  EXPECT_EQ(packed, packed_any);
  here.unpack_micro_tiles(packed.data(), columns / 16, back.data(), pitch);
  any.unpack_micro_tiles(packed.data(), columns / 16, back_any.data(), pitch);
  EXPECT_EQ(back, back_any);
}

TEST(Packing, RefusesWhatDoesNotDivide) {
  std::vector<Bf16> a(std::size_t{64} * 32), packed(std::size_t{64} * 32);
  EXPECT_THROW(pack_a_operands(a, 64, 32, packed), std::invalid_argument);    // M % 128
  EXPECT_THROW(pack_a_micro_tiles(a, 64, 8, packed), std::invalid_argument);  // wrong length and K % 16
  std::vector<std::uint32_t> words(16);
  EXPECT_THROW(pack_b_vnni(std::vector<Bf16>(33), 3, 11, words), std::invalid_argument);
  try {
    pack_a_operands(a, 64, 32, packed);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "packing: M = 64 is not a positive multiple of 128");
  }
}

TEST(Packing, RefusesSpansOfTheWrongLength) {
  std::vector<Bf16> b(std::size_t{32} * 64);
  std::vector<std::uint32_t> words(16 * 64 - 1);
  EXPECT_THROW(pack_b_vnni(b, 32, 64, words), std::invalid_argument);
  EXPECT_THROW(unpack_b_operands(words, 32, 64, b), std::invalid_argument);
}

TEST(Bf16, RoundsToNearestEven) {
  EXPECT_EQ(to_bf16(1.0F), 0x3F80);
  EXPECT_EQ(to_bf16(1.00390625F), 0x3F80);  // half way, even below
  EXPECT_EQ(to_bf16(1.01171875F), 0x3F82);  // half way, even above
  EXPECT_EQ(to_bf16(-3.0F), 0xC040);
  EXPECT_EQ(to_bf16(std::numeric_limits<float>::infinity()), 0x7F80);
  EXPECT_TRUE(std::isnan(from_bf16(to_bf16(std::numeric_limits<float>::quiet_NaN()))));
  EXPECT_EQ(from_bf16(0x4049), 3.140625F);
}

}  // namespace
