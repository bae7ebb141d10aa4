// SPDX-License-Identifier: Apache-2.0
#include "compile/bf16_conversions.h"

#include <gtest/gtest.h>

#include "module_writer.h"

namespace xeforge::compile {
namespace {

using spirv::ModuleWriter;

constexpr const char* kToFloat = "__devicelib_ConvertBF16ToFINTEL";
constexpr const char* kFromFloatVec4 = "__devicelib_ConvertFToBF16INTELVec4";

/// Kernel 10 calls 12, declared as float(uint16_t*), and 13, declared as void(float4*, ushort4*).
ModuleWriter example(const char* first, const char* second) {
  ModuleWriter w;
  w.capability(6).op(10, ModuleWriter::text("SPV_OTHER")).kernel(10, "k").import(12, first).import(13, second);
  w.void_type(1).int_type(2, 16).float_type(3, 32).vector_type(4, 2, 4).vector_type(5, 3, 4);
  w.op(32, {20, 8, 2}).op(32, {21, 8, 5}).op(32, {22, 8, 4});
  w.function_type(6, 1).function_type(7, 3, {20}).function_type(8, 1, {21, 22});
  w.begin_function(12, 3, 7).op(55, {20, 30}).end_function();
  w.begin_function(13, 1, 8).op(55, {21, 31}).op(55, {22, 32}).end_function();
  w.begin_function(10, 1, 6).op(248, {40}).call(3, 41, 12, {50}).call(1, 42, 13, {51, 52}).op(253, {}).end_function();
  return w;
}

const spirv::Function& function(const spirv::Module& module, const std::string& name) {
  for (const auto& [id, candidate] : module.functions)
    if (candidate.name == name || (name == "to" && id == 12) || (name == "from" && id == 13)) return candidate;
  throw std::runtime_error("no function " + name);
}

TEST(Bf16Conversions, GetABody) {
  const auto bytes = define_bf16_conversions(example(kToFloat, kFromFloatVec4).bytes(), {kToFloat, kFromFloatVec4});
  const spirv::Module module = spirv::read_module(bytes);
  EXPECT_TRUE(module.capabilities.contains(6115));
  EXPECT_TRUE(module.capabilities.contains(6));
  EXPECT_TRUE(module.extensions.contains("SPV_INTEL_bfloat16_conversion"));
  EXPECT_TRUE(module.extensions.contains("SPV_OTHER"));
  EXPECT_FALSE(function(module, "to").imported);
  EXPECT_TRUE(function(module, "to").opcodes.contains(6117));
  EXPECT_TRUE(function(module, "to").opcodes.contains(254));
  EXPECT_FALSE(function(module, "from").imported);
  EXPECT_TRUE(function(module, "from").opcodes.contains(6116));
  EXPECT_TRUE(function(module, "from").opcodes.contains(62));
  EXPECT_EQ(module.functions.at(10).calls.size(), 2u);
  // New ids lie below the new bound.
  uint32_t bound = 0;
  std::memcpy(&bound, bytes.data() + 12, 4);
  EXPECT_EQ(bound, 106u);
}

TEST(Bf16Conversions, AreLeftAloneWhereNobodyDefinesThem) {
  const auto before = example(kToFloat, kFromFloatVec4).bytes();
  EXPECT_EQ(define_bf16_conversions(before, {}), before);
  const auto module = spirv::read_module(define_bf16_conversions(before, {kToFloat}));
  EXPECT_FALSE(function(module, "to").imported);
  EXPECT_TRUE(function(module, kFromFloatVec4).imported);
}

TEST(Bf16Conversions, OtherFunctionsAndOtherFormsAreLeftAlone) {
  const auto other = example("__devicelib_sinf", "llvm.genx.dpas").bytes();
  EXPECT_EQ(define_bf16_conversions(other, {"__devicelib_sinf", "llvm.genx.dpas"}), other);
  // The vector form under the scalar's parameters, and the other direction.
  const char* name = "__devicelib_ConvertFToBF16INTEL";
  const auto swapped = example(name, kToFloat).bytes();
  EXPECT_EQ(define_bf16_conversions(swapped, {name, kToFloat}), swapped);
}

}  // namespace
}  // namespace xeforge::compile
