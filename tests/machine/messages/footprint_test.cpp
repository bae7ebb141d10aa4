// SPDX-License-Identifier: Apache-2.0
//
// What footprints say beyond the addresses. The addresses of every message family are compared with what the
// handlers do in all the other tests of this folder: Bench runs them under FootprintCheck.
#include "bench.h"

namespace xeforge::machine::test {
namespace {

using Kind = Footprint::Kind;
using Space = Footprint::Space;

/// Keeps the footprint of every send.
class Keeper : public Observer {
 public:
  Keeper() : Observer(Detail::Sends) {}
  void before(Thread& t, const Uop& u) override {
    kept.emplace_back();
    footprint(t, u, kept.back());
  }
  std::vector<Footprint> kept;
};

Footprint only_message(Bench& b, const std::string& text) {
  Keeper keeper;
  b.observe(&keeper);
  b.run_ok(text);
  EXPECT_EQ(keeper.kept.size(), 2u);  // the message and the end of the thread
  EXPECT_EQ(keeper.kept.back().kind, Kind::EndOfThread);
  EXPECT_TRUE(keeper.kept.back().ends_thread);
  return keeper.kept.front();
}

TEST(Footprint, ChannelsThatAreOffAreLeftOut) {
  Bench b("a770");
  std::byte* m = b.allocate(256);
  b.put(4, std::vector<uint64_t>{address_of(m), address_of(m) + 64, address_of(m) + 8, address_of(m) + 12,
                                 address_of(m), address_of(m), address_of(m), address_of(m) + 100});
  b.set_mask(0x86);
  const Footprint f = only_message(b, "load.ugm.d32.a64 (8|M0) r20:1 [r4:2]");
  EXPECT_EQ(f.kind, Kind::Load);
  EXPECT_EQ(f.space, Space::Global);
  EXPECT_EQ(f.channels, 0x86u);
  ASSERT_EQ(f.count, 3u);
  EXPECT_EQ(f.pieces[0].address, address_of(m) + 64);
  EXPECT_EQ(f.pieces[0].part, 1);
  EXPECT_EQ(f.pieces[2].address, address_of(m) + 100);
  EXPECT_EQ(f.pieces[2].bytes, 4u);
  EXPECT_EQ(f.pieces[2].part, 7);
}

TEST(Footprint, SurfacesBecomeAddressesAndDropWhatLiesOutside) {
  Bench b("a770");
  std::byte* m = b.allocate(256);
  b.set_a0(2, b.add_surface(m + 64, 128, false) << 6);
  b.put(4, std::vector<uint32_t>{0, 4, 8, 12, 120, 124, 128, 132});
  const Footprint f = only_message(b, "(W) load.ugm.d32.a32 (8|M0) r20:1 bss[a0.2][r4:1]");
  ASSERT_EQ(f.count, 6u);
  EXPECT_EQ(f.space, Space::Global);
  EXPECT_EQ(f.pieces[4].address, address_of(m) + 64 + 120);
}

TEST(Footprint, PrefetchesAskForAddressesAndNeverFault) {
  Bench b("a770");
  b.put(4, std::vector<uint64_t>{0x1000});
  const Footprint f = only_message(b, "(W) load.ugm.d32x16t.a64 (1|M0) null:0 [r4:1]");
  EXPECT_EQ(f.kind, Kind::Prefetch);
  ASSERT_EQ(f.count, 1u);
  EXPECT_EQ(f.pieces[0].address, 0x1000u);
  EXPECT_EQ(f.pieces[0].bytes, 64u);
}

TEST(Footprint, RowsOfATwoDimensionalBlockAreClipped) {
  Bench b("b580");
  std::byte* m = b.allocate(8 * 128);
  const uint64_t base = address_of(m);
  // 16 elements of 2 bytes by 8 rows at (56, 5) of a matrix of 64 x 8: half of each of three rows.
  b.put(4, std::vector<uint32_t>{static_cast<uint32_t>(base), static_cast<uint32_t>(base >> 32), 127, 7, 127, 56, 5,
                                 15u | 7u << 8});
  const Footprint f = only_message(b, "(W) load_block2d.ugm.d16.a64 (1|M0) r20:4 [r4:1]");
  ASSERT_EQ(f.count, 3u);
  for (uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(f.pieces[i].address, base + (5 + i) * 128 + 112);
    EXPECT_EQ(f.pieces[i].bytes, 16u);
    EXPECT_EQ(f.pieces[i].part, static_cast<int32_t>(i));
  }
}

TEST(Footprint, DescriptorsInRegistersAreDecoded) {
  Bench b("a770");
  std::byte* m = b.allocate(256);
  const auto static_code = b.translate_text("(W) load.ugm.d32x16t.a64 (1|M0) r20:2 [r4:1]");
  const uint32_t desc = static_code->uops[0].inst->msg.desc;
  b.set_a0(0, desc);
  b.put(4, std::vector<uint64_t>{address_of(m) + 64});
  const Footprint f = only_message(b, "(W) send.ugm (1|M0) r20 r4 null:0 0x0 a0.0");
  EXPECT_EQ(f.kind, Kind::Load);
  ASSERT_EQ(f.count, 1u);
  EXPECT_EQ(f.pieces[0].address, address_of(m) + 64);
  EXPECT_EQ(f.pieces[0].bytes, 64u);
}

TEST(Footprint, BarriersCarryTheirPayload) {
  Bench b("a770");
  b.put(4, std::vector<uint32_t>{0, 0, 0x01010000});
  const Footprint f = only_message(b, "(W) send.gtwy (8|M0) null r4 null:0 0x0 0x02000004");
  EXPECT_EQ(f.kind, Kind::BarrierSignal);
  EXPECT_EQ(f.barrier_payload, 0x01010000u);
  EXPECT_EQ(f.count, 0u);
}

TEST(Footprint, TheCheckOfTheOtherTestsLooks) {
  Bench b("a770");
  std::byte* m = b.allocate(256);
  b.put(4, std::vector<uint64_t>{address_of(m)});
  b.put(20, std::vector<uint32_t>(16, 7));
  b.run_ok("(W) store.ugm.d32x16t.a64 (1|M0) [r4:1] r20:2\n(W) load.ugm.d32x16t.a64 (1|M0) r30:2 [r4:1]");
  EXPECT_EQ(b.footprint_check().checked(Kind::Store), 1u);
  EXPECT_EQ(b.footprint_check().checked(Kind::Load), 1u);
}

}  // namespace
}  // namespace xeforge::machine::test
