// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "lab/inspect_kernel.h"
#include "lab/inspect_report.h"

namespace xeforge::lab {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kEnd = "(W) send.gtwy (1|M0) null r127 null:0 0x0 0x02000010 {EOT}\n";
constexpr const char* kAdd = "add (8|M0) r10.0<1>:d r10.0<1;1,0>:d 0x1:d\n";
constexpr const char* kFloatAdd = "add (8|M0) r11.0<1>:f r11.0<1;1,0>:f r12.0<1;1,0>:f\n";
constexpr const char* kMov = "mov (8|M0) r13.0<1>:f r11.0<1;1,0>:f\n";
constexpr const char* kLoad = "send.ugm (8|M0) r20 r10 null:0 0x0 0x02100500 {$0}\n";

binary::Kernel kernel_of(const std::string& text) {
  binary::Kernel kernel;
  kernel.name = "__sycl_kernel_k";
  kernel.code = isa::assemble(isa::Platform::XeHpg, text);
  return kernel;
}

KernelView view_of(const std::string& text) { return view_kernel(kernel_of(text), device::find_device("a770")); }

const std::string kNested = std::string(kMov) +                      // 0
                            "outer:\n" + kAdd +                      // 16
                            "inner:\n" + kAdd + kFloatAdd + kLoad +  // 32, 48, 64
                            "(W&f0.0) jmpi (1|M0) inner\n" + kMov +  // 80, 96
                            "(W&f0.0) jmpi (1|M0) outer\n" +         // 112
                            "second:\n" + kAdd +                     // 128
                            "(W&f0.0) jmpi (1|M0) second\n" + kEnd;  // 144, 160

TEST(Loops, AreFoundFromBranchesBack) {
  const auto view = view_of(kNested);
  ASSERT_EQ(view.loops.size(), 3u);
  EXPECT_EQ(view.loops[0].first_pc, 16u);
  EXPECT_EQ(view.loops[0].last_pc, 112u);
  EXPECT_EQ(view.loops[0].depth, 1u);
  EXPECT_FALSE(view.loops[0].innermost);
  EXPECT_EQ(view.loops[1].first_pc, 32u);
  EXPECT_EQ(view.loops[1].last_pc, 80u);
  EXPECT_EQ(view.loops[1].depth, 2u);
  EXPECT_TRUE(view.loops[1].innermost);
  EXPECT_EQ(view.loops[2].first_pc, 128u);
  EXPECT_EQ(view.loops[2].depth, 1u);
  EXPECT_TRUE(view.loops[2].innermost);
  EXPECT_EQ(view.depth_of(0), 0u);
  EXPECT_EQ(view.depth_of(3), 2u);
}

TEST(Loops, HaveTheMixOfTheirInstructions) {
  const auto view = view_of(kNested);
  const auto& inner = view.loops[1].mix;
  EXPECT_EQ(inner.instructions, 4u);
  EXPECT_EQ(inner.alu_int, 1u);
  EXPECT_EQ(inner.alu_float, 1u);
  EXPECT_EQ(inner.send, 1u);
  EXPECT_EQ(inner.control, 1u);
  EXPECT_EQ(inner.mov, 0u);
  EXPECT_EQ(view.loops[0].mix.instructions, 7u);
  EXPECT_EQ(view.mix.instructions, 11u);
}

TEST(Loops, AForwardBranchIsNone) {
  const auto view = view_of(std::string("(W&f0.0) jmpi (1|M0) over\n") + kAdd + "over:\n" + kEnd);
  EXPECT_TRUE(view.loops.empty());
}

TEST(Loops, TwoWaysBackAreOneLoop) {
  const auto view = view_of(std::string("head:\n") + kAdd + "(W&f0.0) jmpi (1|M0) head\n" + kMov +
                            "(W&f0.1) jmpi (1|M0) head\n" + kEnd);
  ASSERT_EQ(view.loops.size(), 1u);
  EXPECT_EQ(view.loops[0].last_pc, 48u);
}

TEST(Messages, AreCountedByKind) {
  const auto view = view_of(kNested);
  ASSERT_EQ(view.messages.size(), 2u);
  EXPECT_THAT(view.messages[0].text, HasSubstr("load.ugm"));
  EXPECT_EQ(view.messages[0].count, 1u);
  EXPECT_EQ(view.messages[0].in_loops, 1u);
  EXPECT_EQ(view.messages[0].return_grf, 1u);
  EXPECT_EQ(view.messages[1].in_loops, 0u);
}

TEST(Report, ShowsWhatTheCompilerStated) {
  auto kernel = kernel_of(kNested);
  kernel.simd_size = 8;
  kernel.grf_count = 256;
  kernel.eu_thread_count = 4;
  kernel.spill_size = 512;
  kernel.slm_size = 4096;
  kernel.barrier_count = 1;
  kernel.scratch.push_back({"scratch", "spill_fill_space", 1024});
  const auto& device = device::find_device("a770");
  std::ostringstream out;
  print_kernel(out, view_kernel(kernel, device), device);
  const std::string text = out.str();
  EXPECT_THAT(text, HasSubstr("k on " + device.name));
  EXPECT_THAT(text,
              HasSubstr("SIMD8, 256 registers, 4 threads an EU, 512 bytes spilled, 1024 bytes of scratch a thread"));
  EXPECT_THAT(text, HasSubstr("local memory: 4096 bytes; barriers: 1"));
  EXPECT_THAT(
      text, HasSubstr("  outer loop at pc 16..112: 7 instructions: send 1, alu_int 2, alu_float 1, mov 1, control 2"));
  EXPECT_THAT(text, HasSubstr("    loop at pc 32..80: 4 instructions"));
}

TEST(Report, MarksLoopsAndTargetsInTheListing) {
  std::ostringstream out;
  print_listing(out, view_of(kNested));
  const std::string text = out.str();
  EXPECT_THAT(text, HasSubstr("\nL32:\n||"));
  EXPECT_THAT(text, HasSubstr("\nL16:\n| "));
  EXPECT_THAT(text, Not(HasSubstr("L0:")));
}

TEST(Report, JsonHasStableNames) {
  const auto& device = device::find_device("a770");
  std::vector<InspectedModule> modules(1);
  modules[0].module.kind = "zebin";
  modules[0].kernels.push_back(view_of(kNested));
  const auto json = nlohmann::json::parse(inspect_json("file", device, modules));
  EXPECT_EQ(json.at("device"), "a770");
  const auto& kernel = json.at("modules").at(0).at("kernels").at(0);
  EXPECT_EQ(kernel.at("name"), "__sycl_kernel_k");
  for (const char* name : {"simd", "grf", "spill_bytes", "scratch_bytes", "slm_bytes", "barriers"})
    EXPECT_TRUE(kernel.at("compiled").contains(name)) << name;
  EXPECT_EQ(kernel.at("loops").at(1).at("static_counts").at("instructions"), 4);
  EXPECT_EQ(kernel.at("messages").at(0).at("in_loops"), 1);
  EXPECT_TRUE(json.at("modules").at(0).at("error").is_null());
}

TEST(Names, LoseThePrefixOfSycl) {
  EXPECT_EQ(short_name("__sycl_kernel_gemm"), "gemm");
  EXPECT_EQ(short_name("gemm"), "gemm");
}

}  // namespace
}  // namespace xeforge::lab
