// SPDX-License-Identifier: Apache-2.0
//
// Two-dimensional blocks against a reference written from the tile definition: element (y, x) of
// block b is matrix element (Y + y, X + b * width + x), or 0 outside.
#include "bench.h"

namespace xeforge::machine::test {
namespace {

using ::testing::HasSubstr;

struct Matrix {
  std::byte* base;
  uint32_t width, height, pitch;  // bytes, rows, bytes
};

struct Block {
  unsigned element, width, height, count;
  int x, y;
};

void put_payload(Bench& b, const Matrix& m, const Block& k) {
  const uint64_t base = address_of(m.base);
  b.put(4, std::vector<uint32_t>{static_cast<uint32_t>(base), static_cast<uint32_t>(base >> 32), m.width - 1,
                                 m.height - 1, m.pitch - 1, static_cast<uint32_t>(k.x), static_cast<uint32_t>(k.y),
                                 (k.width - 1) | (k.height - 1) << 8 | (k.count - 1) << 16});
}

uint64_t matrix_element(const Matrix& m, unsigned element, int y, int x) {
  if (y < 0 || x < 0 || static_cast<uint32_t>(y) >= m.height || (static_cast<uint32_t>(x) + 1) * element > m.width)
    return 0;
  uint64_t v = 0;
  std::memcpy(&v, m.base + static_cast<size_t>(y) * m.pitch + static_cast<size_t>(x) * element, element);
  return v;
}

uint32_t pow2(uint32_t v) {
  uint32_t p = 1;
  while (p < v) p *= 2;
  return p;
}

const char* type_name(unsigned element) {
  return element == 1 ? "d8" : element == 2 ? "d16" : element == 4 ? "d32" : "d64";
}

Matrix make_matrix(Bench& b, uint32_t width, uint32_t height, uint32_t pitch) {
  Matrix m{b.allocate(size_t{pitch} * height), width, height, pitch};
  fill_pattern(m.base, size_t{pitch} * height);
  return m;
}

uint64_t register_element(Bench& b, unsigned element, size_t index) {
  uint64_t v = 0;
  std::memcpy(&v, b.thread().at(static_cast<uint32_t>(20 * 64 + index * element)), element);
  return v;
}

constexpr std::array<std::pair<int, int>, 6> kPlaces{{{0, 0}, {8, 3}, {-8, -2}, {56, 30}, {64, 40}, {-200, 0}}};

TEST(Block2dLoad, Plain) {
  Bench b("b580");
  const Matrix m = make_matrix(b, 128, 36, 160);
  for (const Block shape :
       {Block{1, 32, 8, 2, 0, 0}, Block{1, 64, 32, 1, 0, 0}, Block{2, 16, 32, 2, 0, 0}, Block{2, 8, 16, 4, 0, 0},
        Block{2, 12, 5, 1, 0, 0}, Block{4, 16, 8, 1, 0, 0}, Block{4, 8, 32, 2, 0, 0}, Block{8, 8, 4, 1, 0, 0}}) {
    for (const auto& [x, y] : kPlaces) {
      Block k = shape;
      k.x = x;
      k.y = y;
      put_payload(b, m, k);
      b.put(20, std::vector<uint8_t>(32 * 64, 0x5A));
      const std::string text =
          std::string("(W) load_block2d.ugm.") + type_name(k.element) + ".a64 (1|M0) r20:16 [r4:1]";
      SCOPED_TRACE(text + " " + std::to_string(k.width) + "x" + std::to_string(k.height) + " at " + std::to_string(x) +
                   "," + std::to_string(y));
      b.run_ok(text);
      const uint32_t row_pitch = pow2(k.width);
      const uint32_t per_register = 64 / k.element;
      const uint32_t block_pitch = (row_pitch * k.height + per_register - 1) / per_register * per_register;
      for (unsigned block = 0; block < k.count; ++block) {
        for (unsigned r = 0; r < k.height; ++r) {
          for (unsigned c = 0; c < row_pitch; ++c) {
            const uint64_t expected = c < k.width ? matrix_element(m, k.element, y + static_cast<int>(r),
                                                                   x + static_cast<int>(block * k.width + c))
                                                  : 0;
            ASSERT_EQ(register_element(b, k.element, block * block_pitch + r * row_pitch + c), expected)
                << block << " " << r << " " << c;
          }
        }
      }
    }
  }
}

/// oneDNN's kernels load the dwords that hold a matrix of 1x1: rows of which an allocation holds the beginning only.
TEST(Block2dLoad, OfNgenMayCrossTheEndOfTheAllocation) {
  Bench b("b580");
  b.observe(nullptr);  // footprints are of whole messages
  constexpr uint32_t kPitch = 64, kThere = 6;
  const Matrix m{b.allocate(kPitch + kThere), 8, 2, kPitch};
  fill_pattern(m.base, kPitch + kThere);
  // The second row without the element that lies behind the end.
  const auto expected = [&](unsigned r, unsigned c) -> uint64_t {
    return r == 1 && c == 3 ? 0 : matrix_element(m, 2, static_cast<int>(r), static_cast<int>(c));
  };
  put_payload(b, m, {2, 4, 2, 1, 0, 0});
  const std::string plain = "(W) load_block2d.ugm.d16.a64 (1|M0) r20:1 [r4:1]";
  const std::string vnni = "(W) load_block2d.ugm.d16v.a64 (1|M0) r20:1 [r4:1]";
  for (const std::string& text : {plain, vnni}) {
    b.set_from_compiler(true);
    EXPECT_THAT(b.run_fault(text).message, HasSubstr("crosses the end")) << text;
    b.set_from_compiler(false);
    b.run_ok(text);
    for (unsigned r = 0; r < 2; ++r) {
      for (unsigned c = 0; c < 4; ++c)
        EXPECT_EQ(register_element(b, 2, text == plain ? r * 4 + c : c * 2 + r), expected(r, c)) << text;
    }
    b.options().stateful_bounds_are_errors = true;
    b.run_fault(text);
    b.options().stateful_bounds_are_errors = false;
  }
  put_payload(b, {m.base, 8, 1, kPitch}, {4, 2, 1, 1, 0, 0});
  b.run_ok("(W) load_block2d.ugm.d32t.a64 (1|M0) r20:2 [r4:1]");
  EXPECT_EQ(register_element(b, 2, 0), matrix_element(m, 2, 0, 0));
  // Not a row that begins behind it, and no store.
  put_payload(b, {m.base, 8, 3, kPitch}, {2, 4, 3, 1, 0, 0});
  b.run_fault(plain);
  put_payload(b, m, {2, 4, 2, 1, 0, 0});
  b.run_fault("(W) store_block2d.ugm.d16.a64 (1|M0) [r4:1] r20:1");
}

/// oneDNN's 3x4x1: the base of a tile rounded down, what was cut off added to x and to the width.
TEST(Block2dLoad, OfNgenMayHaveRowsThatOverlap) {
  Bench b("b580");
  Matrix m = make_matrix(b, 16, 8, 16);
  m.width = 48;
  put_payload(b, m, {4, 4, 2, 1, 8, 0});
  const std::string text = "(W) load_block2d.ugm.d32.a64 (1|M0) r20:1 [r4:1]";
  EXPECT_THAT(b.run_fault(text).message, HasSubstr("smaller than its width"));
  b.set_from_compiler(false);
  b.run_ok(text);
  for (unsigned i = 0; i < 8; ++i) {
    uint32_t expected = 0;
    std::memcpy(&expected, m.base + 32 + size_t{i} * 4, sizeof expected);
    EXPECT_EQ(register_element(b, 4, i), expected);
  }
}

TEST(Block2dLoad, VnniPacksRowsIntoDwords) {
  Bench b("b580");
  const Matrix m = make_matrix(b, 128, 36, 160);
  for (const Block shape :
       {Block{2, 16, 16, 1, 0, 0}, Block{2, 16, 32, 2, 0, 0}, Block{1, 16, 32, 2, 0, 0}, Block{2, 12, 8, 1, 0, 0}}) {
    for (const auto& [x, y] : kPlaces) {
      Block k = shape;
      k.x = x;
      k.y = y;
      put_payload(b, m, k);
      const std::string text =
          std::string("(W) load_block2d.ugm.") + type_name(k.element) + "v.a64 (1|M0) r20:16 [r4:1]";
      SCOPED_TRACE(text);
      b.run_ok(text);
      const uint32_t packed = 4 / k.element, row_pitch = pow2(k.width);
      const uint32_t block_pitch = row_pitch * k.height;
      for (unsigned block = 0; block < k.count; ++block) {
        for (unsigned r = 0; r < k.height; ++r) {
          for (unsigned c = 0; c < k.width; ++c) {
            const size_t index = block * block_pitch + (r / packed * row_pitch + c) * packed + r % packed;
            ASSERT_EQ(register_element(b, k.element, index),
                      matrix_element(m, k.element, y + static_cast<int>(r), x + static_cast<int>(block * k.width + c)));
          }
        }
      }
    }
  }
}

TEST(Block2dLoad, TransposedColumnsBecomeRows) {
  Bench b("b580");
  const Matrix m = make_matrix(b, 128, 36, 160);
  for (const Block shape :
       {Block{4, 8, 16, 1, 0, 0}, Block{4, 4, 32, 1, 0, 0}, Block{8, 4, 8, 1, 0, 0}, Block{4, 8, 12, 1, 0, 0}}) {
    for (const auto& [x, y] : kPlaces) {
      Block k = shape;
      k.x = x;
      k.y = y;
      put_payload(b, m, k);
      const std::string text =
          std::string("(W) load_block2d.ugm.") + type_name(k.element) + "t.a64 (1|M0) r20:8 [r4:1]";
      SCOPED_TRACE(text);
      b.run_ok(text);
      const uint32_t row_pitch = pow2(k.height);
      for (unsigned r = 0; r < k.height; ++r) {
        for (unsigned c = 0; c < k.width; ++c) {
          ASSERT_EQ(register_element(b, k.element, c * row_pitch + r),
                    matrix_element(m, k.element, y + static_cast<int>(r), x + static_cast<int>(c)));
        }
      }
    }
  }
}

TEST(Block2dStore, WritesInsideOnly) {
  Bench b("b580");
  const Matrix m = make_matrix(b, 128, 36, 160);
  for (const Block shape : {Block{1, 64, 8, 1, 0, 0}, Block{2, 32, 8, 1, 0, 0}, Block{4, 16, 8, 1, 0, 0},
                            Block{8, 8, 8, 1, 0, 0}, Block{4, 12, 3, 1, 0, 0}}) {
    for (const auto& [x, y] : kPlaces) {
      Block k = shape;
      k.x = x;
      k.y = y;
      put_payload(b, m, k);
      const size_t bytes = size_t{m.pitch} * m.height;
      fill_pattern(m.base, bytes);
      std::vector<std::byte> expected(m.base, m.base + bytes);
      std::vector<uint8_t> data(8 * 64);
      for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<uint8_t>(i * 7 + 3);
      b.put(20, data);
      const uint32_t row_pitch = pow2(k.width);
      for (unsigned r = 0; r < k.height; ++r) {
        for (unsigned c = 0; c < k.width; ++c) {
          const int my = y + static_cast<int>(r), mx = x + static_cast<int>(c);
          if (my < 0 || mx < 0 || my >= 36 || static_cast<unsigned>(mx + 1) * k.element > m.width) continue;
          const uint64_t v = register_element(b, k.element, r * row_pitch + c);
          std::memcpy(expected.data() + static_cast<size_t>(my) * m.pitch + static_cast<size_t>(mx) * k.element, &v,
                      k.element);
        }
      }
      const std::string text =
          std::string("(W) store_block2d.ugm.") + type_name(k.element) + ".a64 (1|M0) [r4:1] r20:8";
      SCOPED_TRACE(text);
      b.run_ok(text);
      ASSERT_EQ(std::memcmp(m.base, expected.data(), bytes), 0);
    }
  }
}

TEST(Block2dLoad, ImmediateOffsetsAreElementsAndRows) {
  Bench b("b580");
  const Matrix m = make_matrix(b, 128, 36, 160);
  put_payload(b, m, Block{2, 16, 8, 1, 4, 2});
  b.run_ok("(W) load_block2d.ugm.d16.a64 (1|M0) r20:4 [r4:1+(16,-2)]");
  EXPECT_EQ(register_element(b, 2, 0), matrix_element(m, 2, 0, 20));
  EXPECT_EQ(register_element(b, 2, 16 * 3 + 5), matrix_element(m, 2, 3, 25));
}

struct Broken {
  const char* name;
  unsigned base_offset, width, height, pitch;
  Block block;
  FaultKind kind;
  const char* text;
};

class Block2dRules : public ::testing::TestWithParam<Broken> {};

TEST_P(Block2dRules, AreCheckedAndNamed) {
  const Broken& p = GetParam();
  Bench b("b580");
  std::byte* m = b.allocate(64 * 1024);
  put_payload(b, Matrix{m + p.base_offset, p.width, p.height, p.pitch}, p.block);
  const std::string type = type_name(p.block.element);
  const auto fault = b.run_fault("(W) load_block2d.ugm." + type + ".a64 (1|M0) r20:8 [r4:1]");
  EXPECT_EQ(fault.kind, p.kind);
  EXPECT_THAT(fault.message, HasSubstr(p.text));
}

INSTANTIATE_TEST_SUITE_P(
    All, Block2dRules,
    ::testing::Values(
        Broken{"base", 32, 128, 16, 128, {2, 16, 8, 1, 0, 0}, FaultKind::Misaligned, "2D surface base"},
        Broken{"pitch",
               0,
               128,
               16,
               136,
               {2, 16, 8, 1, 0, 0},
               FaultKind::Misaligned,
               "2D surface pitch 0x88 is not a multiple of 16 bytes"},
        Broken{"width", 0, 126, 16, 128, {2, 16, 8, 1, 0, 0}, FaultKind::Misaligned, "2D surface width"},
        Broken{"x", 0, 128, 16, 128, {2, 16, 8, 1, 1, 0}, FaultKind::Misaligned, "x offset"},
        Broken{
            "narrow_pitch", 0, 256, 16, 128, {2, 16, 8, 1, 0, 0}, FaultKind::BadMessage, "is smaller than its width"},
        Broken{"wide_block",
               0,
               128,
               16,
               128,
               {4, 32, 8, 1, 0, 0},
               FaultKind::BadMessage,
               "exceeds what one message moves"},
        Broken{"high_block",
               0,
               128,
               64,
               128,
               {2, 16, 33, 1, 0, 0},
               FaultKind::BadMessage,
               "exceeds what one message moves"},
        Broken{"memory",
               0,
               128,
               1024,
               128,
               {2, 16, 8, 1, 0, 508},
               FaultKind::OutOfBounds,
               "directly behind the end of device USM #1"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(Block2dPrefetch, ChecksTheSurfaceButNotTheMemory) {
  Bench b("b580");
  std::byte* m = b.allocate(1024);
  put_payload(b, Matrix{m, 128, 1024, 128}, Block{2, 16, 8, 1, 0, 900});
  b.run_ok("(W) load_block2d.ugm.d16.a64.ca.ca (1|M0) null:0 [r4:1]");
  put_payload(b, Matrix{m + 4, 128, 8, 128}, Block{2, 16, 8, 1, 0, 0});
  EXPECT_EQ(b.run_fault("(W) load_block2d.ugm.d16.a64.ca.ca (1|M0) null:0 [r4:1]").kind, FaultKind::Misaligned);
}

TEST(Block2d, DoesNotExistOnDg2) {
  Bench b("a770");
  const auto fault = b.run_fault("(W) load_block2d.ugm.d16.a64 (1|M0) r20:8 [r4:1]");
  EXPECT_EQ(fault.kind, FaultKind::UnsupportedOnDevice);
  EXPECT_THAT(fault.message, HasSubstr("2D block message"));
}

}  // namespace
}  // namespace xeforge::machine::test
