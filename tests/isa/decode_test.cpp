// SPDX-License-Identifier: Apache-2.0
//
// Assembled lines decoded back: every opcode, region form, modifier and option, on both platforms.
#include "isa/decode.h"

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "canonical.h"

namespace xeforge::isa {
namespace {

constexpr const char* kEnd = "\n(W) send.gtwy (1|M0) null r127 null:0 0x0 0x02000010 {EOT}\n";

Instruction decode_line(Platform platform, const std::string& line) {
  return decode(platform, assemble(platform, line + kEnd)).instructions()[0];
}

// What both platforms have, in the listing's notation.
const std::vector<std::string> kCommon{
    "nop",
    "(W) mov (8|M0) r10.0<1>:ud r11.0<1;1,0>:ud",
    "mov (1|M0) r10.5<1>:ud r11.3<0;1,0>:ud",
    "mov (16|M16) r10.0<2>:uw r11.0<4;1,0>:ub",
    "mov (8|M8) r10.0<4>:b r11.0<8;8,1>:b",
    "mov (16|M0) r10.0<1>:f r11.0<16;8,2>:w",
    "mov (8|M0) r10.0<1>:d r11.2<2;4,0>:d",
    "mov (8|M0) r10.0<1>:f -r11.0<1;1,0>:f",
    "mov (8|M0) r10.0<1>:f (abs)r11.0<1;1,0>:f",
    "mov (8|M0) r10.0<1>:f -(abs)r11.0<1;1,0>:f",
    "mov (8|M0) (sat)r10.0<1>:f r11.0<1;1,0>:f",
    "mov (8|M0) (sat)r10.0<4>:ub r11.0<1;1,0>:d",
    "mov (8|M0) r10.0<1>:hf r11.0<2;1,0>:hf",
    "mov (8|M0) r10.0<2>:bf r11.0<1;1,0>:f",
    "mov (8|M0) r10.0<1>:f r11.0<2;1,0>:bf",
    "mov (8|M0) r10.0<1>:w 0x76543210:v",
    "mov (8|M0) r10.0<1>:uw 0xFEDCBA98:uv",
    "mov (8|M0) r10.0<1>:f 0x30201000:vf",
    "mov (8|M0) r10.0<1>:f 1.5:f",
    "mov (8|M0) r10.0<1>:f -0.25:f",
    "mov (8|M0) r10.0<1>:hf 1.5:hf",
    "mov (8|M0) r10.0<1>:d -7:d",
    "mov (8|M0) r10.0<1>:w -7:w",
    "mov (8|M0) r10.0<1>:uw 0xFFFF:uw",
    "mov (1|M0) r10.0<1>:uq 0x123456789ABCDEF0:uq",
    "mov (1|M0) r10.0<1>:q -2:q",
    "mov (1|M0) r10.0<1>:df 2.5:df",
    // Condition and predicate
    "mov (8|M0) (ne)f1.1 null<1>:d r11.0<1;1,0>:d",
    "(f0.0) mov (8|M0) r10.0<1>:d r11.0<1;1,0>:d",
    "(~f1.1) mov (8|M0) r10.0<1>:d r11.0<1;1,0>:d",
    "(W&f0.1) mov (8|M0) r10.0<1>:d r11.0<1;1,0>:d",
    "cmp (16|M0) (eq)f0.0 null<1>:d r11.0<1;1,0>:d r12.0<0;1,0>:d",
    "cmp (16|M16) (ne)f0.1 null<1>:uw r11.0<1;1,0>:uw 5:uw",
    "cmp (8|M0) (gt)f1.0 r10.0<1>:f r11.0<1;1,0>:f r12.0<1;1,0>:f",
    "cmp (8|M0) (ge)f1.1 null<1>:f r11.0<1;1,0>:f 0.5:f",
    "cmp (8|M0) (lt)f0.0 null<1>:d r11.0<1;1,0>:d r12.0<1;1,0>:d",
    "cmp (8|M0) (le)f0.0 null<1>:ud r11.0<1;1,0>:ud r12.0<1;1,0>:ud",
    "cmp (8|M0) (un)f0.0 null<1>:f r11.0<1;1,0>:f r12.0<1;1,0>:f",
    "cmpn (8|M0) (ge)f0.0 r10.0<1>:f r11.0<1;1,0>:f r12.0<1;1,0>:f",
    "add (8|M0) (ov)f0.0 r10.0<1>:d r11.0<1;1,0>:d r12.0<1;1,0>:d",
    "sel (8|M0) (lt)f0.0 r10.0<1>:f r11.0<1;1,0>:f r12.0<1;1,0>:f",
    "(f0.0) sel (8|M0) r10.0<1>:d r11.0<1;1,0>:d -1:w",
    "csel (8|M0) (gt)f0.0 r10.0<1>:f r11.0<1;0>:f r12.0<1;0>:f r13.0<1>:f",
    // Logic
    "not (8|M0) r10.0<1>:ud r11.0<1;1,0>:ud",
    "and (8|M0) r10.0<1>:ud r11.0<1;1,0>:ud -r12.0<1;1,0>:ud",
    "or (8|M0) r10.0<1>:ud r11.0<1;1,0>:ud 0x4C0:uw",
    "xor (8|M0) r10.0<1>:ud r11.0<1;1,0>:ud r12.0<1;1,0>:ud",
    "shl (8|M0) r10.0<1>:d r11.0<1;1,0>:d 2:w",
    "shr (8|M0) r10.0<1>:ud r11.0<1;1,0>:ud r12.0<2;1,0>:uw",
    "asr (8|M0) r10.0<1>:d r11.0<1;1,0>:d 31:w",
    "rol (8|M0) r10.0<1>:ud r11.0<1;1,0>:ud 7:uw",
    "ror (8|M0) r10.0<1>:ud r11.0<1;1,0>:ud r12.0<1;1,0>:ud",
    "bfrev (8|M0) r10.0<1>:ud r11.0<1;1,0>:ud",
    "bfe (8|M0) r10.0<1>:ud r11.0<1;0>:ud r12.0<1;0>:ud r13.0<1>:ud",
    "bfi1 (8|M0) r10.0<1>:ud r11.0<1;1,0>:ud r12.0<1;1,0>:ud",
    "bfi2 (8|M0) r10.0<1>:ud r11.0<1;0>:ud r12.0<1;0>:ud r13.0<1>:ud",
    "bfn.0xD8 (8|M0) r10.0<1>:ud r11.0<1;0>:ud r12.0<0;0>:ud r13.0<0>:ud",
    "cbit (8|M0) r10.0<1>:ud r11.0<1;1,0>:ud",
    "fbh (8|M0) r10.0<1>:ud r11.0<1;1,0>:d",
    "fbl (8|M0) r10.0<1>:ud r11.0<1;1,0>:ud",
    "lzd (8|M0) r10.0<1>:ud r11.0<1;1,0>:ud",
    // Arithmetic
    "add (8|M0) r10.0<1>:d r11.0<1;1,0>:d r12.0<2;1,0>:w",
    "add3 (8|M0) r10.0<1>:d r11.0<1;0>:d r12.0<0;0>:d 15:w",
    "add3 (8|M0) r10.0<1>:d -16:w r12.0<8;1>:d r13.0<1>:d",
    "mul (8|M0) acc0.0<1>:d r11.0<1;1,0>:d r12.0<2;1,0>:uw",
    "mul (1|M0) acc0.2<1>:d r11.2<0;1,0>:d r12.4<0;1,0>:uw",
    "mac (8|M0) r10.0<1>:f r11.0<1;1,0>:f r12.0<1;1,0>:f",
    "mad (8|M0) r10.0<1>:f r11.0<1;0>:f r12.0<0;0>:f r13.0<1>:f",
    "mad (8|M8) r10.0<1>:f -r11.0<8;1>:f (abs)r12.0<4;1>:f -r13.0<0>:f",
    "mad (16|M0) r10.0<1>:hf r11.0<8;2>:hf r12.0<1;0>:hf 1.5:hf",
    "mad (16|M0) r10.0<1>:hf 2.5:hf r12.0<4;2>:hf r13.0<2>:hf",
    "mad (1|M0) r10.2<1>:ud r11.2<0;0>:ud r12.0<0;0>:uw 0x60:uw",
    "madm (8|M0) r10.mme0:f r11.nomme:f r12.mme1:f r13.mme7:f",
    "avg (8|M0) r10.0<1>:d r11.0<1;1,0>:d r12.0<1;1,0>:d",
    "dp4a (8|M0) r10.0<1>:d r11.0<1;0>:d r12.0<1;0>:d r13.0<1>:d",
    "frc (8|M0) r10.0<1>:f r11.0<1;1,0>:f",
    "rndu (8|M0) r10.0<1>:f r11.0<1;1,0>:f",
    "rndd (8|M0) r10.0<1>:f r11.0<1;1,0>:f",
    "rnde (8|M0) r10.0<1>:f r11.0<1;1,0>:f",
    "rndz (8|M0) r10.0<1>:f r11.0<1;1,0>:f",
    "math.inv (8|M0) r10.0<1>:f r11.0<1;1,0>:f",
    "math.log (8|M0) r10.0<1>:f r11.0<1;1,0>:f {$3}",
    "math.exp (8|M0) r10.0<1>:f r11.0<1;1,0>:f",
    "math.sqt (8|M0) r10.0<1>:f r11.0<1;1,0>:f",
    "math.rsqt (8|M0) r10.0<1>:f r11.0<1;1,0>:f",
    "math.sin (8|M0) r10.0<1>:f r11.0<1;1,0>:f",
    "math.cos (8|M0) r10.0<1>:f r11.0<1;1,0>:f",
    "math.invm (8|M0) (eo)f0.1 r10.mme0:f r11.nomme<1;1,0>:f r12.nomme<1;1,0>:f",
    "math.rsqtm (8|M0) (eo)f1.0 r10.mme2:f r11.nomme<1;1,0>:f",
    // Register-indirect operands
    "mov (16|M0) r10.0<1>:ud r[a0.0]<1,0>:ud",
    "mov (16|M0) r10.0<1>:ud r[a0.8,-64]<4,1>:ud",
    "mov (8|M0) r10.0<1>:ud r[a0.3,96]<8;8,1>:ud",
    "mov (8|M0) r[a0.2,32]<1>:ud r11.0<1;1,0>:ud",
    "mov (8|M0) r[a0.1]<2>:uw r[a0.0]<2;1,0>:uw",
    "add (8|M0) r10.0<1>:d -r[a0.0]<1,0>:d 3:w",
    // Architecture registers
    "mov (8|M0) a0.0<1>:uw r11.0<1;1,0>:uw",
    "mov (4|M0) r10.0<1>:uw a0.4<4;4,1>:uw",
    "mov (1|M0) r10.0<1>:ud a0.3<0;1,0>:ud",
    "mov (1|M0) f1.1<1>:uw f0.1<0;1,0>:uw",
    "mov (2|M0) r10.0<1>:ud f0.0<1;1,0>:ud",
    "or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x4C0:uw",
    "mov (4|M0) r10.0<1>:ud sr0.0<1;1,0>:ud",
    "mov (1|M0) r10.0<1>:ud ce<0;1,0>:ud",
    "mov (1|M0) r10.0<1>:ud ip<0;1,0>:ud",
    "mov (4|M0) r10.0<1>:ud tm0.0<4;4,1>:ud",
    "mov (1|M0) r10.0<1>:ud dbg0.0<0;1,0>:ud",
    "mov (8|M0) acc1.0<1>:f r11.0<1;1,0>:f",
    "mov (8|M0) r10.0<1>:f acc3.0<1;1,0>:f",
    // Synchronisation and scoreboard
    "sync.nop null",
    "sync.nop null {$5.dst}",
    "sync.allrd ($0,$2,$31)",
    "sync.allwr null",
    "sync.bar null",
    "sync.host null",
    "add (8|M0) r10.0<1>:d r11.0<1;1,0>:d r12.0<1;1,0>:d {@3}",
    "add (8|M0) r10.0<1>:d r11.0<1;1,0>:d r12.0<1;1,0>:d {A@1}",
    "add (8|M0) r10.0<1>:d r11.0<1;1,0>:d r12.0<1;1,0>:d {F@7}",
    "add (8|M0) r10.0<1>:d r11.0<1;1,0>:d r12.0<1;1,0>:d {I@2}",
    "add (8|M0) r10.0<1>:d r11.0<1;1,0>:d r12.0<1;1,0>:d {L@1}",
    "add (8|M0) r10.0<1>:d r11.0<1;1,0>:d r12.0<1;1,0>:d {$15.src}",
    "add (8|M0) r10.0<1>:d r11.0<1;1,0>:d r12.0<1;1,0>:d {@2,$9.dst}",
    "add (8|M0) r10.0<1>:d r11.0<1;1,0>:d r12.0<1;1,0>:d {Atomic}",
    // Compacted forms
    "mov (16|M0) r14.0<1>:f r12.0<1;1,0>:f {Compacted,A@1}",
    "sync.nop null {Compacted,$2.dst}",
};

const std::vector<std::string> kXeHpg{
    "add (8|M0) r16.0<1>:f r14.0<1;1,0>:f r15.0<1;1,0>:f {Compacted,F@1}",
    "mach (8|M0) r10.0<1>:d r11.0<1;1,0>:d r12.0<1;1,0>:d {AccWrEn}",
    "subb (8|M0) r10.0<1>:ud r11.0<1;1,0>:ud r12.0<1;1,0>:ud {AccWrEn}",
    "addc (8|M0) r10.0<1>:ud r11.0<1;1,0>:ud r12.0<1;1,0>:ud {AccWrEn}",
    "add (16|M0) r10.0<1>:f r11.0<1;1,0>:f r13.0<0;1,0>:f {AccWrEn}",
    "movi (8|M0) r10.0<1>:ud r[a0.0]<1,0>:ud null<1;1,0>:ub",
    "dpas.8x8 (8|M0) r10:f r20:f r30:bf r40.0:bf {$1}",
    "dpas.8x8 (8|M0) r10:f null:f r30:hf r40.0:hf {Atomic}",
    "dpas.8x4 (8|M0) r10:d r20:d r30:b r40.0:ub",
    "dpas.8x1 (8|M0) r10:d r20:d r30:u4 r40.4:s4",
    "dpas.8x2 (8|M0) r10:ud r20:ud r30:s2 r40.8:u2",
    "dpasw.8x8 (8|M0) r10:f r20:f r30:bf r40.0:bf",
    "(f0.0.anyv) mov (8|M0) r10.0<1>:d r11.0<1;1,0>:d",
    "(~f0.0.allv) mov (8|M0) r10.0<1>:d r11.0<1;1,0>:d",
    "(f0.0.any2h) mov (8|M0) r10.0<1>:d r11.0<1;1,0>:d",
    "(f0.0.all2h) mov (8|M0) r10.0<1>:d r11.0<1;1,0>:d",
    "(f0.0.any4h) mov (8|M0) r10.0<1>:d r11.0<1;1,0>:d",
    "(f0.0.all4h) mov (8|M0) r10.0<1>:d r11.0<1;1,0>:d",
    "(W&f0.0.any8h) mov (8|M0) r10.0<1>:d r11.0<1;1,0>:d",
    "(W&~f1.1.all8h) mov (8|M0) r10.0<1>:d r11.0<1;1,0>:d",
    "(f0.0.any16h) mov (16|M0) r10.0<1>:d r11.0<1;1,0>:d",
    "(f0.0.all16h) mov (16|M0) r10.0<1>:d r11.0<1;1,0>:d",
    "(f0.0.any32h) mov (32|M0) r10.0<1>:w r12.0<1;1,0>:w",
    "(f0.0.all32h) mov (32|M0) r10.0<1>:w r12.0<1;1,0>:w",
};

const std::vector<std::string> kXe2{
    "mad (32|M0) r80.0<1>:f r125.0<1;0>:f r73.0<1;0>:f -r120.0<1>:f {Compacted,F@1}",
    "add (16|M0) r8.0<1>:q r89.0<1;1,0>:q r2.3<0;1,0>:q {Compacted,I@2}",
    "(f2.0) sel (16|M0) r32.0<1>:df r5.0<1;1,0>:df r26.0<1;1,0>:df {Compacted,L@2}",
    "sync.bar 0x0",
    "mach (16|M0) r10.0<1>:d r11.0<1;1,0>:d r12.0<1;1,0>:d",
    "subb (16|M0) r10.0<1>:ud r11.0<1;1,0>:ud r12.0<1;1,0>:ud",
    "addc (16|M0) r10.0<1>:ud r11.0<1;1,0>:ud r12.0<1;1,0>:ud",
    "movi (16|M0) r10.0<1>:ud r[a0.0]<1,0>:ud null<1;1,0>:ub",
    "macl (16|M0) r10.0<1>:d r11.0<1;1,0>:d r12.0<1;1,0>:d",
    "srnd (16|M0) r10.0<1>:hf r11.0<1;1,0>:f r12.0<1;1,0>:f",
    "dpas.8x8 (16|M0) r10:f r20:f r30:bf r40.0:bf {Atomic}",
    "dpas.8x8 (16|M0) r10:f r20:f r30:tf32 r40.0:tf32 {$31}",
    "dpas.8x8 (16|M0) r10:hf r20:hf r30:hf r40.0:hf",
    "dpas.8x7 (16|M0) r10:d r20:d r30:ub r40.0:b",
    "dpas.8x1 (16|M0) r10:d null:d r30:s4 r40.0:u4",
    "mov (32|M0) r10.0<1>:f r12.0<1;1,0>:f",
    "add (16|M0) r10.0<1>:q r12.0<1;1,0>:q r14.0<1;1,0>:q",
    "(f3.1) mov (16|M0) r10.0<1>:d r11.0<1;1,0>:d",
    "(f0.0.any) mov (16|M0) r10.0<1>:d r11.0<1;1,0>:d",
    "(~f2.0.all) mov (16|M0) r10.0<1>:d r11.0<1;1,0>:d",
    "mov (16|M0) r10.0<1>:d r200.0<1;1,0>:d {M@2}",
    "add (16|M0) r10.0<1>:d r11.0<1;1,0>:d r12.0<1;1,0>:d {$30.src}",
};

class Lines : public ::testing::TestWithParam<Platform> {
 protected:
  static std::vector<std::string> lines(Platform platform) {
    auto all = kCommon;
    const auto& own = platform == Platform::XeHpg ? kXeHpg : kXe2;
    all.insert(all.end(), own.begin(), own.end());
    return all;
  }
};

TEST_P(Lines, DecodeToWhatWasWritten) {
  for (const auto& line : lines(GetParam())) {
    SCOPED_TRACE(line);
    Instruction instruction;
    ASSERT_NO_THROW(instruction = decode_line(GetParam(), line));
    EXPECT_EQ(testing::canonical_from_instruction(instruction), testing::canonical_from_line(line));
  }
}

TEST_P(Lines, CoverEveryOpcodeThatIsNoBranchAndNoSend) {
  std::set<Opcode> seen;
  for (const auto& line : lines(GetParam())) seen.insert(decode_line(GetParam(), line).op);
  for (unsigned i = 0; i < static_cast<unsigned>(Opcode::Count_); ++i) {
    const auto op = static_cast<Opcode>(i);
    const bool elsewhere = op == Opcode::Illegal || info(op).cls == OpClass::Control || info(op).cls == OpClass::Send;
    const bool absent = GetParam() == Platform::XeHpg ? op == Opcode::Macl || op == Opcode::Srnd : op == Opcode::Dpasw;
    EXPECT_EQ(seen.contains(op), !elsewhere && !absent) << name_of(op);
  }
}

INSTANTIATE_TEST_SUITE_P(Both, Lines, ::testing::Values(Platform::XeHpg, Platform::Xe2),
                         [](const auto& test) { return test.param == Platform::XeHpg ? "XeHpg" : "Xe2"; });

// The same once more field by field, where a reader of Instruction could misunderstand.

TEST(Fields, TernaryRegionsAreComplete) {
  const auto i = decode_line(Platform::XeHpg, "mad (8|M8) r10.0<1>:f -r11.4<8;1>:f (abs)r12.0<0;0>:f r13.0<0>:f");
  EXPECT_EQ(i.op, Opcode::Mad);
  EXPECT_EQ(i.channel_offset, 8);
  ASSERT_EQ(i.num_src, 3);
  EXPECT_EQ(i.src[0].region, (Region{8, 8, 1, false}));
  EXPECT_EQ(i.src[0].sub_bytes, 16);
  EXPECT_TRUE(i.src[0].negate);
  EXPECT_TRUE(i.src[1].absolute);
  EXPECT_TRUE(i.src[1].region.is_scalar());
  EXPECT_TRUE(i.src[2].region.is_scalar());
  const auto packed = decode_line(Platform::XeHpg, "mad (8|M0) r10.0<1>:f r11.0<1;0>:f r12.0<4;2>:f r13.0<2>:f");
  EXPECT_TRUE(packed.src[0].region.is_contiguous(8));
  EXPECT_EQ(packed.src[1].region, (Region{4, 2, 2, false}));
  EXPECT_EQ(packed.src[2].region, (Region{2, 1, 0, false}));
}

TEST(Fields, ImmediatesKeepTheWidthOfTheirType) {
  const auto imm = [](const std::string& line) { return decode_line(Platform::XeHpg, line).src[0]; };
  EXPECT_EQ(imm("mov (8|M0) r10.0<1>:w -2:w").imm, 0xFFFEU);
  EXPECT_EQ(imm("mov (8|M0) r10.0<1>:d -2:d").imm, 0xFFFFFFFEU);
  EXPECT_EQ(imm("mov (1|M0) r10.0<1>:q -2:q").imm, 0xFFFFFFFFFFFFFFFEU);
  EXPECT_EQ(imm("mov (8|M0) r10.0<1>:hf 1.0:hf").imm, 0x3C00U);
  EXPECT_EQ(imm("mov (8|M0) r10.0<1>:f 1.0:f").imm, 0x3F800000U);
  EXPECT_TRUE(imm("mov (8|M0) r10.0<1>:f 1.0:f").region.is_scalar());
  const auto vector = imm("mov (8|M0) r10.0<1>:w 0x76543210:v");
  EXPECT_EQ(vector.imm, 0x76543210U);
  EXPECT_EQ(vector.type, DataType::V);
  EXPECT_FALSE(vector.region.is_scalar());
}

TEST(Fields, AddressRegisterSourceHasItsOwnRegion) {
  // As a scalar this would move one address to all four.
  const auto i = decode_line(Platform::XeHpg, "(W) mov (4|M0) r10.0<1>:uw a0.4<4;4,1>:uw");
  EXPECT_EQ(i.src[0].file, RegFile::Address);
  EXPECT_EQ(i.src[0].sub_bytes, 8);
  EXPECT_EQ(i.src[0].region, (Region{4, 4, 1, false}));
  EXPECT_TRUE(i.no_mask);
  // Also where a predicate, a condition and a modifier stand in front of it in the text.
  const auto full =
      decode_line(Platform::XeHpg, "(W&f1.0) add (8|M0) (ne)f1.0 r10.0<1>:w -r11.0<8;8,1>:w a0.0<8;8,1>:w");
  EXPECT_EQ(full.src[1].region, (Region{8, 8, 1, false}));
  EXPECT_EQ(full.src[0].region, (Region{8, 8, 1, false}));
}

TEST(Fields, RegisterIndirectOperands) {
  const auto i = decode_line(Platform::XeHpg, "mov (8|M0) r[a0.2,-32]<2>:uw r[a0.8,64]<4,1>:uw");
  EXPECT_EQ(i.dst.kind, OperandKind::Indirect);
  EXPECT_EQ(i.dst.addr_subreg, 2);
  EXPECT_EQ(i.dst.addr_offset, -32);
  EXPECT_EQ(i.dst.region.h, 2);
  EXPECT_EQ(i.src[0].kind, OperandKind::Indirect);
  EXPECT_EQ(i.src[0].addr_subreg, 8);
  EXPECT_EQ(i.src[0].addr_offset, 64);
  EXPECT_EQ(i.src[0].region, (Region{0, 4, 1, true}));
  const auto one_address = decode_line(Platform::XeHpg, "mov (8|M0) r10.0<1>:uw r[a0.0]<8;8,1>:uw");
  EXPECT_EQ(one_address.src[0].region, (Region{8, 8, 1, false}));
}

TEST(Fields, SystolicOperandsAreNamedByPrecision) {
  const auto i = decode_line(Platform::XeHpg, "dpas.8x4 (8|M0) r10:d null:d r30:b r40.4:ub {Atomic,$7}");
  EXPECT_EQ(i.dpas.systolic_depth, 8);
  EXPECT_EQ(i.dpas.repeat_count, 4);
  EXPECT_TRUE(i.atomic);
  EXPECT_TRUE(i.src[0].is_null());
  EXPECT_EQ(i.src[1].type, DataType::S8);
  EXPECT_EQ(i.src[2].type, DataType::U8);
  EXPECT_EQ(i.src[2].sub_bytes, 4);
  EXPECT_EQ(i.swsb.token_kind, SwsbToken::Set);
  EXPECT_EQ(i.swsb.token, 7);
  const auto nibbles = decode_line(Platform::XeHpg, "dpas.8x8 (8|M0) r10:d r20:d r30:u4 r40.8:s4");
  EXPECT_EQ(nibbles.src[1].type, DataType::U4);
  EXPECT_EQ(nibbles.src[2].type, DataType::S4);
  EXPECT_EQ(nibbles.src[2].sub_bytes, 4);
}

TEST(Fields, MathMacros) {
  const auto i =
      decode_line(Platform::XeHpg, "math.invm (8|M0) (eo)f1.1 r10.mme5:f r11.nomme<1;1,0>:f r12.mme0<1;1,0>:f");
  EXPECT_EQ(i.math_fn, MathFn::Invm);
  EXPECT_EQ(i.cond_mod, FlagMod::None);
  EXPECT_EQ(i.flag_reg, 1);
  EXPECT_EQ(i.flag_subreg, 1);
  EXPECT_EQ(i.dst.mme, 5);
  EXPECT_EQ(i.src[0].mme, 8);
  EXPECT_EQ(i.src[1].mme, 0);
  EXPECT_TRUE(i.src[0].region.is_contiguous(8));
  const auto scalar = decode_line(Platform::XeHpg, "madm (1|M0) r10.mme0:f r11.nomme:f r12.mme1:f r13.mme7:f");
  EXPECT_TRUE(scalar.src[2].region.is_scalar());
}

TEST(Fields, ScoreboardDistancesDifferByPlatform) {
  const std::string line = "add (16|M0) r10.0<1>:d r12.0<1;1,0>:d r14.0<1;1,0>:d ";
  const auto own = decode_line(Platform::XeHpg, line + "{@5,$3.dst}");
  EXPECT_EQ(own.swsb.dist_pipe, SwsbDist::SelfPipe);
  EXPECT_EQ(own.swsb.dist, 5);
  EXPECT_EQ(own.swsb.token_kind, SwsbToken::Dst);
  EXPECT_EQ(own.swsb.token, 3);
  EXPECT_EQ(decode_line(Platform::Xe2, line + "{M@2}").swsb.dist_pipe, SwsbDist::Math);
  EXPECT_EQ(decode_line(Platform::Xe2, line + "{$31.dst}").swsb.token, 31);
}

}  // namespace
}  // namespace xeforge::isa
