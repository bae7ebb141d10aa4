// SPDX-License-Identifier: Apache-2.0
//
// Any problem through the public header, on the virtual device that XEFORGE_DEVICE names. The suites called Long* are
// large sets.
#include <array>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "case.h"

namespace xeforge::gemm {
namespace {

Gemm& library(const std::string& strategy = "") {
  static std::map<std::string, std::unique_ptr<Gemm>> made;
  std::unique_ptr<Gemm>& gemm = made[strategy];
  if (!gemm) {
    sycl::queue queue{sycl::gpu_selector_v, sycl::property::queue::in_order()};
    gemm = std::make_unique<Gemm>(queue, GemmOptions{.strategy = strategy});
  }
  return *gemm;
}

bool has_engine() { return library().features().dpas_width() != 0; }

/// Runs it and says how to run it again if it fails.
void expect_right(const Case& line, const std::string& strategy = "") {
  std::string wrong;
  try {
    wrong = run(library(strategy), line);
  } catch (const std::exception& error) {
    wrong = error.what();
  }
  EXPECT_EQ(wrong, "") << "XEFORGE_GEMM_STRATEGY='" << strategy << "' XEFORGE_GEMM_CASE='" << to_string(line)
                       << "' gemm_problem_test --gtest_filter=Cases.*";
}
void expect_right(const std::string& text, const std::string& strategy = "") {
  expect_right(parse_case(text), strategy);
}

TEST(Cases, OfTheEnvironment) {
  const char* const text = std::getenv("XEFORGE_GEMM_CASE");
  if (text == nullptr) GTEST_SKIP() << "XEFORGE_GEMM_CASE names none";
  const char* const strategy = std::getenv("XEFORGE_GEMM_STRATEGY");
  expect_right(std::string(text), strategy == nullptr ? "" : strategy);
}

TEST(CaseText, ReadsWhatItWrites) {
  for (const char* text :
       {"1x2x3:bf16", "10x20x30:0.5:-1:u8s8:tt:col:lda=40:sa=0/epi=bias.rows+relu/seed=7/random/off=1",
        "4x4x4:tf32:to=bf16:b3/device/pointers/pa/pb"}) {
    EXPECT_EQ(to_string(parse_case(text)), text);
  }
}

TEST(ProblemText, ReadsAndWrites) {
  Problem p{3, 5, 7, 0.5F, -1, Type::S8, Type::U8, Type::F32};
  p.transpose_b = true;
  p.order = Order::Columns;
  p.lda = 9;
  p.batch = 4;
  p.stride_b = 0;
  EXPECT_EQ(to_string(p), "3x5x7:0.5:-1:s8u8:to=f32:nt:col:lda=9:sb=0:b4");
  EXPECT_EQ(parse_problem(to_string(p)), p);
  EXPECT_EQ(parse_problem("8x8x8"), (Problem{8, 8, 8}));
  EXPECT_EQ(parse_problem("8x8x8:s8").c, Type::S32);
}

TEST(ProblemText, RefusesEverythingElse) {
  for (const char* text : {"", "8", "8x8", "8x8x8x8", "-1x8x8", "8x8x8:1", "8x8x8:x", "8x8x8:s32", "8x8x8:to=",
                           "8x8x8:lda=", "8x8x8:lda=0", "8x8x8:b", "8x8x8:bf16 ", "8x8x8:b-1", "8x8x8:", "axbxc"}) {
    try {
      parse_problem(text);
      ADD_FAILURE() << '"' << text << "\" was read";
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), Status::BadProblemText);
    }
  }
}

