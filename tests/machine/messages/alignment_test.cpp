// SPDX-License-Identifier: Apache-2.0
#include "bench.h"

namespace xeforge::machine::test {
namespace {

using ::testing::HasSubstr;

struct Case {
  const char* text;
  unsigned offset;
  bool legal;
};

class Alignment : public ::testing::TestWithParam<Case> {};

TEST_P(Alignment, Rule) {
  Bench b("a770");
  std::byte* m = b.allocate(2048);
  fill_pattern(m, 2048);
  b.set_slm(2048);
  const std::string text = GetParam().text;
  if (text.find(".slm.") != std::string::npos)
    b.put(4, std::vector<uint32_t>(8, 256 + GetParam().offset));
  else
    b.put(4, std::vector<uint64_t>(8, address_of(m) + 256 + GetParam().offset));
  if (GetParam().legal) {
    b.run_ok(text);
    return;
  }
  const auto fault = b.run_fault(text);
  EXPECT_EQ(fault.kind, FaultKind::Misaligned) << text;
  EXPECT_THAT(fault.message, HasSubstr("not a multiple of"));
}

INSTANTIATE_TEST_SUITE_P(All, Alignment,
                         ::testing::Values(Case{"load.ugm.d32.a64 (8|M0) r20:1 [r4:2]", 1, true},
                                           Case{"load.ugm.d64.a64 (8|M0) r20:2 [r4:2]", 3, true},
                                           Case{"load.ugm.d16u32.a64 (8|M0) r20:1 [r4:2]", 1, true},
                                           Case{"load.ugm.d32x2.a64 (8|M0) r20:2 [r4:2]", 4, true},
                                           Case{"load.ugm.d32x2.a64 (8|M0) r20:2 [r4:2]", 2, false},
                                           Case{"store.ugm.d32x4.a64 (8|M0) [r4:2] r20:4", 1, false},
                                           Case{"load.ugm.d64x2.a64 (8|M0) r20:4 [r4:2]", 8, true},
                                           Case{"load.ugm.d64x2.a64 (8|M0) r20:4 [r4:2]", 4, false},
                                           Case{"load.slm.d32x2.a32 (8|M0) r20:2 [r4:1]", 2, false},
                                           Case{"(W) load.ugm.d32x8t.a64 (1|M0) r20:1 [r4:1]", 4, true},
                                           Case{"(W) load.ugm.d32x8t.a64 (1|M0) r20:1 [r4:1]", 2, false},
                                           Case{"(W) load.ugm.d64x4t.a64 (1|M0) r20:1 [r4:1]", 8, true},
                                           Case{"(W) load.ugm.d64x4t.a64 (1|M0) r20:1 [r4:1]", 4, false},
                                           Case{"(W) store.ugm.d64x4t.a64 (1|M0) [r4:1] r20:1", 4, false},
                                           Case{"(W) load.slm.d64x32t.a32 (1|M0) r20:8 [r4:1]", 4, false},
                                           Case{"(W) load.slm.d64x32t.a32 (1|M0) r20:8 [r4:1]", 8, true},
                                           Case{"atomic_iadd.ugm.d32.a64 (8|M0) r20:1 [r4:2] r30:1", 4, true},
                                           Case{"atomic_iadd.ugm.d32.a64 (8|M0) r20:1 [r4:2] r30:1", 2, false},
                                           Case{"atomic_iadd.ugm.d64.a64 (8|M0) r20:2 [r4:2] r30:2", 4, false},
                                           Case{"atomic_iadd.slm.d32.a32 (8|M0) r20:1 [r4:1] r30:1", 1, false}));

TEST(AlignmentReport, NamesTheFirstChannelAndTheRule) {
  Bench b("a770");
  std::byte* m = b.allocate(256);
  std::vector<uint64_t> addresses(8, address_of(m));
  addresses[6] += 2;
  b.put(4, addresses);
  const auto fault = b.run_fault("load.ugm.d32x2.a64 (8|M0) r20:2 [r4:2]");
  EXPECT_EQ(fault.lane, 6);
  EXPECT_THAT(fault.message, HasSubstr("several elements per address"));
}

}  // namespace
}  // namespace xeforge::machine::test
