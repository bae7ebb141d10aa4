// SPDX-License-Identifier: Apache-2.0
#include "compile/checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "module_writer.h"

namespace xeforge::compile {
namespace {

using spirv::ModuleWriter;
using testing::AllOf;
using testing::HasSubstr;
using testing::Optional;

const device::Device& a770() { return device::find_device("a770"); }
const device::Device& b580() { return device::find_device("b580"); }

std::optional<std::string> ask(const ModuleWriter& w, const device::Device& device) {
  return refusal(spirv::read_module(w.bytes()), device);
}

/// Kernel "k" that calls the imported function `name` with parameters of the given types and constants as arguments.
ModuleWriter calling(const std::string& name, const std::vector<uint32_t>& parameters = {},
                     const std::vector<uint32_t>& arguments = {}) {
  ModuleWriter w;
  w.kernel(10, "k").import(12, name);
  w.void_type(1)
      .int_type(2, 32)
      .vector_type(3, 2, 64)
      .vector_type(4, 2, 128)
      .float_type(5, 32)
      .vector_type(6, 5, 64)
      .vector_type(7, 5, 128);
  w.constant(40, 2, 8).constant(41, 2, 4).function_type(8, 1, parameters);
  w.begin_function(12, 1, 8).end_function();
  w.begin_function(10, 1, 8).call(1, 30, 12, arguments).end_function();
  return w;
}

ModuleWriter dpas(const std::string& form, uint32_t accumulator, uint32_t b) {
  return calling("llvm.genx." + form + ".x", {accumulator, b, 3, 2, 2, 2}, {90, 91, 92, 40, 40, 40});
}

TEST(Checks, DpasOperandsFitTheDevice) {
  EXPECT_EQ(ask(dpas("dpas2", 6, 3), a770()), std::nullopt);
  EXPECT_EQ(ask(dpas("dpas2", 7, 4), b580()), std::nullopt);
  EXPECT_THAT(ask(dpas("dpas2", 7, 4), a770()),
              Optional(AllOf(HasSubstr("'k'"), HasSubstr("execution size of 16"), HasSubstr("8 wide"))));
  EXPECT_THAT(ask(dpas("dpas2", 6, 3), b580()),
              Optional(AllOf(HasSubstr("execution size of 8"), HasSubstr("16 wide"))));
  EXPECT_THAT(ask(dpas("dpas", 7, 4), a770()), Optional(HasSubstr("execution size of 16")));
  // Without an accumulator B comes first.
  EXPECT_EQ(ask(calling("llvm.genx.dpas.nosrc0.x", {3, 3}), a770()), std::nullopt);
  EXPECT_THAT(ask(calling("llvm.genx.dpas.nosrc0.x", {4, 3}), a770()), Optional(HasSubstr("execution size of 16")));
}

TEST(Checks, PairedDpasIsOfXeHpg) {
  EXPECT_EQ(ask(dpas("dpasw", 6, 3), a770()), std::nullopt);
  EXPECT_THAT(ask(dpas("dpasw", 7, 4), b580()), Optional(HasSubstr("dpasw")));
}

TEST(Checks, AFunctionThatIsNotCalledIsNoReason) {
  ModuleWriter w;
  w.kernel(10, "k").import(12, "llvm.genx.lsc.load2d.stateless.x").void_type(1).function_type(8, 1);
  w.begin_function(12, 1, 8).end_function();
  w.begin_function(10, 1, 8).end_function();
  EXPECT_EQ(ask(w, a770()), std::nullopt);
}

class Block2d : public testing::TestWithParam<const char*> {};
TEST_P(Block2d, IsRefusedWhereItDoesNotExist) {
  EXPECT_THAT(ask(calling(GetParam()), a770()), Optional(AllOf(HasSubstr("2D block"), HasSubstr(GetParam()))));
  EXPECT_EQ(ask(calling(GetParam()), b580()), std::nullopt);
}
INSTANTIATE_TEST_SUITE_P(Functions, Block2d,
                         testing::Values("llvm.genx.lsc.load2d.stateless.v64f32", "llvm.genx.lsc.store2d.stateless.x",
                                         "llvm.genx.lsc.prefetch2d.stateless.x",
                                         "llvm.vc.internal.lsc.load.block.2d.ugm.x",
                                         "_Z41intel_sub_group_2d_block_read_16b_8r16x1cPU3AS1v",
                                         "__builtin_IB_subgroup_block_read_flat_u16_m8k16v1"));

TEST(Checks, OrdinaryMessagesAreNot2d) {
  EXPECT_EQ(ask(calling("llvm.genx.lsc.load.stateless.v64i32"), a770()), std::nullopt);
  EXPECT_EQ(ask(calling("my_2d_function"), a770()), std::nullopt);
}

TEST(Checks, Block2dInstructions) {
  for (uint16_t opcode = 6231; opcode <= 6235; ++opcode) {
    ModuleWriter w;
    w.kernel(10, "k").void_type(1).function_type(8, 1).begin_function(10, 1, 8).op(opcode, {1, 2, 3}).end_function();
    EXPECT_THAT(ask(w, a770()), Optional(HasSubstr("SPV_INTEL_2d_block_io"))) << opcode;
    EXPECT_EQ(ask(w, b580()), std::nullopt) << opcode;
  }
}

TEST(Checks, NamedBarriers) {
  EXPECT_THAT(ask(calling("llvm.genx.nbarrier"), a770()), Optional(HasSubstr("named barriers")));
  EXPECT_EQ(ask(calling("llvm.genx.nbarrier"), b580()), std::nullopt);
  EXPECT_EQ(ask(calling("llvm.genx.barrier"), a770()), std::nullopt);
}

/// A kernel that multiplies, with one matrix type. Elements: 16-bit integers (bf16) or floats.
ModuleWriter matrix(uint32_t use, uint32_t rows, uint32_t columns, uint32_t bits, bool is_float = false,
                    std::optional<uint32_t> sub_group = {}) {
  ModuleWriter w;
  w.kernel(10, "k");
  if (sub_group) w.sub_group_size(10, *sub_group);
  w.void_type(1).int_type(2, 32).constant(20, 2, 3).constant(21, 2, rows).constant(22, 2, columns).constant(23, 2, use);
  if (is_float)
    w.float_type(3, bits);
  else
    w.int_type(3, bits);
  w.matrix_type(4, 3, 20, 21, 22, 23).function_type(8, 1);
  w.begin_function(10, 1, 8).op(4459, {4, 50, 51, 52, 53}).end_function();
  return w;
}

TEST(Checks, MatrixShapes) {
  constexpr uint32_t a = 0;
  constexpr uint32_t b = 1;
  constexpr uint32_t acc = 2;
  struct Row {
    uint32_t use, rows, columns, bits;
    bool on_a770, on_b580;
  };
  // As the compiler answers (IGC 2.40): tried with ocloc for both devices.
  const std::vector<Row> rows = {
      {a, 8, 16, 16, true, true},    {a, 1, 16, 16, true, true},     {a, 8, 8, 16, false, false},
      {a, 16, 16, 16, false, true},  {a, 8, 32, 8, true, true},      {a, 32, 16, 16, true, true},
      {a, 8, 4, 64, false, false},   {b, 16, 8, 16, true, false},    {b, 16, 16, 16, false, true},
      {b, 32, 8, 8, true, false},    {b, 16, 32, 16, true, false},   {b, 16, 64, 16, false, true},
      {acc, 8, 8, 32, true, false},  {acc, 8, 16, 32, false, true},  {acc, 1, 8, 32, true, false},
      {acc, 0, 8, 32, false, false}, {acc, 32, 32, 32, true, false}, {acc, 32, 64, 32, false, true},
      {acc, 9, 8, 32, false, false}, {acc, 16, 16, 32, false, true}};
  for (const auto& row : rows) {
    SCOPED_TRACE(testing::Message() << "use " << row.use << ": " << row.rows << "x" << row.columns << " of "
                                    << row.bits);
    const bool is_float = row.use == acc;
    EXPECT_EQ(!ask(matrix(row.use, row.rows, row.columns, row.bits, is_float), a770()), row.on_a770);
    EXPECT_EQ(!ask(matrix(row.use, row.rows, row.columns, row.bits, is_float), b580()), row.on_b580);
  }
  EXPECT_THAT(ask(matrix(b, 16, 16, 16), a770()),
              Optional(AllOf(HasSubstr("joint_matrix B of 16 x 16"), HasSubstr("8x8x16 bf16"))));
}

TEST(Checks, Tf32Matrices) {
  EXPECT_THAT(ask(matrix(0, 8, 8, 32, true), a770()), Optional(HasSubstr("tf32")));
  EXPECT_EQ(ask(matrix(0, 8, 8, 32, true), b580()), std::nullopt);
}

TEST(Checks, SubGroupSizesForMatrices) {
  EXPECT_EQ(ask(matrix(0, 8, 16, 16, false, 8), a770()), std::nullopt);
  EXPECT_THAT(ask(matrix(0, 8, 16, 16, false, 16), a770()), Optional(HasSubstr("sub-groups of 16 for joint_matrix")));
  EXPECT_EQ(ask(matrix(0, 8, 16, 16, false, 32), b580()), std::nullopt);
}

TEST(Checks, SubGroupSizes) {
  const auto kernel = [](uint32_t size, bool vector_compute) {
    ModuleWriter w;
    if (vector_compute) w.capability(5617);
    w.kernel(10, "k").sub_group_size(10, size).void_type(1).function_type(8, 1).begin_function(10, 1, 8).end_function();
    return w;
  };
  for (const uint32_t size : {8u, 16u, 32u}) EXPECT_EQ(ask(kernel(size, false), a770()), std::nullopt) << size;
  EXPECT_THAT(ask(kernel(64, false), a770()), Optional(AllOf(HasSubstr("sub-groups of 64"), HasSubstr("8, 16 or 32"))));
  EXPECT_THAT(ask(kernel(8, false), b580()), Optional(HasSubstr("16 or 32")));
  EXPECT_EQ(ask(kernel(1, true), b580()), std::nullopt);
  EXPECT_THAT(ask(kernel(1, false), b580()), Optional(HasSubstr("sub-groups of 1")));
}

TEST(Hints, ExplainWhatTheCompilerDoesNot) {
  EXPECT_THAT(hint_for("error: in kernel 'x': Double type is not supported on this platform.", a770()),
              HasSubstr("no 64-bit floating point"));
  EXPECT_THAT(hint_for("IGC: Internal Compiler Error: Floating point exception", a770()), HasSubstr("divided by zero"));
  EXPECT_EQ(hint_for("error: expected ';'", a770()), "");
}

}  // namespace
}  // namespace xeforge::compile