/// What runs in every build, for each strategy.
const std::vector<std::string>& small_set() {
  static const std::vector<std::string> lines = {
      // Types, and what they are stored as.
      "37x45x51:bf16", "37x45x51:f16", "37x45x51:f32", "37x45x51:tf32/random", "37x45x70:s8", "37x45x70:u8",
      "37x45x70:s8u8", "37x45x70:u8s8", "20x20x20:bf16:to=bf16", "20x20x20:f16:to=f16", "20x20x20:f32:to=f16/random",
      "20x20x40:s8:to=f32", "20x20x40:s8:to=s8/epi=quantize", "20x20x40:u8:to=u8/epi=quantize",
      "20x20x20:bf16:to=s8/epi=quantize",
      // Orders, transposes, distances, alignment.
      "19x35x33:bf16:nt", "19x35x33:bf16:tn", "19x35x33:bf16:tt", "19x35x33:bf16:col",
      "19x35x33:2:1:f16:tn:col:lda=40:ldb=41:ldc=43", "19x35x33:1:-1:s8:tt:lda=40:ldb=50:ldc=60/off=1",
      "19x35x33:bf16:lda=35:ldb=37:ldc=39/off=1",
      // Factors, device scalars, zero sizes.
      "20x30x40:0:2:bf16", "20x30x40:0:0:f32", "20x30x40:0:2:s8/device", "20x30x40:-2:0.25:bf16/device",
      "20x30x0:2:3:bf16", "0x30x40:bf16", "20x0x40:bf16", "20x30x40:0.5:0:s8", "20x30x40:3:-2:s8:to=s32",
      // Batches.
      "10x20x30:2:1:bf16:b3", "10x20x30:bf16:nt:b3:sb=0", "10x20x30:s8:tn:col:b3:sa=400:sb=700:sc=250",
      "10x20x30:1:1:f32:b3/pointers", "10x20x30:bf16:tn:b3/pointers", "10x20x30:bf16:b0", "10x8x30:bf16:b3:ldc=24:sc=8",
      // Epilogues.
      "21x37x30:bf16/epi=scale+bias.columns+relu", "21x37x30:bf16/epi=scale.rows+bias.rows.bf16+clamp",
      "21x37x30:f32:col/epi=scale.columns.f16+bias.all+residual.bf16+relu",
      "21x37x30:1:1:bf16:b2/epi=residual+scale.all", "21x37x30:bf16:to=bf16/epi=bias.columns.bf16+gelu/random",
      "21x37x30:f16/epi=gelu_tanh+silu/random", "21x37x30:bf16/epi=residual.c",
      "21x37x30:s8:to=bf16/epi=scale.columns+bias.columns+relu",
      // Packed before.
      "37x45x51:bf16/pa", "37x45x51:2:1:bf16:nt:col/pb", "37x45x70:s8:tn/pa/pb", "10x20x30:bf16:b3:sb=0/pb",
      "10x20x30:bf16:b3/pa/pb", "20x30x40:f32:tt/pa/pb", "20x30x40:tf32/pb/random", "10x20x30:0:2:bf16/pa/pb",
      // Random floats.
      "40x30x100:0.7:0.3:bf16:to=bf16/random", "40x30x100:0.7:0.3:f32/random", "40x30x100:f16:to=f16/random"};
  return lines;
}

TEST(Small, EveryCaseIsRight) {
  for (const std::string& line : small_set()) expect_right(line);
}

TEST(Small, OfThePortableKernel) {
  for (const std::string& line : small_set()) {
    const Case parsed = parse_case(line);
    if (parsed.packed_a || parsed.packed_b) continue;  // packed for the engine, where there is one
    expect_right(parsed, "portable");
  }
}

bool multiplies_on_engine(const Problem& p) {
  return has_engine() && p.a != Type::F32 && p.m * p.n * p.batch != 0 && p.k != 0 && p.alpha != 0;
}

TEST(Small, OfTheMatrixEngine) {
  for (const std::string& line : small_set()) {
    if (multiplies_on_engine(parse_case(line).problem)) expect_right(line, "packed");
  }
}

// One dimension at a time through two whole tiles, and the neighbours of larger multiples.
void all_residues(const std::string& type, const std::string& strategy, std::int64_t rows, std::int64_t columns,
                  std::int64_t depth) {
  const auto each = [&](std::int64_t Problem::*size, std::int64_t tile) {
    Problem p = parse_problem("19x21x23:" + type);
    for (p.*size = 1; p.*size <= tile + 2; ++(p.*size)) expect_right(Case{p, "", 1}, strategy);
  };
  each(&Problem::m, rows);
  each(&Problem::n, columns);
  each(&Problem::k, depth);
}

TEST(LongResidues, OfThePortableKernel) {
  for (const char* type : {"bf16", "f32", "s8"}) all_residues(type, "portable", 64, 64, 32);
}

TEST(LongResidues, OfTheMatrixEngine) {
  if (!has_engine()) GTEST_SKIP() << "no matrix engine";
  for (const char* type : {"bf16", "f16", "s8", "u8"}) all_residues(type, "packed", 64, 128, 66);
}

TEST(LongForms, EveryTypeWithEveryOrder) {
  for (const char* type : {"bf16", "f16", "f32", "s8", "u8s8", "s8u8", "u8"}) {
    for (const char* transposes : {"nn", "nt", "tn", "tt"}) {
      for (const char* order : {"row", "col"}) {
        for (const char* factors : {"1:0", "2:-1"}) {
          const std::string form = std::string("33x29x37:") + factors + ":" + type + ":" + transposes + ":" + order;
          expect_right(form);
          expect_right(form + ":b2");
        }
      }
    }
  }
}

