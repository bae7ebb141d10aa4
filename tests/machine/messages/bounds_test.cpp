// SPDX-License-Identifier: Apache-2.0
//
// Accesses by one element too far, in every space and form: caught, with lane, distance and
// neighbour; and what hardware tolerates is tolerated where a surface asks for it.
#include "bench.h"

namespace xeforge::machine::test {
namespace {

using ::testing::HasSubstr;

constexpr const char* kGather16 = "load.ugm.d32.a64 (16|M0) r20:2 [r4:4]";
constexpr const char* kScatter16 = "store.ugm.d32.a64 (16|M0) [r4:4] r20:2";

std::vector<uint64_t> rising(const std::byte* base, unsigned n, unsigned step, int64_t first = 0) {
  std::vector<uint64_t> a;
  for (unsigned i = 0; i < n; ++i) a.push_back(address_of(base) + static_cast<uint64_t>(first) + uint64_t{i} * step);
  return a;
}

TEST(GlobalBounds, LastElementIsFineAndTheNextIsCaught) {
  Bench b("a770");
  std::byte* m = b.allocate(256);
  b.put(4, rising(m, 16, 4, 256 - 64));
  b.run_ok(kGather16);
  b.run_ok(kScatter16);
  for (const char* text : {kGather16, kScatter16}) {
    b.put(4, rising(m, 16, 4, 256 - 64 + 4));
    const auto fault = b.run_fault(text);
    EXPECT_EQ(fault.kind, FaultKind::OutOfBounds);
    EXPECT_EQ(fault.lane, 15);
    EXPECT_EQ(fault.pc, 0u);
    EXPECT_THAT(fault.message, HasSubstr("directly behind the end of device USM #1 (256 bytes)"));
    EXPECT_THAT(fault.message, HasSubstr(text[0] == 'l' ? "channel 15 reads 4 bytes" : "channel 15 writes 4 bytes"));
  }
}

TEST(GlobalBounds, ScatteredChannelIsNamed) {
  Bench b("a770");
  std::byte* m = b.allocate(256);
  auto addresses = rising(m, 16, 8);
  addresses[5] = address_of(m) + 260;
  b.put(4, addresses);
  const auto fault = b.run_fault(kGather16);
  EXPECT_EQ(fault.lane, 5);
  EXPECT_THAT(fault.message, HasSubstr("4 bytes past the end of device USM #1 (256 bytes)"));
}

TEST(GlobalBounds, DisabledChannelsMayPointAnywhere) {
  Bench b("a770");
  std::byte* m = b.allocate(256);
  auto addresses = rising(m, 16, 8);
  addresses[5] = 1;
  b.put(4, addresses);
  b.set_mask(0xFFFFFFDFu);
  b.run_ok(kGather16);
  b.run_ok(kScatter16);
  b.set_mask(0);
  b.put(4, std::vector<uint64_t>(16, 0));
  b.run_ok(kGather16);
}

TEST(GlobalBounds, OneMessageMayReachSeveralAllocations) {
  Bench b("a770");
  std::byte* first = b.allocate(64);
  std::byte* second = b.allocate(64);
  auto addresses = rising(first, 16, 4);
  for (unsigned i = 1; i < 16; i += 2) addresses[i] = address_of(second) + 4 * i;
  b.put(4, addresses);
  b.put(20, std::vector<uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
  b.run_ok(kScatter16);
  for (unsigned i = 0; i < 16; ++i) {
    uint32_t v;
    std::memcpy(&v, (i % 2 == 0 ? first : second) + 4 * i, 4);
    EXPECT_EQ(v, i);
  }
}

TEST(GlobalBounds, VectorsAreCheckedToTheirLastElement) {
  Bench b("a770");
  std::byte* m = b.allocate(16 * 16);
  b.put(4, rising(m, 16, 16));
  b.run_ok("load.ugm.d32x4.a64 (16|M0) r20:8 [r4:4]");
  b.put(4, rising(m, 16, 16, 4));
  const auto fault = b.run_fault("load.ugm.d32x4.a64 (16|M0) r20:8 [r4:4]");
  EXPECT_EQ(fault.lane, 15);
  EXPECT_THAT(fault.message, HasSubstr("reads 4 bytes"));
}

TEST(GlobalBounds, NullPointerBeforeTheStartAndAcrossTheEnd) {
  Bench b("a770");
  std::byte* m = b.allocate(256);
  b.put(4, std::vector<uint64_t>{8});
  EXPECT_THAT(b.run_fault("(W) load.ugm.d32.a64 (1|M0) r20:1 [r4:1]").message, HasSubstr("the pointer is null"));
  b.put(4, rising(m, 1, 0, -4));
  EXPECT_THAT(b.run_fault("(W) load.ugm.d32.a64 (1|M0) r20:1 [r4:1]").message,
              HasSubstr("4 bytes before the start of device USM #1"));
  b.put(4, rising(m, 1, 0, 254));
  EXPECT_THAT(b.run_fault("(W) load.ugm.d32.a64 (1|M0) r20:1 [r4:1]").message,
              HasSubstr("crosses the end of device USM #1 (256 bytes): the last 2 bytes lie beyond it"));
}

TEST(GlobalBounds, BlocksAreOneAccess) {
  Bench b("a770");
  std::byte* m = b.allocate(256);
  b.put(4, rising(m, 1, 0, 256 - 64));
  b.run_ok("(W) load.ugm.d32x16t.a64 (1|M0) r20:2 [r4:1]");
  b.run_ok("(W) store.ugm.d64x8t.a64 (1|M0) [r4:1] r20:2");
  b.put(4, rising(m, 1, 0, 256 - 60));
  const auto fault = b.run_fault("(W) load.ugm.d32x16t.a64 (1|M0) r20:2 [r4:1]");
  EXPECT_EQ(fault.kind, FaultKind::OutOfBounds);
  EXPECT_EQ(fault.lane, -1);
  EXPECT_THAT(fault.message, HasSubstr("the last 4 bytes lie beyond it"));
}

/// The last bytes of a matrix of bytes whose rows are not whole dwords.
TEST(Surfaces, AnElementAcrossTheEndKeepsItsValidBytes) {
  for (const char* text :
       {"(W) load.ugm.d32.a32 (1|M0) r20:1 bti[7][r4:1]", "(W) load.ugm.d32x1t.a32 (1|M0) r20:1 bti[7][r4:1]"}) {
    Bench b("a770");
    b.observe(nullptr);  // footprints are of whole elements
    std::byte* m = b.allocate(256);
    std::memset(m, 0x5A, 256);
    b.bind(7, m, 102, false);
    b.put(4, std::vector<uint32_t>{100});
    b.run_ok(text);
    EXPECT_EQ(b.element<uint32_t>(20, 0), 0x5A5Au) << text;
    b.put(4, std::vector<uint32_t>{104});
    b.run_ok(text);
    EXPECT_EQ(b.element<uint32_t>(20, 0), 0u) << text;
    b.bind(7, m, 102, true);
    b.put(4, std::vector<uint32_t>{100});
    b.run_fault(text);
  }
}

/// oneMKL's test of the driver loads a qword where it has a dword, its int8 kernels 16 bytes for one offset.
TEST(GlobalBounds, LoadsOfNgenMayCrossTheEnd) {
  struct Row {
    const char* text;
    unsigned bytes;
  };
  for (const Row& row :
       {Row{"(W) load.ugm.d64.a64 (1|M0) r20:1 [r4:1]", 8}, Row{"(W) load.ugm.d32x16t.a64 (1|M0) r20:2 [r4:1]", 64},
        Row{"(W) send.dc1 (1|M0) r20 r4 null:0 0x0 0x021D08FF", 16}}) {
    Bench b("a770");
    b.observe(nullptr);  // footprints are of whole messages
    std::byte* m = b.allocate(4);
    std::memset(m, 0x5A, 4);
    b.put(4, rising(m, 1, 0, 0));
    b.set_from_compiler(true);
    EXPECT_THAT(b.run_fault(row.text).message, HasSubstr("crosses the end")) << row.text;
    b.set_from_compiler(false);
    b.run_ok(row.text);
    EXPECT_EQ(b.element<uint32_t>(20, 0), 0x5A5A5A5Au);
    EXPECT_EQ(b.get<std::byte>(20, row.bytes - 4, 4), std::vector<std::byte>(row.bytes - 4)) << row.text;
    b.put(4, rising(m, 1, 0, 4));
    b.run_fault(row.text);
    b.put(4, rising(m, 1, 0, -4));
    b.run_fault(row.text);
    b.options().stateful_bounds_are_errors = true;
    b.put(4, rising(m, 1, 0, 0));
    b.run_fault(row.text);
  }
  Bench b("a770");
  b.set_from_compiler(false);
  b.put(4, rising(b.allocate(4), 1, 0, 0));
  b.run_fault("(W) store.ugm.d64.a64 (1|M0) [r4:1] r20:1");
}

/// oneDNN's kernels for floats on Xe2 load four elements a channel where the row has one more.
TEST(GlobalBounds, VectorsOfNgenMayCrossTheEnd) {
  Bench b("b580");
  b.observe(nullptr);
  std::byte* m = b.allocate(20);
  std::memset(m, 0x5A, 20);
  b.put(4, rising(m, 2, 16));
  const std::string text = "(W) load.ugm.d32x4.a64 (2|M0) r20:4 [r4:1]";
  b.set_from_compiler(false);
  b.run_ok(text);
  for (const unsigned element : {0u, 1u, 2u, 3u}) {
    EXPECT_EQ(b.element<uint32_t>(20 + element, 0), 0x5A5A5A5Au);
    EXPECT_EQ(b.element<uint32_t>(20 + element, 1), element == 0 ? 0x5A5A5A5Au : 0u);
  }
  b.set_from_compiler(true);
  EXPECT_THAT(b.run_fault(text).message, HasSubstr("channel 1 reads 4 bytes"));
  b.set_from_compiler(false);
  b.put(4, rising(m, 2, 20));
  EXPECT_THAT(b.run_fault(text).message, HasSubstr("channel 1 reads 4 bytes")) << "it begins behind the end";
}

TEST(GlobalBounds, ReadOnlyMemoryCanBeReadOnly) {
  Bench b("a770");
  Allocation a;
  alignas(64) static std::byte constant[64];
  a.base = address_of(constant);
  a.size = sizeof constant;
  a.id = 9;
  a.read_only = true;
  const MemorySnapshot snapshot({a});
  b.thread().worker->memory = &snapshot;
  b.put(4, rising(constant, 16, 4));
  b.run_ok(kGather16);
  const auto fault = b.run_fault(kScatter16);
  EXPECT_EQ(fault.kind, FaultKind::OutOfBounds);
  EXPECT_THAT(fault.message, HasSubstr("read-only"));
  EXPECT_THAT(b.run_fault("(W) atomic_iinc.ugm.d32.a64 (1|M0) null:0 [r4:1] null:0").message, HasSubstr("read-only"));
}

TEST(GlobalBounds, MoreAllocationsThanTheHitCacheHolds) {
  Bench b("a770");
  std::vector<std::byte*> blocks;
  for (unsigned i = 0; i < 3 * Worker::kHits; ++i) blocks.push_back(b.allocate(64));
  for (unsigned round = 0; round < 3; ++round) {
    for (size_t i = 0; i < blocks.size(); ++i) {
      b.put(4, rising(blocks[i], 16, 4));
      b.put(20, std::vector<uint32_t>(16, static_cast<uint32_t>(i + round)));
      b.run_ok(kScatter16);
      uint32_t v;
      std::memcpy(&v, blocks[i] + 60, 4);
      EXPECT_EQ(v, i + round);
    }
  }
}

class SurfaceBounds : public ::testing::TestWithParam<bool> {};

/// A surface of 100 bytes in an allocation of 256: what lies beyond is allocated but not the surface's.
TEST_P(SurfaceBounds, ElementsBeyondTheEnd) {
  const bool report = GetParam();
  Bench b("a770");
  std::byte* m = b.allocate(256);
  fill_pattern(m, 256);
  b.bind(7, m, 100, report);
  std::vector<uint32_t> offsets;
  for (unsigned i = 0; i < 8; ++i) offsets.push_back(84 + 4 * i);  // channels 0..3 inside
  b.put(4, offsets);
  b.put(20, std::vector<uint32_t>(8, 0x5A5A5A5Au));
  const std::string load = "load.ugm.d32.a32 (8|M0) r20:1 bti[7][r4:1]";
  const std::string store = "store.ugm.d32.a32 (8|M0) bti[7][r4:1] r30:1";
  if (report) {
    const auto fault = b.run_fault(load);
    EXPECT_EQ(fault.kind, FaultKind::OutOfBounds);
    EXPECT_EQ(fault.lane, 4);
    EXPECT_THAT(fault.message, HasSubstr("channel 4 reads 4 bytes at 0x64 of a surface of 100 bytes"));
    EXPECT_EQ(b.run_fault(store).lane, 4);
    return;
  }
  b.run_ok(load);
  for (unsigned i = 0; i < 8; ++i) {
    uint32_t expected = 0;
    if (i < 4) std::memcpy(&expected, m + 84 + 4 * i, 4);
    EXPECT_EQ(b.element<uint32_t>(20, i), expected) << i;
  }
  b.put(30, std::vector<uint32_t>(8, 0xABABABABu));
  b.run_ok(store);
  for (size_t i = 0; i < 256; ++i) {
    const bool written = i >= 84 && i < 100;
    EXPECT_EQ(m[i], written ? std::byte{0xAB} : static_cast<std::byte>(i % 251)) << i;
  }
  b.options().stateful_bounds_are_errors = true;
  EXPECT_EQ(b.run_fault(load).lane, 4);
}

TEST_P(SurfaceBounds, BlockThatStraddlesTheEnd) {
  const bool report = GetParam();
  Bench b("a770");
  std::byte* m = b.allocate(256);
  fill_pattern(m, 256);
  b.bind(7, m, 100, report);
  b.put(4, std::vector<uint32_t>{80});
  const std::string load = "(W) load.ugm.d32x16t.a32 (1|M0) r20:2 bti[7][r4:1]";
  const std::string store = "(W) store.ugm.d32x16t.a32 (1|M0) bti[7][r4:1] r30:2";
  if (report) {
    EXPECT_EQ(b.run_fault(load).kind, FaultKind::OutOfBounds);
    EXPECT_EQ(b.run_fault(store).kind, FaultKind::OutOfBounds);
    return;
  }
  b.run_ok(load);
  for (unsigned i = 0; i < 16; ++i) {
    uint32_t expected = 0;
    if (80 + 4 * i < 100) std::memcpy(&expected, m + 80 + 4 * i, 4);
    EXPECT_EQ(b.element<uint32_t>(20, i), expected) << i;
  }
  b.put(30, std::vector<uint32_t>(16, 0xABABABABu));
  b.run_ok(store);
  EXPECT_EQ(m[99], std::byte{0xAB});
  EXPECT_EQ(m[100], static_cast<std::byte>(100));
}

TEST_P(SurfaceBounds, AtomicBeyondTheEndReturnsZeroAndChangesNothing) {
  Bench b("a770");
  std::byte* m = b.allocate(256);
  fill_pattern(m, 256);
  b.bind(7, m, 100, GetParam());
  b.put(4, std::vector<uint32_t>{100});
  b.put(20, std::vector<uint32_t>{77});
  const std::string text = "(W) atomic_iinc.ugm.d32.a32 (1|M0) r20:1 bti[7][r4:1] null:0";
  if (GetParam()) {
    EXPECT_EQ(b.run_fault(text).kind, FaultKind::OutOfBounds);
    return;
  }
  b.run_ok(text);
  EXPECT_EQ(b.element<uint32_t>(20, 0), 0u);
  EXPECT_EQ(m[100], static_cast<std::byte>(100));
}

INSTANTIATE_TEST_SUITE_P(ReportAndHardwareRule, SurfaceBounds, ::testing::Bool());

TEST(Surfaces, BelowTheBaseIsBelowTheBase) {
  Bench b("a770");
  std::byte* m = b.allocate(256);
  b.set_a0(2, b.add_surface(m, 256) >> 6 << 12);
  b.put(4, std::vector<uint32_t>{static_cast<uint32_t>(-8)});
  const auto fault = b.run_fault("(W) load.ugm.d32.a32 (1|M0) r20:1 bss[a0.2][r4:1]");
  EXPECT_THAT(fault.message, HasSubstr("8 bytes before the start of device USM #1"));
}

TEST(Surfaces, NullPointerUnknownOffsetAndUnboundEntry) {
  Bench b("a770");
  b.set_a0(2, b.add_surface(nullptr, 0) >> 6 << 12);
  b.put(4, std::vector<uint32_t>{0});
  EXPECT_THAT(b.run_fault("(W) load.ugm.d32.a32 (1|M0) r20:1 bss[a0.2][r4:1]").message,
              HasSubstr("pointer argument is null"));
  b.set_a0(2, 5u << 12);
  auto fault = b.run_fault("(W) load.ugm.d32.a32 (1|M0) r20:1 bss[a0.2][r4:1]");
  EXPECT_EQ(fault.kind, FaultKind::BadMessage);
  EXPECT_THAT(fault.message, HasSubstr("surface state offset 0x140 names none of the 1 surfaces"));
  fault = b.run_fault("(W) load.ugm.d32.a32 (1|M0) r20:1 bti[9][r4:1]");
  EXPECT_EQ(fault.kind, FaultKind::BadMessage);
  EXPECT_THAT(fault.message, HasSubstr("binding table entry 9 is not bound"));
}

TEST(SlmBounds, AllForms) {
  Bench b("a770");
  b.set_slm(1024);
  b.put(4, std::vector<uint32_t>{1020});
  b.run_ok("(W) load.slm.d32.a32 (1|M0) r20:1 [r4:1]");
  b.put(4, std::vector<uint32_t>{1024});
  auto fault = b.run_fault("(W) store.slm.d32.a32 (1|M0) [r4:1] r20:1");
  EXPECT_EQ(fault.kind, FaultKind::SlmOutOfBounds);
  EXPECT_EQ(fault.lane, 0);
  EXPECT_THAT(fault.message,
              HasSubstr("channel 0 writes 4 bytes at 0x400 of the group's shared local memory, which has 1024 bytes"));
  b.put(4, std::vector<uint32_t>{1024 - 32});
  fault = b.run_fault("(W) load.slm.d32x16t.a32 (1|M0) r20:2 [r4:1]");
  EXPECT_EQ(fault.kind, FaultKind::SlmOutOfBounds);
  b.put(4, std::vector<uint32_t>{1024});
  EXPECT_EQ(b.run_fault("(W) atomic_iadd.slm.d32.a32 (1|M0) r20:1 [r4:1] r30:1").kind, FaultKind::SlmOutOfBounds);
  b.set_slm(0);
  b.put(4, std::vector<uint32_t>{0});
  EXPECT_EQ(b.run_fault("(W) load.slm.d32.a32 (1|M0) r20:1 [r4:1]").kind, FaultKind::SlmOutOfBounds);
}

TEST(ScratchBounds, AFillMayReadMoreThanWasSpilled) {
  Bench b("b580");
  b.set_scratch(256);
  for (uint32_t i = 0; i < 256; ++i) b.thread().scratch[i] = static_cast<std::byte>(i);
  b.put<uint32_t>(4, {64});
  b.put<uint32_t>(23, {0x7F7F7F7Fu});
  // Four registers, of which the last lies behind the space.
  b.run_ok("(W) load.ugm.d32x64t.a32 (1|M0) r20:4 ss[a0.4][r4:1]");
  EXPECT_EQ(b.element<uint32_t>(20, 0), 0x43424140u);
  EXPECT_EQ(b.element<uint32_t>(22, 15), 0xFFFEFDFCu);
  EXPECT_EQ(b.element<uint32_t>(23, 0), 0u);
  // But a message may not begin there, and a spill must fit.
  b.put<uint32_t>(4, {256});
  EXPECT_EQ(b.run_fault("(W) load.ugm.d32x64t.a32 (1|M0) r20:4 ss[a0.4][r4:1]").kind, FaultKind::ScratchOutOfBounds);
  b.put<uint32_t>(4, {64});
  EXPECT_EQ(b.run_fault("(W) store.ugm.d32x64t.a32 (1|M0) ss[a0.4][r4:1] r20:4").kind, FaultKind::ScratchOutOfBounds);
}

TEST(ScratchBounds, PerThreadSpace) {
  Bench b("b580");
  b.set_scratch(256);
  b.put(4, std::vector<uint32_t>{252});
  b.run_ok("(W) store.ugm.d32.a32 (1|M0) ss[a0.4][r4:1] r20:1");
  b.put(4, std::vector<uint32_t>{256});
  EXPECT_EQ(b.run_fault("(W) store.ugm.d32.a32 (1|M0) ss[a0.4][r4:1] r20:1").kind, FaultKind::ScratchOutOfBounds);
  EXPECT_THAT(b.run_fault("(W) load.ugm.d32x16t.a32 (1|M0) r20:1 ss[a0.4][r4:1]").message,
              HasSubstr("the thread's scratch space, which has 256 bytes"));
}

TEST(IndirectData, ReadableFromItsAddressOn) {
  Bench b("b580");
  b.context().indirect_base = 0x1000;
  b.context().indirect_data.resize(96);
  fill_pattern(b.context().indirect_data.data(), 96);
  b.put(4, std::vector<uint32_t>{0x1000 + 32});
  b.run_ok("(W) load.ugm.d32x16t.a32.ca.cc (1|M0) r20:1 bti[255][r4:1]");
  EXPECT_EQ(std::memcmp(b.thread().at(20 * 64), b.context().indirect_data.data() + 32, 64), 0);
  // Prologues load whole registers: the rest is zero.
  b.put(4, std::vector<uint32_t>{0x1000 + 64});
  b.run_ok("(W) load.ugm.d32x16t.a32.ca.cc (1|M0) r20:1 bti[255][r4:1]");
  EXPECT_EQ(std::memcmp(b.thread().at(20 * 64), b.context().indirect_data.data() + 64, 32), 0);
  EXPECT_EQ(b.element<uint32_t>(20, 8), 0u);
  b.put(4, std::vector<uint32_t>{0x1000 - 4});
  EXPECT_EQ(b.run_fault("(W) load.ugm.d32x16t.a32.ca.cc (1|M0) r20:1 bti[255][r4:1]").kind, FaultKind::OutOfBounds);
  b.put(4, std::vector<uint32_t>{0x1000 + 64});
  EXPECT_EQ(b.run_fault("(W) store.ugm.d32x16t.a32 (1|M0) bti[255][r4:1] r20:1").kind, FaultKind::OutOfBounds);
}

}  // namespace
}  // namespace xeforge::machine::test
