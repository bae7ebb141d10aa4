// SPDX-License-Identifier: Apache-2.0
//
// Divergent control flow from assembled text: each program records which channels passed where.
#include "messages/bench.h"

namespace xeforge::machine::test {
namespace {

using std::vector;

class Control : public ::testing::Test {
 protected:
  Bench bench{"a770"};
  void SetUp() override {
    bench.put<int32_t>(10, {0, 1, 2, 3, 4, 5, 6, 7});
    bench.put<int32_t>(20, vector<int32_t>(8, 0));
    bench.set_mask(0xFF);
    bench.thread().dispatch_mask = 0xFF;
  }
};

// Kernels of the vendor's libraries are dispatched with 8 channels and let themselves have 16.
TEST_F(Control, AWriteOfTheDispatchMaskAddsChannels) {
  bench.put<int32_t>(24, vector<int32_t>(16, 0));
  bench.run_ok(R"(
    (W) mov (1|M0) sr0.2<1>:ud 0xFFFF:uw
    add (16|M0) r24.0<1>:d r24.0<8;8,1>:d 1:w
    (W) mov (1|M0) f0.0<1>:uw 0xFF0F:uw
    (W&f0.0) if (16|M0) END END
    add (16|M0) r24.0<1>:d r24.0<8;8,1>:d 10:w
END:
    endif (16|M0) NEXT
NEXT:
    add (16|M0) r24.0<1>:d r24.0<8;8,1>:d 100:w)");
  EXPECT_EQ(bench.get<int32_t>(24, 16),
            (vector<int32_t>{111, 111, 111, 111, 101, 101, 101, 101, 111, 111, 111, 111, 111, 111, 111, 111}));
}

TEST_F(Control, ChannelsThatWaitAreNotWokenByTheDispatchMask) {
  bench.put<int32_t>(24, vector<int32_t>(16, 0));
  bench.run_ok(R"(
    cmp (8|M0) (lt)f0.0 null<1>:d r10.0<8;8,1>:d 3:w
    (f0.0) goto (8|M0) SMALL SMALL
    (W) mov (1|M0) sr0.2<1>:ud 0xFFFF:uw
    add (16|M0) r24.0<1>:d r24.0<8;8,1>:d 1:w
SMALL:
    join (16|M0) DONE
DONE:
    add (16|M0) r24.0<1>:d r24.0<8;8,1>:d 10:w)");
  EXPECT_EQ(bench.get<int32_t>(24, 16),
            (vector<int32_t>{10, 10, 10, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11}));
}

TEST_F(Control, GotoJoinSplitsAndReunites) {
  bench.run_ok(R"(
    cmp (8|M0) (lt)f0.0 null<1>:d r10.0<8;8,1>:d 3:w
    (f0.0) goto (8|M0) SMALL SMALL
    add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 100:w
SMALL:
    join (8|M0) DONE
DONE:
    add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:w)");
  EXPECT_EQ(bench.get<int32_t>(20, 8), (vector<int32_t>{1, 1, 1, 101, 101, 101, 101, 101}));
}

TEST_F(Control, GotoSkipsTheBlockWhenNoChannelIsLeft) {
  bench.run_ok(R"(
    cmp (8|M0) (lt)f0.0 null<1>:d r10.0<8;8,1>:d 30:w
    (f0.0) goto (8|M0) OUT OUT
    (W) mov (1|M0) r22.0<1>:d 77:w
OUT:
    join (8|M0) DONE
DONE:
    add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:w)");
  EXPECT_EQ(bench.get<int32_t>(20, 8), vector<int32_t>(8, 1));
  EXPECT_EQ(bench.element<uint32_t>(22, 0), 0x7F7F7F7Fu);
}

// Explicit SIMD runs with all 32 channels enabled and branches with 16. What is skipped must not run for the others:
// the compiler calls its function for divisions there, without a mask.
TEST_F(Control, AGotoLooksAtTheChannelsItGoverns) {
  bench.thread().dispatch_mask = UINT32_MAX;
  bench.set_mask(UINT32_MAX);
  bench.run_ok(R"(
    goto (16|M0) OUT OUT
    (W) mov (1|M0) r22.0<1>:d 77:w
OUT:
    join (16|M0) DONE
DONE:
    add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:w)");
  EXPECT_EQ(bench.get<int32_t>(20, 8), vector<int32_t>(8, 1));
  EXPECT_EQ(bench.element<uint32_t>(22, 0), 0x7F7F7F7Fu);
}

TEST_F(Control, DivergentLoopRunsEachChannelItsOwnTrips) {
  // Channel c makes c + 1 trips; goto.b follows the channels that go on.
  bench.run_ok(R"(
    mov (8|M0) r24.0<1>:d r10.0<8;8,1>:d
TOP:
    add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:w
    add (8|M0) r24.0<1>:d r24.0<8;8,1>:d -1:w
    cmp (8|M0) (ge)f0.0 null<1>:d r24.0<8;8,1>:d 0:w
    (f0.0) goto.b (8|M0) OUT TOP
OUT:
    join (8|M0) DONE
DONE:
    add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 10:w)");
  EXPECT_EQ(bench.get<int32_t>(20, 8), (vector<int32_t>{11, 12, 13, 14, 15, 16, 17, 18}));
}

TEST_F(Control, IfElseEndif) {
  const char* program = R"(
    cmp (8|M0) (lt)f0.0 null<1>:d r10.0<8;8,1>:d 3:w
    (f0.0) if (8|M0) ELSE END
    add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 10:w
    else (8|M0) END END
ELSE:
    add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 20:w
END:
    endif (8|M0) NEXT
NEXT:
    add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:w)";
  bench.run_ok(program);
  EXPECT_EQ(bench.get<int32_t>(20, 8), (vector<int32_t>{11, 11, 11, 21, 21, 21, 21, 21}));
  // All channels on one side.
  bench.put<int32_t>(20, vector<int32_t>(8, 0));
  bench.put<int32_t>(10, vector<int32_t>(8, 9));
  bench.run_ok(program);
  EXPECT_EQ(bench.get<int32_t>(20, 8), vector<int32_t>(8, 21));
  bench.put<int32_t>(20, vector<int32_t>(8, 0));
  bench.put<int32_t>(10, vector<int32_t>(8, 0));
  bench.run_ok(program);
  EXPECT_EQ(bench.get<int32_t>(20, 8), vector<int32_t>(8, 11));
}

TEST_F(Control, WhileLoopWithBreak) {
  // Leaves at four trips through break, or when the channel's own count is used up.
  bench.run_ok(R"(
    mov (8|M0) r24.0<1>:d r10.0<8;8,1>:d
TOP:
    add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:w
    cmp (8|M0) (ge)f1.0 null<1>:d r20.0<8;8,1>:d 4:w
    (f1.0) break (8|M0) BACK BACK
    add (8|M0) r24.0<1>:d r24.0<8;8,1>:d -1:w
    cmp (8|M0) (ge)f0.0 null<1>:d r24.0<8;8,1>:d 0:w
BACK:
    (f0.0) while (8|M0) TOP
    add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 100:w)");
  EXPECT_EQ(bench.get<int32_t>(20, 8), (vector<int32_t>{101, 102, 103, 104, 104, 104, 104, 104}));
}

TEST_F(Control, JmpiIsUniformAndLoopsAreCounted) {
  bench.run_ok(R"(
    (W) mov (1|M0) r24.0<1>:d 5:w
TOP:
    (W) add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:w
    (W) add (1|M0) r24.0<1>:d r24.0<0;1,0>:d -1:w
    (W) cmp (1|M0) (gt)f0.0 null<1>:d r24.0<0;1,0>:d 0:w
    (W&f0.0) jmpi TOP)");
  EXPECT_EQ(bench.get<int32_t>(20, 8), vector<int32_t>(8, 5));
}

TEST_F(Control, HorizontalPredicateOnAGotoActsInsideItsExecutionSize) {
  bench.run_ok(R"(
    cmp (8|M0) (eq)f0.0 null<1>:d r10.0<8;8,1>:d 3:w
    (~f0.0.any8h) goto (8|M0) OUT OUT
    add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 5:w
OUT:
    join (8|M0) DONE
DONE:
    add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:w)");
  EXPECT_EQ(bench.get<int32_t>(20, 8), vector<int32_t>(8, 6));
}

TEST_F(Control, CallAndReturn) {
  bench.run_ok(R"(
    call (8|M0) r30.0<1> FUNCTION
    add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:w
    (W) jmpi END
FUNCTION:
    add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 40:w
    ret (8|M0) r30.0<0;1,0>
END:
    add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 100:w)");
  EXPECT_EQ(bench.get<int32_t>(20, 8), vector<int32_t>(8, 141));
}

TEST_F(Control, UnsupportedInstructionsFaultWhenReached) {
  const FaultException wide = bench.run_fault("(W) dpas.8x8 (16|M0) r20:f null:f r40:bf r60.0:bf");
  EXPECT_EQ(wide.kind, FaultKind::UnsupportedOnDevice);
  EXPECT_THAT(wide.message, ::testing::HasSubstr("execution size 16"));
}

}  // namespace
}  // namespace xeforge::machine::test