TEST(LongForms, EveryStepOfAnEpilogueWithEveryC) {
  for (const char* to : {"f32", "bf16", "f16", "s8", "u8"}) {
    for (const char* step :
         {"scale", "scale.all", "scale.columns", "scale.rows", "bias.all", "bias.columns.f16", "bias.rows.bf16",
          "residual.s8", "residual.c", "relu", "gelu", "gelu_tanh", "silu", "clamp", "quantize"}) {
      const std::string line = std::string("18x34x20:bf16:to=") + to + "/epi=" + step;
      expect_right(line);
      expect_right(line, "portable");
    }
  }
}

TEST(LongSums, BeyondTwoToThe24InK) {
  // Every product is 0 but the last ones': positions of 25 bits count.
  sycl::queue queue = library().queue();
  const std::int64_t k = (std::int64_t{1} << 24) + 5;
  const auto bytes = static_cast<std::size_t>(k);
  auto* const a = sycl::malloc_device<std::int8_t>(bytes, queue);
  auto* const b = sycl::malloc_device<std::int8_t>(bytes, queue);
  auto* const c = sycl::malloc_shared<std::int32_t>(1, queue);
  queue.memset(a, 0, bytes).wait();
  queue.memset(b, 1, bytes).wait();
  queue.memset(a + k - 3, 2, 3).wait();
  Problem p = parse_problem("1x1x1:s8");
  p.k = k;
  library().multiply(p, a, b, c).wait_and_throw();
  EXPECT_EQ(*c, 6);
  sycl::free(a, queue);
  sycl::free(b, queue);
  sycl::free(c, queue);
}

/// A case made of numbers from `next`.
template <class Next>
Case any_case(Next next) {
  const auto of = [&](auto... choices) {
    const std::array options{choices...};
    return options.at(next() % options.size());
  };
  std::string text =
      std::to_string(1 + next() % 70) + "x" + std::to_string(1 + next() % 70) + "x" + std::to_string(1 + next() % 90);
  text += of(":1:0", ":1:0", ":2:1", ":-1:0.5", ":0:1", ":1:-3");
  const std::string type = of("bf16", "f16", "f32", "s8", "u8", "u8s8", "s8u8", "bf16");
  text += ":" + type;
  const bool integers = type[0] == 's' || type[0] == 'u';
  text += integers ? of("", "", ":to=f32", ":to=bf16", ":to=s8") : of("", "", ":to=bf16", ":to=f16", ":to=u8");
  text += of(":nn", ":nt", ":tn", ":tt");
  text += of(":row", ":row", ":col");
  Case line = parse_case(text);
  Problem& p = line.problem;
  p.batch = of(1, 1, 1, 3);
  const Problem dense = resolved(p);
  if (next() % 2 == 0) {
    p.lda = dense.lda + next() % 9;
    p.ldb = dense.ldb + next() % 9;
    p.ldc = dense.ldc + next() % 9;
  }
  if (p.batch > 1 && next() % 3 == 0) (next() % 2 == 0 ? p.stride_a : p.stride_b) = 0;
  line.epilogue =
      of("", "", "", "scale+bias.columns+relu", "bias.rows.bf16", "residual+clamp",
         "scale.columns+bias.columns.f16+gelu", "quantize", "silu+residual.bf16", "scale.rows+scale.all+bias.all");
  line.offset = of(0, 0, 1, 3);
  line.device_factors = next() % 4 == 0;
  line.pointers = p.batch > 1 && p.stride_a != 0 && p.stride_b != 0 && next() % 2 == 0;
  line.packed_a = !line.pointers && next() % 4 == 0;
  line.packed_b = !line.pointers && next() % 4 == 0;
  line.random = next() % 3 == 0;
  line.seed = next() % 1000;
  // Results of float factors in small integers of C are rounded: not exact for those that lie between.
  if (p.beta != static_cast<float>(static_cast<int>(p.beta)) && is_integer(p.c)) p.beta = 1;
  return line;
}

TEST(LongFuzz, RandomProblems) {
  // XEFORGE_GEMM_FUZZ=COUNT:SEED
  unsigned count = 150, seed = 1;
  if (const char* text = std::getenv("XEFORGE_GEMM_FUZZ")) {
    std::istringstream fields(text);
    char colon = 0;
    ASSERT_TRUE(fields >> count >> colon >> seed && colon == ':') << text;
  }
  std::uint32_t state = seed;
  const auto next = [&] { return (state = state * 1664525 + 1013904223) >> 8; };
  for (unsigned i = 0; i < count; ++i) {
    expect_right(any_case(next));
    if (HasFailure()) break;
  }
}

}  // namespace
}  // namespace xeforge::gemm
