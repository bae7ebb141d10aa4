// SPDX-License-Identifier: Apache-2.0
//
// Strategies: their text, the selector, and the kernels that they name on the virtual device of XEFORGE_DEVICE.
#include "gemm/strategy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "case.h"

namespace xeforge::gemm {
namespace {

using testing::HasSubstr;

TEST(StrategyText, EveryRowOfTheCatalogueReadsWhatItWrites) {
  ASSERT_FALSE(fast_catalogue().empty());
  for (const FastRow& row : fast_catalogue()) {
    EXPECT_EQ(parse_strategy(to_string(row.strategy)), row.strategy) << to_string(row.strategy);
    EXPECT_GT(row.busy, 0);
    EXPECT_GE(row.alone, row.busy);
  }
}

TEST(StrategyText, WhatIsLeftOutHasADefault) {
  EXPECT_EQ(to_string(parse_strategy("hpg_packed 32x32 group 4x4")), "hpg_packed 32x32 group 4x4 walk across");
  EXPECT_EQ(to_string(parse_strategy("xe2_rows 32x64 group 8x4")), "xe2_rows 32x64 group 8x4 ahead 2 walk across");
}

TEST(StrategyText, SaysWhatIsWrong) {
  const auto reason = [](const char* text) -> std::string {
    try {
      parse_strategy(text);
      return "";
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), Status::BadStrategy);
      return error.what();
    }
  };
  EXPECT_THAT(reason("fastest 32x32"),
              HasSubstr("no kernel is called 'fastest'; there are hpg_packed, hpg_rows, hpg_slice_k, "
                        "hpg_slice_k_columns, hpg_slice_k_packed, xe2_rows"));
  EXPECT_THAT(reason("hpg_packed"), HasSubstr("the tile of a thread is missing"));
  EXPECT_THAT(reason("hpg_packed 32 group 4x4"), HasSubstr("'32' is no pair"));
  EXPECT_THAT(reason("hpg_packed 32x32 group 4xq"), HasSubstr("'q' is no number"));
  EXPECT_THAT(reason("hpg_packed 32x32 group"), HasSubstr("'group' has no value"));
  EXPECT_THAT(reason("hpg_packed 32x32 group 4x4 sets 2"), HasSubstr("'sets' is no word of hpg_packed"));
  EXPECT_THAT(reason("hpg_rows 32x32 group 4x4 ahead 2"), HasSubstr("'ahead' is no word of hpg_rows"));
  EXPECT_THAT(reason("hpg_rows 32x32 group 3x4"), HasSubstr("2, 4, 8 or 16"));
  EXPECT_THAT(reason("hpg_packed 30x32 group 4x4"), HasSubstr("tiles are multiples of 8x8"));
  EXPECT_THAT(reason("hpg_slice_k 16x32 group 4x1"), HasSubstr("at least 8 of them, and a divisor of 64"));
  EXPECT_THAT(reason("hpg_packed 64x64 group 4x4"), HasSubstr("registers do not suffice"));
  EXPECT_THAT(reason("hpg_packed 32x32 group 4x3"), HasSubstr("pairs of threads"));
  EXPECT_THAT(reason("hpg_packed 32x32 group 8x8"), HasSubstr("1 to 32 threads"));
  EXPECT_THAT(reason("xe2_rows 32x64 group 1x4"), HasSubstr("dealt out evenly"));
  EXPECT_THAT(reason("xe2_rows 32x64 group 8x4 walk sideways"), HasSubstr("a walk is down or across"));
}

TEST(StrategyText, ModulesDifferWhereTheirKernelsDo) {
  const Strategy s = parse_strategy("hpg_packed 32x32 group 4x4");
  Strategy other = s;
  other.columns_outer = true;
  const FastForm form{Type::Bf16, true, true}, half{Type::F16, true, true}, scaled{Type::Bf16, false, true};
  EXPECT_NE(module_of(s, form), module_of(other, form));
  EXPECT_NE(module_of(s, form), module_of(s, half));
  EXPECT_NE(module_of(s, form), module_of(s, scaled));
}

Features features_of(const char* architecture, std::size_t width, bool dpasw) {
  Features features;
  features.architecture = architecture;
  features.has_esimd = true;
  features.bf16_shapes = {{8, width, 16}};
  features.largest_group = 1024;
  features.local_memory = 65536;
  features.has_block2d = !dpasw;
  features.has_large_grf = true;
  features.has_dpasw = dpasw;
  return features;
}

