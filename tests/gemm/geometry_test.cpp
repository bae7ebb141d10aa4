// SPDX-License-Identifier: Apache-2.0
//
// Global and local ranges against the published ones.
#include <stdexcept>

#include <gtest/gtest.h>

#include "gemm/launch.h"

namespace {

using namespace xeforge::gemm;
using Range = std::array<std::size_t, 2>;

constexpr Shape kBase{1024, 1536, 512};

Geometry of(const char* id, Shape shape = kBase) { return geometry(*find_rung(id), shape); }

TEST(Geometry, OfTheBaseShape) {
  EXPECT_EQ(of("naive").global, (Range{1024, 1536}));
  EXPECT_EQ(of("naive").local, (Range{0, 0}));
  EXPECT_EQ(of("register_tiled").global, (Range{16 * 16, 24 * 16}));
  EXPECT_EQ(of("jm_basic").global, (Range{128, 192 * 16}));
  EXPECT_EQ(of("jm_basic").local, (Range{1, 16}));
  EXPECT_EQ(of("jm_basic.sg8").global, (Range{128, 192 * 8}));
  EXPECT_EQ(of("jm_vnni_vec").local, (Range{8, 64}));
  EXPECT_EQ(of("jm_vnni_vec").global, (Range{8 * 8, 24 * 64}));
  // Exchanged groups, the same local range.
  EXPECT_EQ(of("jm_walk_n").local, (Range{8, 64}));
  EXPECT_EQ(of("jm_walk_n").global, (Range{24 * 8, 8 * 64}));
  EXPECT_EQ(of("jm_walk_n.sg8").global, (Range{24 * 8, 8 * 32}));
  EXPECT_EQ(of("esimd_4buf").global, (Range{24, 8 * 32}));
  EXPECT_EQ(of("esimd_16x8_wg64").local, (Range{1, 64}));
}

TEST(Geometry, GuardedRungsRoundUp) { EXPECT_EQ(of("tiled_slm", {17, 16, 5}).global, (Range{32, 16})); }

TEST(Geometry, RefusesOtherShapes) { EXPECT_THROW(of("esimd_4buf", {100, 64, 64}), std::invalid_argument); }

}  // namespace
