// SPDX-License-Identifier: Apache-2.0
#include "compile/spirv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compile/files.h"
#include "module_writer.h"

namespace xeforge::compile::spirv {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

/// main (10) calls helper (11), which calls the import (12); another kernel (13) calls nothing.
ModuleWriter example() {
  ModuleWriter w;
  w.capability(6).op(10, ModuleWriter::text("SPV_EXAMPLE"));
  w.kernel(10, "main").kernel(13, "other").sub_group_size(10, 16);
  w.op(5, ModuleWriter::join({11}, ModuleWriter::text("helper"))).import(12, "outside");
  w.void_type(1).int_type(2, 32).float_type(3, 16).vector_type(4, 3, 8).function_type(5, 1, {2, 4});
  w.int_type(6, 64).constant(20, 2, 7).op(43, {6, 21, 1, 2});
  w.begin_function(12, 1, 5).end_function();
  w.begin_function(10, 1, 5).call(1, 30, 11, {20}).end_function();
  w.begin_function(11, 1, 5).call(1, 31, 12).op(4459, {}).end_function();
  w.begin_function(13, 1, 5).end_function();
  return w;
}

TEST(Spirv, ReadsWhoCallsWhom) {
  const Module m = read_module(example().bytes());
  ASSERT_EQ(m.entry_points.size(), 2u);
  EXPECT_EQ(m.entry_points[0].name, "main");
  EXPECT_EQ(m.entry_points[0].sub_group_size, 16u);
  EXPECT_FALSE(m.entry_points[1].sub_group_size);
  EXPECT_TRUE(m.functions.at(12).imported);
  EXPECT_EQ(m.functions.at(12).name, "outside");
  EXPECT_EQ(m.functions.at(11).name, "helper");
  EXPECT_EQ(m.functions.at(13).name, "%13");
  EXPECT_EQ(m.functions.at(10).calls.at(0).arguments, std::vector<Id>{20});
  EXPECT_EQ(m.reachable(m.entry_points[0]).size(), 3u);
  EXPECT_EQ(m.reachable(m.entry_points[1]).size(), 1u);
  EXPECT_TRUE(m.functions.at(11).opcodes.contains(4459));
  EXPECT_TRUE(m.extensions.contains("SPV_EXAMPLE"));
  EXPECT_FALSE(m.vector_compute);
}

TEST(Spirv, ReadsTypesAndConstants) {
  const Module m = read_module(example().bytes());
  EXPECT_EQ(m.bits_of(3), 16u);
  EXPECT_EQ(m.bits_of(4), 128u);
  EXPECT_EQ(m.bits_of(5), 0u);
  EXPECT_EQ(m.bits_of(999), 0u);
  EXPECT_EQ(m.types.at(5).parameters, (std::vector<Id>{2, 4}));
  EXPECT_EQ(m.constants.at(20), 7u);
  EXPECT_EQ(m.constants.at(21), (uint64_t{2} << 32) + 1);
}

TEST(Spirv, RecursionEnds) {
  ModuleWriter w;
  w.kernel(1, "k").begin_function(1, 9, 9).call(9, 8, 1).end_function();
  const Module m = read_module(w.bytes());
  EXPECT_EQ(m.reachable(m.entry_points[0]).size(), 1u);
}

TEST(Spirv, EveryCutIsAnErrorOrAWholeModule) {
  const auto whole = example().bytes();
  for (size_t size = 0; size < whole.size(); ++size) {
    const auto part = std::span(whole).first(size);
    if (size % 4 != 0) {
      EXPECT_THROW(read_module(part), SpirvError) << size;
      continue;
    }
    try {
      read_module(part);  // a cut between two instructions outside a function leaves a module
      // NOLINTNEXTLINE(bugprone-empty-catch): the other ways to end are failures
    } catch (const SpirvError&) {
    }
  }
}

TEST(Spirv, SaysWhatIsWrong) {
  EXPECT_THAT([] { read_module(as_bytes("this is text, no module")); },
              ThrowsMessage<SpirvError>(HasSubstr("not a SPIR-V module")));
  EXPECT_THAT([] { read_module({}); }, ThrowsMessage<SpirvError>(HasSubstr("not a SPIR-V module")));
  ModuleWriter zero;
  auto bytes = zero.bytes();
  bytes.resize(bytes.size() + 4);
  EXPECT_THAT([&] { read_module(bytes); }, ThrowsMessage<SpirvError>(HasSubstr("damaged at word 5")));
  EXPECT_THAT([] { read_module(ModuleWriter().begin_function(1, 2, 3).bytes()); },
              ThrowsMessage<SpirvError>(HasSubstr("no end")));
  EXPECT_THAT([] { read_module(ModuleWriter().begin_function(1, 2, 3).begin_function(4, 2, 3).bytes()); },
              ThrowsMessage<SpirvError>(HasSubstr("inside another")));
  EXPECT_THAT([] { read_module(ModuleWriter().op(23, {1}).bytes()); },
              ThrowsMessage<SpirvError>(HasSubstr("too few operands")));
  // A name without an end.
  EXPECT_THAT(
      [] {
        read_module(ModuleWriter().op(5, {1, 0x41414141}).bytes());
      },
      ThrowsMessage<SpirvError>(HasSubstr("too few operands")));
}

}  // namespace
}  // namespace xeforge::compile::spirv