TEST(Selector, TakesWhatTheDeviceHas) {
  Problem problem{1024, 1536, 512};
  problem = resolved(problem);
  const auto on_a770 = estimates(problem, features_of("intel_gpu_acm_g10", 8, true), false, false);
  EXPECT_EQ(on_a770.front().strategy.kernel, FastKernel::HpgRows);
  EXPECT_EQ(on_a770.front().pack_us, 0);
  Problem transposed = problem;
  transposed.transpose_b = true;
  transposed.ldb = 512;
  const auto packs = estimates(transposed, features_of("intel_gpu_acm_g10", 8, true), false, false);
  EXPECT_EQ(packs.front().strategy.kernel, FastKernel::HpgPacked);
  EXPECT_GT(packs.front().pack_us, 0);
  EXPECT_EQ(on_a770.back().strategy.kernel, FastKernel::Xe2Rows);
  EXPECT_THAT(on_a770.back().reason, HasSubstr("16 columns wide"));
  const auto on_b580 = estimates(problem, features_of("intel_gpu_bmg_g21", 16, false), false, false);
  EXPECT_EQ(on_b580.front().strategy.kernel, FastKernel::Xe2Rows);
  EXPECT_EQ(on_b580.front().pack_us, 0);
  EXPECT_THAT(estimates(problem, features_of("unknown", 8, true), false, false).front().reason,
              HasSubstr("no numbers for unknown"));
}

TEST(Selector, PackedOperandsCostNoPacking) {
  const Features a770 = features_of("intel_gpu_acm_g10", 8, true);
  const Problem large = resolved(Problem{2048, 2048, 2048});
  EXPECT_EQ(estimates(large, a770, true, true).front().pack_us, 0);
}

TEST(Selector, SaysWhyNot) {
  const Features b580 = features_of("intel_gpu_bmg_g21", 16, false);
  Problem problem = resolved(Problem{64, 64, 64});
  problem.ldb = 65;
  EXPECT_THAT(estimates(problem, b580, false, false).front().reason, HasSubstr("pitches are multiples of 16 bytes"));
  problem = resolved(Problem{64, 64, 64});
  problem.c = Type::Bf16;
  EXPECT_THAT(estimates(problem, b580, false, false).front().reason, HasSubstr("C is f32"));
}

/// A strategy, single cases, and sizes of which every remainder is tried: from m x n x k on, in steps of one, each of
/// the three by itself modulo 64.
struct Row {
  const char* strategy;
  std::vector<const char*> cases;
  std::int64_t m = 0, n = 0, k = 0;  ///< 0: no remainders
  std::int64_t step_n = 1, step_k = 1;
  const char* words = "";  ///< of the remainders' problems
};

const std::vector<Row>& rows(std::size_t width) {
  static const std::vector<Row> kHpg{
      {"hpg_packed 32x32 group 4x4 walk down", {"40x72x33:b3", "50x60x40:nt", "50x60x40:tn/pb"}, 1, 1, 1},
      {"hpg_packed 8x32 group 1x16", {"5x600x128", "37x45x51", "8x32x16/off=1", "72x104x72:2:-1"}},
      {"hpg_rows 32x32 group 4x4",
       {"129x162x70", "32x32x32", "40x72x34:b3", "50x60x40:lda=44/off=2", "150x140x66:ldc=151"},
       32,
       32,
       32,
       2,
       2},
      {"hpg_slice_k 16x32 group 16x1 walk down",
       {"16x4096x1024", "40x72x34:b3", "1x32x2", "50x60x40:lda=44/off=2", "17x140x66:ldc=151", "16x64x512:2:-1"},
       1,
       32,
       2,
       2,
       2},
      {"hpg_slice_k 8x32 group 8x2", {"1x512x1024", "5x200x70"}},
      {"hpg_slice_k_columns 16x32 group 16x1 walk down",
       {"16x1024x1024:nt", "40x71x34:nt:b3", "1x1x2:nt", "50x60x40:nt:lda=44:ldb=42/off=2", "16x64x512:2:-1:nt"},
       1,
       1,
       2,
       1,
       2,
       ":nt"},
      {"hpg_slice_k_packed 16x32 group 16x1 walk down",
       {"16x1024x1024/pb", "40x71x34:b3", "1x1x2", "50x60x40:nt", "17x140x66:ldc=151/pb", "16x64x512:2:-1/pb"},
       1,
       1,
       2,
       1,
       2},
  };
  static const std::vector<Row> kXe2{
      {"xe2_rows 32x64 group 8x4", {"129x136x72", "1x32x32", "40x72x40:b3:sa=2048:sb=3072:sc=2912"}, 1, 32, 32, 8, 8},
      {"xe2_rows 8x32 group 1x8 ahead 1", {"5x600x128"}},
  };
  return width == 8 ? kHpg : kXe2;
}

std::string wrong_of(Gemm& gemm, const std::string& text) {
  try {
    return run(gemm, parse_case(text));
  } catch (const std::exception& error) {
    return error.what();
  }
}

class Kernels : public testing::TestWithParam<std::size_t> {
 protected:
  sycl::queue queue_{sycl::gpu_selector_v, sycl::property::queue::in_order()};
  const std::vector<Row>& rows_ = rows(probe(queue_.get_device()).dpas_width());
};

TEST_P(Kernels, EveryElementIsRight) {
  if (GetParam() >= rows_.size()) GTEST_SKIP() << "this device has fewer rows";
  const Row& row = rows_[GetParam()];
  Gemm gemm(queue_, {.strategy = row.strategy});
  for (const char* text : row.cases) EXPECT_EQ(wrong_of(gemm, text), "") << row.strategy << ", " << text;
  if (row.m == 0) return;
  for (std::int64_t i = 0; i < 64; ++i) {
    // Each of the three takes every remainder; they do not go together.
    const std::int64_t n = row.n + i * 5 % 64 * row.step_n, k = row.k + i * 11 % 64 * row.step_k;
    std::string text = std::to_string(row.m + i) + "x" + std::to_string(n) + "x" + std::to_string(k) + row.words;
    EXPECT_EQ(wrong_of(gemm, text), "") << row.strategy << ", " << text;
  }
}
INSTANTIATE_TEST_SUITE_P(Rows, Kernels, testing::Range(std::size_t{0}, std::size_t{7}));

/// Factors and types are other kernels of the same strategy.
TEST_P(Kernels, FactorsAndTypes) {
  if (GetParam() >= rows_.size() || rows_[GetParam()].m == 0) GTEST_SKIP() << "one strategy of each kernel does";
  const Row& row = rows_[GetParam()];
  Gemm gemm(queue_, {.strategy = row.strategy});
  const std::string added = std::string("72x104x72:2:-1") + row.words;
  const bool takes_old_c =
      reason_against_problem(resolved(parse_case(added).problem), parse_strategy(row.strategy)).empty();
  for (const std::string& text :
       {takes_old_c ? added : std::string("72x104x72:2:0") + row.words, std::string("40x72x40:f16") + row.words}) {
    EXPECT_EQ(wrong_of(gemm, text), "") << row.strategy << ", " << text;
  }
}

/// What the selector may choose compiles, with factors, too; and old C is taken by something.
TEST(Strategies, EveryRowOfTheCatalogueIsRight) {
  sycl::queue queue{sycl::gpu_selector_v, sycl::property::queue::in_order()};
  const Features features = probe(queue.get_device());
  std::size_t with_old_c = 0;
  for (const FastRow& row : fast_catalogue()) {
    const std::string strategy = to_string(row.strategy), words = reads_columns_of_b(row.strategy) ? ":nt" : "";
    if (!reason_against(needs_of(row.strategy), features).empty()) continue;
    Gemm gemm(queue, {.strategy = strategy});
    EXPECT_EQ(wrong_of(gemm, "72x104x72:2:0" + words), "") << strategy;
    const std::string added = "72x104x72:2:-1" + words;
    if (!reason_against_problem(resolved(parse_case(added).problem), row.strategy).empty()) continue;
    EXPECT_EQ(wrong_of(gemm, added), "") << strategy;
    ++with_old_c;
  }
  EXPECT_GT(with_old_c, 0u);
}

TEST(Strategies, RefuseWhatTheyCannotTake) {
  sycl::queue queue{sycl::gpu_selector_v, sycl::property::queue::in_order()};
  const bool hpg = probe(queue.get_device()).dpas_width() == 8;
  Gemm gemm(queue, {.strategy = hpg ? "xe2_rows 32x64 group 8x4" : "hpg_packed 32x32 group 4x4"});
  try {
    gemm.strategy({.m = 64, .n = 64, .k = 64});
    ADD_FAILURE() << "a strategy of another device was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::BadStrategy);
    EXPECT_THAT(error.what(), HasSubstr("does not take 64x64x64"));
  }
}

}  // namespace
}  // namespace xeforge::gemm
